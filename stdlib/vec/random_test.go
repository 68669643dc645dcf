package vec

import (
	"math"
	"sort"
	"testing"

	"gaucho/stdlib/internal/asm"
)

// TestFillUniform fixes the stream: independent words are in package asm's test
// of Philox, this is what a release must not change.
func TestFillUniform(t *testing.T) {
	levels(func(l asm.Level) {
		all := make([]float64, 1000)
		FillUniform(all, 42, 3)
		for n := range 70 {
			part := make([]float64, n)
			FillUniform(part, 42, 3)
			for i := range part {
				if part[i] != all[i] {
					t.Fatalf("%v: number %d of %d differs", l, i, n)
				}
			}
		}
	})
	var first [3]float64
	FillUniform(first[:], 42, 3)
	long := make([]float64, 200000)
	FillUniform(long, 42, 3)
	if long[0] != first[0] {
		t.Error("a long stream starts differently")
	}
	piece := make([]float64, 1<<15)
	FillUniform(piece, 42, 3)
	for i := range piece {
		if piece[i] != long[i] {
			t.Fatalf("number %d depends on the length", i)
		}
	}
	other := make([]float64, 1000)
	FillUniform(other, 42, 4)
	same := 0
	for i := range other {
		if other[i] == long[i] {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%d of 1000 numbers are equal in two blocks", same)
	}
}

// ksDistance is the largest distance of the empirical distribution of x from f.
func ksDistance(x []float64, f func(float64) float64) float64 {
	x = append([]float64(nil), x...)
	sort.Float64s(x)
	worst, n := 0.0, float64(len(x))
	for i, v := range x {
		p := f(v)
		worst = max(worst, p-float64(i)/n, float64(i+1)/n-p)
	}
	return worst
}

func TestDistributions(t *testing.T) {
	n := 100000
	x := make([]float64, n)
	limit := 1.95 / math.Sqrt(float64(n)) // 0.1 % level
	FillUniform(x, 1, 1)
	for _, v := range x {
		if !(v >= 0 && v < 1) {
			t.Fatalf("uniform number %v", v)
		}
	}
	if d := ksDistance(x, func(v float64) float64 { return v }); d > limit {
		t.Errorf("uniform: distance %v, must be below %v", d, limit)
	}
	FillNormal(x, 1, 1)
	if d := ksDistance(x, func(v float64) float64 { return 0.5 * math.Erfc(-v/math.Sqrt2) }); d > limit {
		t.Errorf("normal: distance %v, must be below %v", d, limit)
	}
	// Pairs of a group share a radius: they must be uncorrelated, squares too.
	var c1, c2 float64
	for i := 0; i+16 <= n; i += 16 {
		for j := range 8 {
			a, b := x[i+j], x[i+j+8]
			c1 += a * b
			c2 += (a*a - 1) * (b*b - 1) / 2
		}
	}
	pairs := float64(n / 2)
	if math.Abs(c1)/math.Sqrt(pairs) > 4 || math.Abs(c2)/math.Sqrt(pairs) > 4 {
		t.Errorf("correlations of pairs: %v, %v standard deviations", c1/math.Sqrt(pairs), c2/math.Sqrt(pairs))
	}
	levels(func(l asm.Level) {
		y := make([]float64, 1500)
		FillNormal(y, 1, 1)
		for i := range y {
			if y[i] != x[i] {
				t.Fatalf("%v: normal number %d is %v, was %v", l, i, y[i], x[i])
			}
		}
	})
}

func TestArgSort(t *testing.T) {
	for _, n := range []int{0, 1, 10, 255, 256, 5000} {
		x := make([]float64, n)
		FillNormal(x, 3, 3)
		for i := range x {
			switch i % 11 {
			case 3:
				x[i] = 0
			case 4:
				x[i] = math.Copysign(0, -1)
			case 5:
				x[i] = math.Inf(1 - i%2*2)
			case 6:
				x[i] = math.NaN()
			}
		}
		idx := ArgSort(nil, x)
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		sort.SliceStable(want, func(a, b int) bool {
			u, v := x[want[a]], x[want[b]]
			return u < v || v != v && u == u
		})
		for i := range idx {
			if idx[i] != want[i] {
				t.Fatalf("n=%d: place %d is %d (%v), want %d (%v)", n, i, idx[i], x[idx[i]], want[i], x[want[i]])
			}
		}
	}
}

// TestFrozen holds the start of a stream. Do not change it: programs depend on
// equal numbers from equal keys.
func TestFrozen(t *testing.T) {
	uniform := []float64{0.44562593499205727, 0.11550436064650016, 0.8966434924679225, 0.7197049572687703, 0.18362412841275944,
		0.18618484545159897, 0.48055641925142234, 0.7109702649519212, 0.5981500017743171, 0.24869197017114142}
	normal := []float64{-0.8861163158072747, 0.004071895345266559, -1.5575207562419735, -1.0228850976624033, -0.18094752299336905,
		0.14056958547904916, -1.1112169215202545, -1.2873448663122264, -0.6281951128740978, 0.49543799874076977}
	u, z := make([]float64, len(uniform)), make([]float64, len(normal))
	FillUniform(u, 42, 3)
	FillNormal(z, 42, 3)
	for i := range u {
		if u[i] != uniform[i] || z[i] != normal[i] {
			t.Errorf("number %d: %v and %v, were %v and %v", i, u[i], z[i], uniform[i], normal[i])
		}
	}
	// The definition, in math's last bits.
	u = make([]float64, 1600)
	z = make([]float64, 1600)
	FillUniform(u, 5, 6)
	FillNormal(z, 5, 6)
	for g := 0; g < len(u); g += 16 {
		for i := g; i < g+8; i++ {
			r := math.Sqrt(-2 * math.Log(1-u[i]))
			s, c := math.Sincos(2 * math.Pi * u[i+8])
			if math.Abs(z[i]-r*c) > 4e-15 || math.Abs(z[i+8]-r*s) > 4e-15 {
				t.Fatalf("pair %d: %v, %v, want %v, %v", i, z[i], z[i+8], r*c, r*s)
			}
		}
	}
}
