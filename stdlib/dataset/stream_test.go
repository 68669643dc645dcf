package dataset

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"testing"
)

// collect reads a stream to its end.
func collect(batches iter.Seq2[Batch, error]) (sizes []int, x, y []float64, err error) {
	for b, err := range batches {
		if err != nil {
			return sizes, x, y, err
		}
		n, _ := b.X.Dims()
		sizes = append(sizes, n)
		for i := range n {
			x = append(x, b.X.RawRowView(i)...)
		}
		y = append(y, b.Y...)
	}
	return sizes, x, y, nil
}

func TestStreams(t *testing.T) {
	images := []byte{0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 255, 51, 0, 102, 255}
	labels := []byte{0, 0, 8, 1, 0, 0, 0, 3, 7, 0, 9}
	for name, c := range map[string]struct {
		stream iter.Seq2[Batch, error]
		want   string
	}{
		"libsvm":       {StreamLIBSVM(strings.NewReader("1 1:2 3:4 # first\n\n-1 2:1\n3.5\n"), "f", 3, 2), "[2 1] [2 0 4 0 1 0 0 0 0] [1 -1 3.5] <nil>"},
		"csv":          {StreamCSV(strings.NewReader("a,b,y\n1,2,3\n4,5,6\n7, 8,9\n"), "f", -1, 2), "[2 1] [1 2 4 5 7 8] [3 6 9] <nil>"},
		"idx":          {StreamIDX(bytes.NewReader(images), bytes.NewReader(labels), "f", 2), "[2 1] [0 1 0.2 0 0.4 1] [7 0 9] <nil>"},
		"libsvm index": {StreamLIBSVM(strings.NewReader("1 1:2\n1 4:4\n"), "f", 3, 1), "[1] [2 0 0] [1] dataset: f, line 2: index is 4, must be at most 3"},
		"libsvm order": {StreamLIBSVM(strings.NewReader("1 2:2 1:4\n"), "f", 3, 1), "[] [] [] dataset: f, line 1: index 1 follows 2, must increase from 1"},
		"csv number":   {StreamCSV(strings.NewReader("1,2\n3,x\n"), "f", 0, 1), `[1] [2] [1] dataset: f, record 2, column 2 is "x", must be a finite number`},
		"csv column":   {StreamCSV(strings.NewReader("1,2\n"), "f", 2, 1), "[] [] [] dataset: f: target column 2 does not exist, there are 2 columns"},
		"idx short":    {StreamIDX(bytes.NewReader(images[:20]), bytes.NewReader(labels), "f", 2), "[2] [0 1 0.2 0] [7 0] dataset: f: ends after 2 of 3 images"},
		"idx header":   {StreamIDX(bytes.NewReader(labels[1:]), bytes.NewReader(labels), "f", 2), "[] [] [] dataset: f: IDX header is 00 08 01 00, must be 00 00 08 and the number of dimensions, 1 to 4"},
		"idx count":    {StreamIDX(bytes.NewReader(images), bytes.NewReader(images), "f", 2), "[] [] [] dataset: f: 3 images and 3 labels of 2 numbers, must be as many, of one"},
	} {
		sizes, x, y, err := collect(c.stream)
		if got := fmt.Sprint(sizes, x, y, err); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	// A reader may stop.
	for range StreamCSV(strings.NewReader("1,2\n3,4\n"), "f", 0, 1) {
		break
	}
}
