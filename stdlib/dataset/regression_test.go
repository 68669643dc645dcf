package dataset

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// TestGenerators checks what the specification of each generator says of it.
func TestGenerators(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	wave, err := RadialWave(20000, rng)
	if err != nil {
		t.Fatal(err)
	}
	var mean, square float64 // of the function, on a grid
	for i := range 500 {
		for j := range 500 {
			r := math.Hypot(-5+0.02*(float64(i)+0.5), -5+0.02*(float64(j)+0.5))
			f := math.Cos(math.Pi/2*r) * math.Exp(-math.Pi/10*r)
			mean, square = mean+f/250000, square+f*f/250000
		}
	}
	if v, want := stat.Variance(wave.Truth, nil), square-mean*mean; math.Abs(v-want) > 0.003 {
		t.Errorf("variance of the wave is %v, want %v", v, want)
	}
	adult, err := AdultLike(5000, rng)
	if err != nil {
		t.Fatal(err)
	}
	var positive, bayes float64
	for i, p := range adult.Truth {
		positive += (1 + adult.Y[i]) / 2 / 5000
		bayes += min(p, 1-p) / 5000
		if s := mat.Sum(adult.X.RowView(i)); s != 14 {
			t.Fatalf("point %d has %v bits, want 14", i, s)
		}
	}
	if math.Abs(positive-0.24) > 0.02 || math.Abs(bayes-0.14) > 1e-3 {
		t.Errorf("%.3f are positive, the best rule errs in %.4f, want 0.24 and 0.14", positive, bayes)
	}
	cells, err := VoronoiCells(2000, 2, 10, rng)
	if err != nil {
		t.Fatal(err)
	}
	part, rest, err := cells.Split(500, rng)
	if err != nil || part.Len() != 500 || rest.Len() != 1500 {
		t.Fatalf("parts of %d and %d points; %v", part.Len(), rest.Len(), err)
	}
}

func TestDigits(t *testing.T) {
	d, err := Digits()
	if err != nil {
		t.Fatal(err)
	}
	count := make([]int, 10)
	for _, y := range d.Y {
		count[int(y)]++
	}
	if n := len(d.Y); n != 1797 || count[0] != 178 || count[8] != 174 || mat.Max(d.X) != 1 {
		t.Errorf("%d digits, %v of each, pixels up to %v", n, count, mat.Max(d.X))
	}
	rng := rand.New(rand.NewPCG(3, 18))
	more, err := JitterDigits(d, 100, rng)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if s := mat.Sum(more.X.RowView(i)); s < 3 || s > 40 {
			t.Errorf("jittered digit %d has the sum %v", i, s)
		}
	}
	// Neither turned nor moved, an image is itself; moved by one it is shifted.
	image, same, moved := make([]float64, 64), make([]float64, 64), make([]float64, 64)
	copy(image, d.X.RawRowView(0))
	jitter(same, image, 0, 0, 0)
	jitter(moved, image, 0, 1, 0)
	for i := range 64 {
		if same[i] != image[i] || i%8 > 0 && moved[i] != image[i-1] {
			t.Fatalf("pixel %d is %v and %v", i, same[i], moved[i])
		}
	}
	features, err := ConvolveDigits(d.X, 16, rng)
	if err != nil {
		t.Fatal(err)
	}
	if _, c := features.Dims(); c != 144 || mat.Min(features) < 0 {
		t.Errorf("%d features, at least %v", c, mat.Min(features))
	}
	pca, err := NewPCA(context.Background(), d.X, 5)
	if err != nil {
		t.Fatal(err)
	}
	z, err := pca.Project(d.X)
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for c := range 5 {
		column := mat.Col(nil, c, z)
		mean, v := stat.MeanVariance(column, nil)
		if math.Abs(mean) > 1e-10 || v > last {
			t.Errorf("direction %d has mean %v and variance %v after %v", c, mean, v, last)
		}
		last = v
	}
}

// TestMolecules: the representation does not depend on the order of atoms but by noise,
// and the energy of two atoms is by hand.
func TestMolecules(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 18))
	ms, err := Molecules(50, 8, rng)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ms {
		f, err := CoulombFeatures(&ms[i], 8, 1, 5, rng)
		if err != nil || len(f) != 36*7 {
			t.Fatalf("%d features; %v", len(f), err)
		}
		n := len(ms[i].Charge)
		if n < 3 || n > 8 {
			t.Errorf("%d atoms", n)
		}
		// The diagonal holds 0.5 Z^2.4 in some order: the middle of the seven numbers.
		want, got := 0.0, 0.0
		for _, z := range ms[i].Charge {
			want += math.Tanh(0.5 * math.Pow(z, 2.4) / 5)
		}
		for r, at := 0, 0; r < 8; r++ {
			got += f[7*at+3]
			at += 8 - r
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("diagonal has the sum %v, want %v", got, want)
		}
	}
	// Without noise rows fall in norm; with much of it the heaviest atom is first in one order of three.
	three := &Molecule{[]float64{1, 8, 6}, mat.NewDense(3, 3, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0}), 0}
	first := 0
	for range 3000 {
		still, err := CoulombMatrix(three, 4, 0, rng)
		if err != nil {
			t.Fatal(err)
		}
		if d := []float64{still.At(0, 0), still.At(1, 1), still.At(2, 2), still.At(3, 3)}; d[0] < d[1] || d[1] < d[2] || d[2] != 0.5 || d[3] != 0 {
			t.Fatalf("diagonal %v without noise, must fall", d)
		}
		if still.At(0, 1) != 48/math.Sqrt2 || still.At(1, 0) != still.At(0, 1) {
			t.Fatalf("charges 8 and 6 at the distance sqrt 2 give %v, must be 48/sqrt 2", still.At(0, 1))
		}
		mixed, err := CoulombMatrix(three, 4, 1e6, rng)
		if err != nil {
			t.Fatal(err)
		}
		if mixed.At(0, 0) == still.At(0, 0) {
			first++
		}
	}
	if first < 900 || first > 1100 {
		t.Errorf("the heaviest of three atoms is first in %d of 3000 orders, want about 1000", first)
	}
	if _, err := CoulombMatrix(three, 2, 0, rng); err == nil {
		t.Error("three atoms fit into two rows")
	}
}
