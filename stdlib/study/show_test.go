package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShown: a study and its results show as tables, without what names the source of the function.
func TestShown(t *testing.T) {
	s := &Study{Name: "shown", About: "Which is better?", Points: Grid(Values("m", "<a>", "b"), Values("n", 10, 100)), Replications: 4, Seed: 7,
		Paired: []string{"m"}, Source: "of cell 8"}
	s.Replicate = func(_ context.Context, p Point, rng *rand.Rand) (Record, error) {
		if p.Int("n") == 100 && p.Text("m") == "b" {
			return nil, errors.New("never")
		}
		return Record{"path": []float64{1}, "even": 1.5}, nil
	}
	want := `study shown: 4 points × 4 replications, seed 7
parameter  values
m          <a>, b   paired
n          10, 100
Which is better?`
	if got := fmt.Sprint(s); got != want {
		t.Errorf("the study is shown as\n%s", got)
	}
	res, _ := s.Run(context.Background(), nil) // its error is that of the failures
	want = `study shown: 12 records of 4 points × 4 replications, seed 7
m    n    replications  even     median
<a>  10   4             1.5 ± 0  1.5
<a>  100  4             1.5 ± 0  1.5
b    10   4             1.5 ± 0  1.5
b    100  0
Means ± standard errors, and medians. Missing or failed: 4.`
	if got := fmt.Sprint(res); got != want {
		t.Errorf("results are shown as\n%s", got)
	}
	for _, page := range []string{s.HTML(), res.HTML()} {
		if strings.Contains(page, "cell 8") || !strings.Contains(page, "&lt;a&gt;") || !strings.Contains(page, "<td") {
			t.Errorf("shown as %s", page)
		}
	}
}

func TestMeanText(t *testing.T) {
	for want, s := range map[string]Summary{"163.5 ± 150": {Mean: 163.49, StdErr: 150.2}, "5.28 ± 0.55": {Mean: 5.28, StdErr: .551}, "3": {Mean: 3, StdErr: math.NaN()}} {
		if got := s.meanText(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestShownInPart: of many points the first are shown, and the others are counted.
func TestShownInPart(t *testing.T) {
	sizes := make([]int, 70)
	for i := range sizes {
		sizes[i] = i
	}
	s := &Study{Name: "many", Points: Grid(Values("n", sizes)), Replications: 1}
	s.Replicate = func(_ context.Context, p Point, _ *rand.Rand) (Record, error) { return Record{"n": p.Int("n")}, nil }
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text := res.String()
	if n := strings.Count(text, "\n"); n != 1+50+1 || !strings.Contains(text, "… and 20 more points. ") {
		t.Errorf("%d lines:\n%s", n, text)
	}
}
