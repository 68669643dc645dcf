package hypothesis

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// resampled is what SciPy found: testdata/resample.py has the commands.
type resampled struct {
	Spread []struct {
		Groups       [][]float64
		Statistic, P float64
	}
	Pairs []struct {
		Groups                   [][]float64
		Level                    float64
		P, Difference, Low, High [][]float64
	}
	Boot []struct {
		X, Draws, Percentile, Bca []float64
		Statistic                 string
		SE                        float64
	}
	Permuted []struct {
		X, Y          []float64
		Less, Greater float64
		Two           float64 `json:"two-sided"`
	}
}

func sciPy(t *testing.T) (r resampled) {
	t.Helper()
	data, err := os.ReadFile("testdata/resample.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLevene(t *testing.T) {
	for _, c := range sciPy(t).Spread {
		r, err := Levene(c.Groups...)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(r.Statistic-c.Statistic) > 1e-10*c.Statistic || math.Abs(r.P-c.P) > 1e-10 {
			t.Errorf("Levene of %v: %v, p %v; SciPy has %v, %v", c.Groups, r.Statistic, r.P, c.Statistic, c.P)
		}
	}
	if _, err := Levene([]float64{1, 2}, []float64{3}); err == nil {
		t.Error("Levene takes a sample of one value")
	}
}

// TestTukey: SciPy integrates numerically too, to about 1e-9.
func TestTukey(t *testing.T) {
	for _, c := range sciPy(t).Pairs {
		got, err := Tukey(c.Level, c.Groups...)
		if err != nil {
			t.Fatal(err)
		}
		if k := len(c.Groups); len(got) != k*(k-1)/2 {
			t.Errorf("%d pairs of %d samples", len(got), k)
		}
		for _, p := range got {
			i, j := p.First, p.Second
			width := c.High[i][j] - c.Low[i][j]
			for _, v := range [][3]float64{{p.Difference, c.Difference[i][j], 1e-12}, {p.P, c.P[i][j], 1e-8}, {p.Low, c.Low[i][j], 1e-5 * width}, {p.High, c.High[i][j], 1e-5 * width}} {
				if math.Abs(v[0]-v[1]) > v[2] {
					t.Errorf("samples %d and %d of %v at %v: %+v, SciPy has %v instead of %v", i, j, c.Groups, c.Level, p, v[1], v[0])
				}
			}
		}
	}
}

// TestStudentizedRange: the range of two values is √2 times the distance that Student's t measures.
func TestStudentizedRange(t *testing.T) {
	for _, df := range []float64{1, 2, 5, 30, 1000} {
		for _, q := range []float64{0.5, 2, 4, 7} {
			var r Result
			r.Statistic = q / math.Sqrt2
			r.tailsT(df)
			if got := studentizedTail(q, 2, df); math.Abs(got-r.P) > 1e-9 {
				t.Errorf("range of two values above %v with %v degrees of freedom: %v, want %v", q, df, got, r.P)
			}
		}
	}
}

// TestBootstrap compares the intervals with SciPy's for the same draws.
func TestBootstrap(t *testing.T) {
	statistics := map[string]func([]float64) float64{
		"mean":   func(x []float64) float64 { return stat.Mean(x, nil) },
		"median": median,
		"std":    func(x []float64) float64 { return stat.PopStdDev(x, nil) },
	}
	for _, c := range sciPy(t).Boot {
		f := statistics[c.Statistic]
		r := &Resampled{Estimate: f(c.X), Draws: sortedCopy(c.Draws), acceleration: acceleration(c.X, f)}
		for want, interval := range map[*[]float64]func(float64) (float64, float64){&c.Percentile: r.Percentile, &c.Bca: r.Interval} {
			if low, high := interval(0.9); math.Abs(low-(*want)[0]) > 1e-9 || math.Abs(high-(*want)[1]) > 1e-9 {
				t.Errorf("%s: from %v to %v, SciPy has %v", c.Statistic, low, high, *want)
			}
		}
		// Means of resamples have the variance (n-1)/n² times that of the sample.
		if c.Statistic == "mean" {
			drawn, err := Bootstrap(context.Background(), c.X, f, 20_000, rand.New(rand.NewPCG(1, 2)))
			n := float64(len(c.X))
			if want := stat.PopStdDev(c.X, nil) / math.Sqrt(n); err != nil || math.Abs(drawn.SE/want-1) > 0.03 {
				t.Errorf("the standard error of the mean is %v, want %v (%v)", drawn.SE, want, err)
			}
		}
	}
}

func TestPermutation(t *testing.T) {
	difference := func(x, y []float64) float64 { return stat.Mean(x, nil) - stat.Mean(y, nil) }
	for _, c := range sciPy(t).Permuted {
		r, err := Permutation(context.Background(), c.X, c.Y, difference, 10_000, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Exact || math.Abs(r.P-c.Two) > 1e-12 || math.Abs(r.Less-c.Less) > 1e-12 || math.Abs(r.Greater-c.Greater) > 1e-12 {
			t.Errorf("%v and %v: %+v, SciPy has %v, %v, %v", c.X, c.Y, r, c.Two, c.Less, c.Greater)
		}
		drawn, err := Permutation(context.Background(), c.X, c.Y, difference, 50, rand.New(rand.NewPCG(1, 2)))
		if err != nil || drawn.Exact || math.Abs(drawn.Less-c.Less) > 4*0.5/math.Sqrt(50) {
			t.Errorf("with 50 of the assignments: %+v, %v; all have %v", drawn, err, c.Less)
		}
	}
}
