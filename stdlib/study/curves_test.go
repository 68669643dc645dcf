package study

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// curved has replications 1, 2, 4, 8 times a power of n.
func curved(t *testing.T, points []Point) *Results {
	t.Helper()
	s := &Study{Name: "curved", Points: points, Replications: 4, Seed: 1, Paired: points[0].Names(), AnyNumber: true}
	count := map[string]float64{}
	s.Replicate = func(_ context.Context, p Point, _ *rand.Rand) (Record, error) {
		key := p.Key()
		scale := math.Exp2(count[key])
		count[key]++
		path := []float64{}
		for k := 1; k <= 6; k++ {
			path = append(path, scale/float64(k*k))
		}
		path = path[:6-int(math.Log2(scale))%2]
		r := Record{"path": path, "flat": scale}
		if n, ok := p.Value("n"); ok {
			exponent := map[string]float64{"slow": -.5, "fast": -1}[p.Text("method")]
			r["error"] = scale * math.Pow(n.(float64), exponent)
		}
		return r, nil
	}
	res, err := s.Run(context.Background(), &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestLeast: the point of a grid with the least mean, of those that match; what has no such field or no point is an error.
func TestLeast(t *testing.T) {
	r := curved(t, Grid(Values("n", 4., 1., 16.), Values("method", "slow", "fast")))
	for method, pairs := range map[string][]any{"fast": nil, "slow": {"method", "slow"}} {
		p, err := Least(r, "error", pairs...)
		if err != nil || p.Text("method") != method || p.Float("n") != 16 {
			t.Errorf("%v: %v, %v", pairs, p, err)
		}
	}
	for want, pairs := range map[string][]any{"errors": nil, "no point with method=none; the values of method are": {"method", "none"}} {
		field := "error"
		if pairs == nil {
			field = "errors"
		}
		if _, err := Least(r, field, pairs...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", pairs, err, want)
		}
	}
}

func TestCurves(t *testing.T) {
	r := curved(t, Grid(Values("n", 4., 1., 16.), Values("method", "slow", "fast"), Values("d", 1., 2.)))
	c, err := r.Curves("error", "method", "n", "d", 2.)
	if err != nil {
		t.Fatal(err)
	}
	// Quartiles of 1, 2, 4, 8 are 1.75, 3, 5.
	want := [][]float64{{1, 4, 16}, {3, 1.5, .75}, {1.75, .875, .4375}, {5, 2.5, 1.25}}
	name, x, middle, lo, hi := c.Curve(0)
	if got := [][]float64{x, middle, lo, hi}; name != "slow" || !reflect.DeepEqual(got, want) || c.Len() != 2 {
		t.Errorf("%s %v, want %v", name, got, want)
	}
	for i, rate := range []float64{-.5, -1} {
		if got, se := c[i].Rate(0); math.Abs(got-rate) > 1e-12 || se > 1e-12 {
			t.Errorf("rate of %s is %v ± %v, want %v", c[i].Name, got, se, rate)
		}
	}
	if got := c.WithRates("n", 0)[1].Name; got != "fast, $n^{-1.00}$" {
		t.Error(got)
	}
	if got, _ := c[0].Rate(5); !math.IsNaN(got) {
		t.Errorf("rate of one point is %v", got)
	}
	for want, args := range map[string][]any{
		"two points of slow have n 4":                      {"error", "method", "n"},
		"has no parameter speed":                           {"error", "speed", "n"},
		"has no parameter m":                               {"error", "method", "m", "d", 1.},
		"parameter method is a string":                     {"error", "d", "method", "n", 1.},
		"have no field weight":                             {"weight", "method", "n", "d", 1.},
		"has no point with d=3; the values of d are [1 2]": {"error", "method", "n", "d", 3.},
		"field error is a float64, must be":                {"error", "method", ""},
	} {
		if _, err := r.Curves(args[0].(string), args[1].(string), args[2].(string), args[3:]...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", args, err, want)
		}
	}
}

func TestCurvesOfPaths(t *testing.T) {
	r := curved(t, Grid(Values("method", "a", "b")))
	c, err := r.Curves("path", "method", "")
	if err != nil {
		t.Fatal(err)
	}
	// The second and fourth replications end one step earlier: at 6 there are those of scale 1 and 4 only.
	if x, m := c[1].X, c[1].Median; len(x) != 6 || x[5] != 6 || math.Abs(m[1]-.75) > 1e-15 || math.Abs(m[5]-2.5/36) > 1e-15 {
		t.Errorf("%v %v", x, m)
	}
	if got, _ := c[0].Rate(2); math.Abs(got+2) > 1e-12 {
		t.Errorf("rate %v, want -2", got)
	}
	one, err := r.Curves("path", "", "", "method", "b")
	if err != nil || one[0].Name != "path" || one.Len() != 1 {
		t.Errorf("%v %v", one, err)
	}
}

func TestCurvesAlongAnotherPath(t *testing.T) {
	visits := map[string][]float64{"a": {10, 20, 40}, "b": {5, 50, 500}}
	s := &Study{Name: "along", Points: Grid(Values("method", "a", "b")), Replications: 3, Seed: 1}
	s.Replicate = func(_ context.Context, p Point, _ *rand.Rand) (Record, error) {
		name := p.Text("method")
		return Record{"errors": []float64{3, 2, 1}, "visits": visits[name], "short": visits[name][:2]}, nil
	}
	res, err := s.Run(context.Background(), &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	compact, err := NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range []Findings{res, compact} {
		curves := func(field string, pairs ...any) Curves {
			c, err := found.Curves(field, "method", "", pairs...)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		c, err := curves("errors").Along(curves("visits"))
		if err != nil {
			t.Fatal(err)
		}
		for _, curve := range c {
			if !reflect.DeepEqual(curve.X, visits[curve.Name]) || !reflect.DeepEqual(curve.Median, []float64{3, 2, 1}) {
				t.Errorf("%T: %s has %v at %v", found, curve.Name, curve.Median, curve.X)
			}
		}
		if _, err := curves("errors").Along(curves("visits", "method", "a")); err == nil || !strings.Contains(err.Error(), "no curve b") {
			t.Errorf("%T: %v", found, err)
		}
		if _, err := curves("errors").Along(curves("short")); err == nil || !strings.Contains(err.Error(), "no value at place 3") {
			t.Errorf("%T: %v", found, err)
		}
	}
}
