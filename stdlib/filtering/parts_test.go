package filtering

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gaucho/stdlib/vec"
)

// TestTotals compares sums that blocks find with those of package vec, to the bit.
func TestTotals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{1, 4, 5, 4095, 4096, 4097, 4098, 4099, 4100, 4101, 20000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		var f Filter
		if got, want := f.total(n, func(_ *Filter, lo, hi int) float64 { return vec.Sum(x[lo:hi]) }), vec.Sum(x); got != want {
			t.Errorf("sum of %d is %v, want %v", n, got, want)
		}
		if got, want := f.total(n, func(_ *Filter, lo, hi int) float64 { return vec.Dot(x[lo:hi], x[lo:hi]) }), vec.Dot(x, x); got != want {
			t.Errorf("squares of %d are %v, want %v", n, got, want)
		}
	}
}

// TestStrata compares the ancestors of all numbers, and of parts of them, with a
// search for each number.
func TestStrata(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	for range 200 {
		w := make([]float64, 1+rng.IntN(50))
		for i := range w {
			w[i] = float64(rng.IntN(5)) // integers: sums are exact
		}
		w[rng.IntN(len(w))]++
		total := vec.Sum(w)
		n := int(total) * (1 + rng.IntN(3))
		for _, scheme := range []Resampling{Stratified, Systematic} {
			var q strata
			q.draw(scheme, n, rng)
			scaled := make([]float64, len(w))
			vec.Scale(scaled, 1/total, w)
			q.count(scaled)
			got := make([]int, n)
			q.pick(got, 0)
			parts := make([]int, n)
			for lo := 0; lo < n; lo += 7 {
				q.pick(parts[lo:min(lo+7, n)], lo)
			}
			if !slices.Equal(got, parts) {
				t.Fatalf("%v: %v, in parts %v", scheme, got, parts)
			}
			for i, j := range got {
				u := q.shift
				if scheme == Stratified {
					u = q.u[i]
				}
				var want int
				for s := w[0]; (float64(i)+u)/float64(n)*total >= s; s += w[want] {
					want++
				}
				if j != want {
					t.Fatalf("%v: number %d of %d has %d, want %d", scheme, i, n, j, want)
				}
			}
		}
	}
}
