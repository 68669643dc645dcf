package study

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// tQuantile is scipy.stats.t.ppf(0.975, 3), of scipy 1.16.
const tQuantile = 3.182446305284263

// agree reports whether numbers agree to the digits that a compact record keeps.
func agree(got, want []float64) bool {
	for i := range want {
		if len(got) != len(want) || !(math.Abs(got[i]-want[i]) <= 2e-5*math.Abs(want[i])) {
			return false
		}
	}
	return true
}

// TestMeans draws means of 1, 2, 4, 8 with Student's intervals: mean 15/4, variance 115/12.
func TestMeans(t *testing.T) {
	r, c := compacted(t)
	half := tQuantile * math.Sqrt(115./12/4)
	for _, f := range []Findings{r, c} {
		curves, err := f.Curves("error", "method", "n", "d", 1.)
		if err != nil {
			t.Fatal(err)
		}
		name, x, middle, lo, hi := curves.Means(.95).Curve(1)
		for i, at := range []float64{1, 4, 16} {
			if got, want := []float64{x[i], middle[i], lo[i], hi[i]}, []float64{at, 3.75 / at, (3.75 - half) / at, (3.75 + half) / at}; name != "fast" || !agree(got, want) {
				t.Errorf("%T: %s %v, want %v", f, name, got, want)
			}
		}
		if _, _, middle, _, _ := curves.Curve(1); !agree(middle, []float64{3, .75, .1875}) {
			t.Errorf("%T: Means changed the curves, which now have %v", f, middle)
		}
		if rate, _ := curves.Means(.95)[1].Rate(0); math.Abs(rate+1) > 1e-5 {
			t.Errorf("%T: rate of the means %v, want -1", f, rate)
		}
		s, err := f.Summary(NewPoint("n", 1., "method", "fast", "d", 1.), "error")
		if err != nil {
			t.Fatal(err)
		}
		if a, b := s.Interval(.95); !agree([]float64{a, b}, []float64{3.75 - half, 3.75 + half}) {
			t.Errorf("%T: interval %v to %v", f, a, b)
		}
		if paths, err := f.Curves("path", "method", "", "d", 1., "n", 1.); err != nil {
			t.Error(err)
		} else if _, _, m, lo, hi := paths.Means(.95).Curve(0); !agree([]float64{m[1], lo[1], hi[1]}, []float64{3.75 / 4, (3.75 - half) / 4, (3.75 + half) / 4}) {
			t.Errorf("%T: mean of the paths %v in %v, %v", f, m[1], lo[1], hi[1])
		}
	}
}

// TestMeansOfFew: nothing is known about the mean of one replication, and of paths that an earlier program kept.
func TestMeansOfFew(t *testing.T) {
	if lo, hi := (Summary{N: 1, Mean: 3, StdErr: math.NaN()}).Interval(.9); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("an interval of one value is %v to %v", lo, hi)
	}
	c, err := ParseCompact([]byte(`{"study": "s", "replications": 3, "points": [
{"point":{"m":"a"},"numbers":{},"paths":{"p":{"places":[0,9],"median":[3,1],"mean":[4,2],"q1":[1,1],"q3":[5,5]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	curves, err := c.Curves("p", "m", "")
	if err != nil {
		t.Fatal(err)
	}
	_, _, middle, lo, hi := curves.Means(.9).Curve(0)
	if !reflect.DeepEqual(middle, []float64{4, 2}) || !math.IsNaN(lo[0]) || !math.IsNaN(hi[1]) {
		t.Errorf("%v in %v, %v", middle, lo, hi)
	}
	for _, level := range []float64{0, 1, 95, math.NaN()} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, "must be between 0 and 1") {
					t.Errorf("level %v: %s", level, got)
				}
			}()
			curves.Means(level)
		}()
	}
}

// TestPathAtChosenTimes records a path at times that the records have too, and draws it at these.
func TestPathAtChosenTimes(t *testing.T) {
	times := []int{10, 100, 1000}
	s := &Study{Name: "times", Points: Grid(Values("policy", "a", "b"), Values("arms", 2, 10)), Replications: 2, Seed: 1}
	s.Replicate = func(_ context.Context, p Point, rng *rand.Rand) (Record, error) {
		return Record{"plays": times, "regret": []float64{1, 2, 3}, "short": []float64{1, 2}}, nil
	}
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	compact, err := NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Findings{res, compact} {
		c, err := f.Curves("regret", "policy", "plays", "arms", 10)
		if err != nil {
			t.Fatal(err)
		}
		if len(c) != 2 || !reflect.DeepEqual(c[1].X, []float64{10, 100, 1000}) || !reflect.DeepEqual(c[1].Mean, []float64{1, 2, 3}) {
			t.Errorf("%T: %+v", f, c)
		}
		if c, err := f.Curves("short", "policy", "plays", "arms", 10); err != nil || !reflect.DeepEqual(c[0].X, []float64{10, 100}) {
			t.Errorf("%T: a path that ends early: %+v, %v", f, c, err)
		}
		if _, err := f.Curves("regret", "policy", "short", "arms", 10); err == nil || !strings.Contains(err.Error(), "no value at place 3") {
			t.Errorf("%T: times that end early: %v", f, err)
		}
		if _, err := f.Curves("regret", "policy", "times", "arms", 10); err == nil || !strings.Contains(err.Error(), "no parameter times, and the records have no path of that name") {
			t.Errorf("%T: %v", f, err)
		}
	}
}
