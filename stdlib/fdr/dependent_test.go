package fdr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gaucho/stdlib/internal/oracle"
)

// TestOffline compares with statsmodels.
func TestOffline(t *testing.T) {
	var want struct {
		P, BY, BH []float64
		RejectBY  []bool
	}
	oracle.Read(t, "offline.json", &want)
	by, err := AdjustBY(want.P)
	if err != nil {
		t.Fatal(err)
	}
	bh, err := AdjustBH(want.P)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.P {
		if math.Abs(by[i]-want.BY[i]) > 1e-13 || math.Abs(bh[i]-want.BH[i]) > 1e-13 {
			t.Errorf("adjusted p-values of %d are %v and %v, want %v and %v", i, by[i], bh[i], want.BY[i], want.BH[i])
		}
	}
	reject, err := BenjaminiYekutieli(want.P, 0.1)
	if err != nil || !slices.Equal(reject, want.RejectBY) || !slices.Contains(reject, true) {
		t.Errorf("rejects %v, want %v; %v", reject, want.RejectBY, err)
	}
}

// TestStorey compares q-values with their definition, the least estimate pi0 n t/#{p <=
// t} over t from p, and measures FDR and power of the procedure.
func TestStorey(t *testing.T) {
	rng := rand.New(rand.NewPCG(70, 0))
	const n, runs, alpha, lambda = 200, 400, 0.1, 0.5
	var fdp, power, powerBH float64
	for range runs {
		p := make([]float64, n)
		for i := range p {
			p[i] = rng.Float64()
			if i < n/2 { // half of them are no nulls
				p[i] = math.Pow(p[i], 8)
			}
		}
		q, err := QValues(p, lambda)
		if err != nil {
			t.Fatal(err)
		}
		above := 1.0
		for _, v := range p {
			if v > lambda {
				above++
			}
		}
		share := min(above/(n*(1-lambda)), 1)
		for i := range 10 {
			want := 1.0
			for _, at := range p {
				if at >= p[i] {
					count := 0.0
					for _, v := range p {
						if v <= at {
							count++
						}
					}
					want = min(want, share*n*at/count)
				}
			}
			if math.Abs(q[i]-want) > 1e-13 {
				t.Fatalf("q-value is %v, want %v", q[i], want)
			}
		}
		reject, err := Storey(p, alpha, lambda)
		if err != nil {
			t.Fatal(err)
		}
		bh, _ := BenjaminiHochberg(p, alpha)
		found, wrong := 0.0, 0.0
		for i, r := range reject {
			if r != (q[i] <= alpha && p[i] <= lambda) {
				t.Fatalf("hypothesis %d with q-value %v is rejected: %v", i, q[i], r)
			}
			if r {
				found++
				if i >= n/2 {
					wrong++
				} else {
					power += 2.0 / n / runs
				}
			}
			if bh[i] && i < n/2 {
				powerBH += 2.0 / n / runs
			}
		}
		fdp += wrong / max(found, 1) / runs
	}
	// The standard deviation of a run's share is below 0.04, of the mean below 0.002.
	if fdp > alpha+0.006 || fdp < 0.06 {
		t.Errorf("FDR is %v, want nearly %v", fdp, alpha)
	}
	if !(power > powerBH+0.02) {
		t.Errorf("power is %v, Benjamini-Hochberg's %v", power, powerBH)
	}
	for _, bad := range []float64{-0.1, 1, math.NaN()} {
		if _, err := Storey([]float64{0.1}, 0.1, bad); err == nil {
			t.Errorf("lambda %v is accepted", bad)
		}
	}
	if _, err := QValues(nil, 0.5); err == nil {
		t.Error("no p-values, no error")
	}
}

// TestStoreyWithinQValues: what Storey rejects has q-values of at most alpha, and it may reject fewer where these reach beyond lambda.
func TestStoreyWithinQValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 5))
	fewer := 0
	for range 2000 {
		p := make([]float64, 1+rng.IntN(6))
		for i := range p {
			p[i] = 0.2 * rng.Float64()
		}
		alpha, lambda := 0.05+0.2*rng.Float64(), 0.2*rng.Float64()
		reject, err := Storey(p, alpha, lambda)
		if err != nil {
			t.Fatal(err)
		}
		q, err := QValues(p, lambda)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range reject {
			if r && q[i] > alpha+1e-12 {
				t.Fatalf("%v at %v, lambda %v: hypothesis %d with q-value %v is rejected", p, alpha, lambda, i, q[i])
			}
			if !r && q[i] <= alpha && p[i] <= lambda {
				fewer++
			}
		}
	}
	if fewer == 0 {
		t.Error("Storey never rejects fewer: the documentation says that it may")
	}
}
