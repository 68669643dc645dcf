package dataset

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A Batch is some points of a larger set: the rows of X (n x d), and their targets,
// those of one point after the other.
type Batch struct {
	X *mat.Dense
	Y []float64
}

// Batches yields the points in the rows of X with their targets y in batches of size,
// the last one smaller if need be. Rows are not copied.
func Batches(X *mat.Dense, y []float64, size int) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		n, d := X.Dims()
		if size < 1 || len(y)%n != 0 {
			yield(Batch{}, fmt.Errorf("dataset: batches of %d from %d points with %d targets: size must be positive, targets as many for each", size, n, len(y)))
			return
		}
		targets := len(y) / n
		for lo := 0; lo < n; lo += size {
			hi := min(lo+size, n)
			if !yield(Batch{X.Slice(lo, hi, 0, d).(*mat.Dense), y[lo*targets : hi*targets]}, nil) {
				return
			}
		}
	}
}

// A filling is a batch that grows point by point.
type filling struct {
	d, size int
	x, y    []float64
	yield   func(Batch, error) bool
}

// add appends a point and yields the batch when it is full; it returns whether to go
// on.
func (f *filling) add(x []float64, y float64) bool {
	f.x, f.y = append(f.x, x...), append(f.y, y)
	return len(f.y) < f.size || f.flush()
}

func (f *filling) flush() bool {
	if len(f.y) == 0 {
		return true
	}
	b := Batch{mat.NewDense(len(f.y), f.d, f.x), f.y}
	f.x, f.y = nil, nil
	return f.yield(b, nil)
}

// StreamLIBSVM reads data in LIBSVM's format, "label index:value ..." with indices from
// 1 to d, increasing, absent ones 0, in batches of size: no more than one is in memory.
// The labels are the targets as they are. Reading ends at the first error.
func StreamLIBSVM(r io.Reader, name string, d, size int) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if d < 1 || size < 1 {
			yield(Batch{}, fmt.Errorf("dataset: %s: batches of %d points of dimension %d, must be positive", name, size, d))
			return
		}
		f := &filling{d: d, size: size, yield: yield}
		x := make([]float64, d)
		scan := bufio.NewScanner(r)
		scan.Buffer(nil, 1<<24)
		for line := 1; scan.Scan(); line++ {
			label, entries, err := parseLIBSVM(scan.Text())
			if err == nil && len(entries) > 0 && entries[len(entries)-1].index > d {
				err = fmt.Errorf("index is %d, must be at most %d", entries[len(entries)-1].index, d)
			}
			if err != nil {
				yield(Batch{}, fmt.Errorf("dataset: %s, line %d: %w", name, line, err))
				return
			}
			if entries == nil {
				continue
			}
			clear(x)
			for _, e := range entries {
				x[e.index-1] = e.value
			}
			if !f.add(x, label) {
				return
			}
		}
		if err := scan.Err(); err != nil {
			yield(Batch{}, fmt.Errorf("dataset: %s: %w", name, err))
			return
		}
		f.flush()
	}
}

// StreamCSV reads comma-separated numbers with the target in the given column
// (negative: counted from the end) in batches of size: no more than one is in memory. A
// first record that is no number anywhere is a header and skipped. Reading ends at the
// first error.
func StreamCSV(r io.Reader, name string, target, size int) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if size < 1 {
			yield(Batch{}, fmt.Errorf("dataset: %s: batches of %d points, must be positive", name, size))
			return
		}
		reader := csv.NewReader(r)
		reader.TrimLeadingSpace, reader.ReuseRecord = true, true
		f := &filling{size: size, yield: yield}
		var x []float64
		for number := 1; ; number++ {
			record, err := reader.Read()
			if err == io.EOF {
				f.flush()
				return
			}
			if err != nil {
				yield(Batch{}, fmt.Errorf("dataset: %s: %w", name, err))
				return
			}
			if number == 1 && isHeader(record) {
				continue
			}
			at := target
			if at < 0 {
				at += len(record)
			}
			if at < 0 || at >= len(record) || len(record) < 2 {
				yield(Batch{}, fmt.Errorf("dataset: %s: target column %d does not exist, there are %d columns", name, target, len(record)))
				return
			}
			var y float64
			x, f.d = x[:0], len(record)-1
			for j, field := range record {
				v, err := parseFinite(strings.TrimSpace(field))
				if err != nil {
					yield(Batch{}, fmt.Errorf("dataset: %s, record %d, column %d is %q, must be a finite number", name, number, j+1, field))
					return
				}
				if j == at {
					y = v
					continue
				}
				x = append(x, v)
			}
			if !f.add(x, y) {
				return
			}
		}
	}
}

// StreamIDX reads images and labels in the IDX format of the MNIST data, unsigned bytes,
// in batches of size: no more than one is in memory. Pixels are divided by 255, an
// image is a row. Reading ends at the first error.
func StreamIDX(images, labels io.Reader, name string, size int) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		if size < 1 {
			yield(Batch{}, fmt.Errorf("dataset: %s: batches of %d points, must be positive", name, size))
			return
		}
		images, labels := bufio.NewReader(images), bufio.NewReader(labels)
		n, d, err := readIDX(images)
		if err == nil {
			var count, one int
			if count, one, err = readIDX(labels); err == nil && (count != n || one != 1) {
				err = fmt.Errorf("%d images and %d labels of %d numbers, must be as many, of one", n, count, one)
			}
		}
		if err != nil {
			yield(Batch{}, fmt.Errorf("dataset: %s: %w", name, err))
			return
		}
		f := &filling{d: d, size: size, yield: yield}
		pixels, x := make([]byte, d), make([]float64, d)
		for i := range n {
			_, err := io.ReadFull(images, pixels)
			label, err2 := labels.ReadByte()
			if err != nil || err2 != nil {
				yield(Batch{}, fmt.Errorf("dataset: %s: ends after %d of %d images", name, i, n))
				return
			}
			for j, p := range pixels {
				x[j] = float64(p) / 255
			}
			if !f.add(x, float64(label)) {
				return
			}
		}
		f.flush()
	}
}

// readIDX reads a header: the number of items, and how many bytes each has.
func readIDX(r io.Reader) (items, each int, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, fmt.Errorf("IDX header: %w", err)
	}
	if head[0] != 0 || head[1] != 0 || head[2] != 8 || head[3] < 1 || head[3] > 4 {
		return 0, 0, fmt.Errorf("IDX header is % x, must be 00 00 08 and the number of dimensions, 1 to 4", head)
	}
	each = 1
	for i := range int(head[3]) {
		var size [4]byte
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return 0, 0, fmt.Errorf("IDX header: %w", err)
		}
		v := int(size[0])<<24 | int(size[1])<<16 | int(size[2])<<8 | int(size[3])
		switch {
		case i == 0:
			items = v
		case v < 1 || each > 1<<24/v:
			return 0, 0, fmt.Errorf("IDX item has a side of %d, must be positive and the item at most 2^24 bytes", v)
		default:
			each *= v
		}
	}
	return items, each, nil
}
