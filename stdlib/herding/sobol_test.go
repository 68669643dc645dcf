package herding

import (
	"math/rand/v2"
	"testing"
)

func TestSobolFirstPoints(t *testing.T) {
	want := [][]float64{
		{0, 0, 0, 0, 0},
		{.5, .5, .5, .5, .5},
		{.75, .25, .25, .25, .75},
		{.25, .75, .75, .75, .25},
		{.375, .375, .625, .875, .375},
		{.875, .875, .125, .375, .875},
		{.625, .125, .875, .625, .625},
		{.125, .625, .375, .125, .125},
	}
	s, err := NewSobol(5, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 5)
	for i, w := range want {
		s.Next(x)
		for j := range x {
			if x[j] != w[j] {
				t.Errorf("point %d is %v, want %v", i, x, w)
				break
			}
		}
	}
}

// stratified fails the test unless each of the points, in each coordinate, has
// an interval of length 1/len(points) to itself.
func stratified(t *testing.T, name string, points [][]float64) {
	t.Helper()
	n := len(points)
	for j := range points[0] {
		seen := make([]bool, n)
		for _, x := range points {
			c := int(x[j] * float64(n))
			if x[j] < 0 || x[j] >= 1 || seen[c] {
				t.Fatalf("%s: coordinate %d is not stratified over %d points", name, j, n)
			}
			seen[c] = true
		}
	}
}

func TestSobolIsStratified(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, random := range []string{"plain", "shift", "scramble"} {
		for _, n := range []int{2, 16, 256, 1024} {
			s, err := NewSobol(maxSobol, 0)
			if err != nil {
				t.Fatal(err)
			}
			switch random {
			case "shift":
				s.Shift(rng)
			case "scramble":
				s.Scramble(rng)
			}
			for range 3 { // aligned blocks, one after the other
				var block [][]float64
				for range n {
					x := make([]float64, s.Dim())
					s.Next(x)
					block = append(block, x)
				}
				stratified(t, random, block)
			}
		}
	}
}

func TestSobolSkip(t *testing.T) {
	a, _ := NewSobol(21, 0)
	x, y := make([]float64, 21), make([]float64, 21)
	for skip := range 300 {
		b, err := NewSobol(21, skip)
		if err != nil {
			t.Fatal(err)
		}
		a.Next(x)
		b.Next(y)
		for j := range x {
			if x[j] != y[j] {
				t.Fatalf("point %d after skipping is %v, want %v", skip, y, x)
			}
		}
	}
	for _, c := range [][2]int{{0, 0}, {22, 0}, {3, -1}} {
		if _, err := NewSobol(c[0], c[1]); err == nil {
			t.Errorf("no error for dimension %d, skip %d", c[0], c[1])
		}
	}
}

func TestHalton(t *testing.T) {
	h, err := NewHalton(3, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0, 0, 0}, {1. / 2, 1. / 3, 1. / 5}, {1. / 4, 2. / 3, 2. / 5}, {3. / 4, 1. / 9, 3. / 5}, {1. / 8, 4. / 9, 4. / 5}}
	x := make([]float64, 3)
	for i, w := range want {
		h.Next(x)
		for j := range x {
			near(t, "coordinate", x[j], w[j], 1e-15)
		}
		_ = i
	}
	h.Shift(rand.New(rand.NewPCG(1, 1)))
	for range 100 {
		h.Next(x)
		for _, v := range x {
			if v < 0 || v >= 1 {
				t.Fatalf("shifted coordinate %v", v)
			}
		}
	}
	if _, err := NewHalton(0, 0); err == nil {
		t.Error("no error for dimension 0")
	}
}

// TestSobolRange compares ranges, also of parts, with points taken one by one.
func TestSobolRange(t *testing.T) {
	for _, randomise := range []func(*Sobol, *rand.Rand){func(*Sobol, *rand.Rand) {}, (*Sobol).Shift, (*Sobol).Scramble} {
		q, err := NewSobol(5, 0)
		if err != nil {
			t.Fatal(err)
		}
		randomise(q, rand.New(rand.NewPCG(1, 2)))
		for _, from := range []int{0, 1, 37, 1000, 1<<32 - 40} {
			got := make([][]float64, 5)
			for j := range got {
				got[j] = make([]float64, 40)
			}
			q.Range(got, from)
			q.Seek(from)
			want := make([]float64, 5)
			for i := range 40 {
				q.Next(want)
				for j, v := range want {
					if got[j][i] != v {
						t.Fatalf("from %d: coordinate %d of point %d is %v, want %v", from, j, i, got[j][i], v)
					}
				}
			}
		}
	}
}
