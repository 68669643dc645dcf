package study

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// compacted returns results and what is left of them after their records were written down and read again.
func compacted(t *testing.T) (*Results, *Compact) {
	t.Helper()
	r := curved(t, Grid(Values("n", 4., 1., 16.), Values("method", "slow", "fast"), Values("d", 1., 2.)))
	c, err := NewCompact(r)
	if err != nil {
		t.Fatal(err)
	}
	js, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseCompact(js)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.Marshal(); err != nil || !bytes.Equal(js, again) {
		t.Errorf("written again: %v\n%s, not\n%s", err, again, js)
	}
	return r, back
}

// TestCompactFindings checks that a compact record says what the results say.
func TestCompactFindings(t *testing.T) {
	r, c := compacted(t)
	for _, f := range []string{"error", "path"} {
		x := map[string]string{"error": "n"}[f]
		pairs := []any{"d", 2.}
		if x == "" {
			pairs = append(pairs, "n", 4.)
		}
		want, err := r.Curves(f, "method", x, pairs...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Curves(f, "method", x, pairs...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			n := len(got[i].X) // a path ends where the shortest does
			a, b := want[i], got[i]
			if f == "path" && n != 5 || f == "error" && n != 3 {
				t.Errorf("curve %s of %s has %d places", b.Name, f, n)
			}
			for _, pair := range [][2][]float64{{a.X, b.X}, {a.Q1, b.Q1}, {a.Median, b.Median}, {a.Q3, b.Q3}, {a.Mean, b.Mean}} {
				for k, v := range pair[1] {
					if math.Abs(v-pair[0][k]) > 1e-5*math.Abs(v) {
						t.Errorf("curve %s of %s is %v, want %v", b.Name, f, pair[1], pair[0])
						break
					}
				}
			}
		}
	}
	points := c.Points("d", 1.)
	if !reflect.DeepEqual(points, r.Points("d", 1.)) {
		t.Errorf("points %v", points)
	}
	want, err := r.Summary(points[3], "error")
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Summary(points[3], "error")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{0, .25, .5, .75, 1} {
		if math.Abs(got.Quantile(q)-want.Quantile(q)) > 1e-5*want.Quantile(q) {
			t.Errorf("quantile %v is %v, want %v", q, got.Quantile(q), want.Quantile(q))
		}
	}
	if got.N != want.N || math.Abs(got.Mean-want.Mean) > 1e-5*want.Mean || !math.IsNaN(got.Quantile(.1)) {
		t.Errorf("summary %+v, want %+v", got, want)
	}
	if _, _, err := got.Bootstrap(func([]float64) float64 { return 0 }, .9, 10, nil); err == nil {
		t.Error("numbers that are gone were resampled")
	}
}

// TestCompactRate checks that curves without replications have the slope of their medians.
func TestCompactRate(t *testing.T) {
	_, c := compacted(t)
	curves, err := c.Curves("error", "method", "n", "d", 1.)
	if err != nil {
		t.Fatal(err)
	}
	rate, se := curves[1].Rate(1)
	if math.Abs(rate+1) > 1e-5 || !math.IsNaN(se) {
		t.Errorf("rate %v ± %v, want -1", rate, se)
	}
	if got := curves.WithRates("n", 1)[0].Name; got != "slow, $n^{-0.50}$" {
		t.Error(got)
	}
}

// TestEarlierPaths checks that a path kept without quartiles is a curve without a band.
func TestEarlierPaths(t *testing.T) {
	c, err := ParseCompact([]byte(`{"study": "s", "size": "paper", "version": "1", "seed": 2, "replications": 3, "made": ["go1.26"], "failed": 1, "points": [
{"point":{"m":"a"},"numbers":{},"paths":{"p":{"places":[0,9],"median":[3,1],"mean":[4,2]}}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	curves, err := c.Curves("p", "m", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, x, middle, lo, hi := curves.Curve(0); !reflect.DeepEqual([][]float64{x, middle, lo, hi}, [][]float64{{1, 10}, {3, 1}, {3, 1}, {3, 1}}) {
		t.Errorf("the curve is %+v", curves[0])
	}
	if s := c.String(); s != "s at its paper size: 1 points × 3 replications, seed 2, go1.26; missing or failed: 1" {
		t.Error(s)
	}
}

func TestCompactErrors(t *testing.T) {
	_, c := compacted(t)
	for want, args := range map[string][]any{
		"curved has no point with d=3; the values of d are [1 2]": {"error", "method", "n", "d", 3.},
		"two points of slow have n 4":                             {"error", "method", "n"},
		"two points are called slow":                              {"path", "method", "", "d", 1.},
		"keeps no number weight of":                               {"weight", "method", "n", "d", 1.},
		"keeps no path error of":                                  {"error", "method", ""},
		"has no parameter m":                                      {"error", "method", "m", "d", 1.},
		"parameter method is a string":                            {"error", "d", "method", "n", 1.},
		"has no parameter speed":                                  {"error", "speed", "n"},
	} {
		if _, err := c.Curves(args[0].(string), args[1].(string), args[2].(string), args[3:]...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
	if _, err := c.Summary(NewPoint("n", 5), "error"); err == nil || !strings.Contains(err.Error(), "no point n=5") {
		t.Error(err)
	}
	if _, err := ParseCompact([]byte("{")); err == nil {
		t.Error("half a record was read")
	}
	if _, err := NewCompact(&Results{Study: &Study{Name: "empty"}}); err == nil || !strings.Contains(err.Error(), "empty has no records") {
		t.Error(err)
	}
}

// TestCompactOfAPart checks that points without a record are left out, and that the compact record counts what they lack.
func TestCompactOfAPart(t *testing.T) {
	s := &Study{Name: "part", Version: "1", Replications: 3, Points: Grid(Values("n", 1, 2)),
		Replicate: func(_ context.Context, p Point, _ *rand.Rand) (Record, error) {
			if p.Int("n") == 2 {
				return nil, errors.New("not yet")
			}
			return Record{"x": 1.5}, nil
		}}
	r, _ := s.Run(context.Background(), nil) // its error is that of the failures
	c, err := NewCompact(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Kept) != 1 || c.Kept[0].Point.Int("n") != 1 || c.Failed+c.Missing < 3 {
		t.Errorf("kept %v, %d failed, %d missing", c.Kept, c.Failed, c.Missing)
	}
	if curves, err := c.Curves("x", "", "n"); err != nil || len(curves[0].X) != 1 {
		t.Errorf("curves %v, %v", curves, err)
	}
}
