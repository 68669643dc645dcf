package rkhs

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/oracle"
)

// TestTwoSamplePeer compares with scipy's exact permutation test: the statistic, the
// support of the null, and the p-value within the error of the draws.
func TestTwoSamplePeer(t *testing.T) {
	var want struct {
		X, Y                    [][]float64
		Bandwidth, Statistic, P float64
		Null                    []float64
	}
	oracle.Read(t, "twosample.json", &want)
	const draws = 20000
	r, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: want.Bandwidth}, oracle.Matrix(want.X), oracle.Matrix(want.Y), draws, rand.New(rand.NewPCG(1, 80)))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "statistic", r.Statistic, want.Statistic, 1e-12)
	near(t, "p-value", r.P, want.P, 4*math.Sqrt(want.P*(1-want.P)/draws))
	seen := map[int]bool{}
	for _, v := range r.Null {
		i := sort.SearchFloat64s(want.Null, v-1e-12)
		if i == len(want.Null) || math.Abs(want.Null[i]-v) > 1e-11 {
			t.Fatalf("%v is no value of the null", v)
		}
		seen[i] = true
	}
	if len(seen) < 455 { // of 462 assignments, each drawn with expectation 43
		t.Errorf("%d values of the null have been drawn, want all 462", len(seen))
	}
}

// TestTwoSampleLevel: under equal laws p-values are at most alpha with probability at
// most alpha, and under others more often; the result does not depend on cores.
func TestTwoSampleLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 80))
	const runs = 600
	rejected := map[float64]int{}
	for range runs {
		for _, shift := range []float64{0, 1} {
			x, y := mat.NewDense(12, 1, nil), mat.NewDense(15, 1, nil)
			for i := range 12 {
				x.Set(i, 0, rng.NormFloat64())
			}
			for i := range 15 {
				y.Set(i, 0, rng.NormFloat64()+shift)
			}
			r, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: 1}, x, y, 99, rng)
			if err != nil {
				t.Fatal(err)
			}
			unbiased, err := MMD2Unbiased(context.Background(), Gaussian{Bandwidth: 1}, x, y)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "statistic", r.Statistic, unbiased, 1e-12)
			if r.P <= 0.1 {
				rejected[shift]++
			}
		}
	}
	if n := rejected[0]; n < 35 || n > 89 { // expectation 60, standard deviation 7.3
		t.Errorf("%d of %d tests of equal laws reject at 0.1", n, runs)
	}
	if n := rejected[1]; n < 360 {
		t.Errorf("%d of %d tests of different laws reject at 0.1", n, runs)
	}
	x, y := mat.NewDense(3, 1, []float64{1, 2, 3}), mat.NewDense(2, 1, []float64{2, 5})
	var first []float64
	for _, cores := range []int{1, 3} {
		before := runtime.GOMAXPROCS(cores)
		r, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: 1}, x, y, 100, rand.New(rand.NewPCG(3, 80)))
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r.Null
		} else if !slices.Equal(first, r.Null) {
			t.Error("the null depends on the number of cores")
		}
	}
	for name, f := range map[string]func() error{
		"one point": func() error {
			_, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: 1}, x, mat.NewDense(1, 1, nil), 9, rng)
			return err
		},
		"permutations": func() error {
			_, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: 1}, x, y, 0, rng)
			return err
		},
		"dimension": func() error {
			_, err := TwoSampleTest(context.Background(), Gaussian{Bandwidth: 1}, x, mat.NewDense(3, 2, nil), 9, rng)
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
