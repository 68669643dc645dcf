package filtering

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// Poles of the two linear systems of Lacoste-Julien et al. 2015, section 4.2: one
// number of each conjugate pair.
var (
	poles3  = []complex128{-.2825, -.3669 + .0379i}
	poles15 = []complex128{.2456 + .6594i, .4833, .3329, .0882 + .2512i, -.1485, -.8045, -.4848,
		-.5252 + .0368i, -.6692 + .0612i, -.6604, -.6680}
)

// LinearBenchmark returns a linear Gaussian model in dimension 3 or 15 with the
// poles of Lacoste-Julien et al. 2015, section 4.2, unit state noise and a scalar
// observation with noise variance 0.1. The paper does not print its matrices:
// this is a fixed instance with A = Q'DQ for a product Q of rotations by the
// angles 0.4 + 0.3 i + 0.7 j in the planes (i, j), and C_j = cos 1.7 j + sin(0.9 j)/2.
func LinearBenchmark(d int) (*LinearGaussian, error) {
	poles := poles3
	switch d {
	case 3:
	case 15:
		poles = poles15
	default:
		return nil, fmt.Errorf("filtering: dimension of the linear benchmark is %d, must be 3 or 15", d)
	}
	q := identity(d)
	for i := 1; i <= d; i++ {
		for j := i + 1; j <= d; j++ {
			sin, cos := vec.SinCos1(0.4 + 0.3*float64(i) + 0.7*float64(j))
			g := identity(d)
			g.Set(i-1, i-1, cos)
			g.Set(j-1, j-1, cos)
			g.Set(i-1, j-1, -sin)
			g.Set(j-1, i-1, sin)
			q = linalg.Mul(nil, q, g)
		}
	}
	c := mat.NewDense(1, d, nil)
	for j := range d {
		c.Set(0, j, vec.Cos1(1.7*float64(j+1))+0.5*vec.Sin1(0.9*float64(j+1)))
	}
	return benchmarkFrom(poles, q, c), nil
}

// RandomLinear returns a linear Gaussian model with given poles (one number of
// each conjugate pair), a random rotation, and random observation coefficients,
// of which a quarter is 0, drawn again until the system is observable; noises as
// in [LinearBenchmark]. Poles must lie inside the unit circle.
func RandomLinear(poles []complex128, rng *rand.Rand) (*LinearGaussian, error) {
	if rng == nil {
		return nil, fmt.Errorf("filtering: rng is nil, must be a source of random numbers")
	}
	d := 0
	for _, p := range poles {
		if m := math.Hypot(real(p), imag(p)); !(m < 1) {
			return nil, fmt.Errorf("filtering: pole %v has modulus %v, must be below 1", p, m)
		}
		d++
		if imag(p) != 0 {
			d++
		}
	}
	if d == 0 {
		return nil, fmt.Errorf("filtering: there are no poles")
	}
	q := randomRotation(d, rng)
	for range 1000 {
		c := mat.NewDense(1, d, nil)
		for j := range d {
			if rng.Float64() < .75 {
				c.Set(0, j, rng.NormFloat64())
			}
		}
		m := benchmarkFrom(poles, q, c)
		if observable(m.A, m.C) {
			return m, nil
		}
	}
	return nil, fmt.Errorf("filtering: no observable system with the poles %v in 1000 draws", poles)
}

// randomRotation returns a uniformly random orthogonal matrix: normal rows, made
// orthogonal one after the other, twice for the sake of rounding.
func randomRotation(d int, rng *rand.Rand) *mat.Dense {
	q := mat.NewDense(d, d, nil)
	for i := range d {
		x := q.RawRowView(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		for range 2 {
			for j := range i {
				y := q.RawRowView(j)
				vec.Axpy(x, -vec.Dot(x, y), y)
			}
		}
		vec.Scale(x, 1/math.Sqrt(vec.Dot(x, x)), x)
	}
	return q
}

// benchmarkFrom returns the model with A = Q'DQ.
func benchmarkFrom(poles []complex128, q, c *mat.Dense) *LinearGaussian {
	d, _ := q.Dims()
	blocks := mat.NewDense(d, d, nil)
	at := 0
	for _, p := range poles {
		blocks.Set(at, at, real(p))
		if imag(p) != 0 {
			blocks.Set(at, at+1, imag(p))
			blocks.Set(at+1, at, -imag(p))
			blocks.Set(at+1, at+1, real(p))
			at++
		}
		at++
	}
	a := linalg.Mul(nil, linalg.MulTransA(nil, q, blocks), q)
	return &LinearGaussian{A: a, C: c, Q: symIdentity(d), R: mat.NewSymDense(1, []float64{.1}),
		InitialMean: make([]float64, d), InitialCov: symIdentity(d)}
}

// observable says whether C, CA, CA^2, ... span the space, with room to spare.
func observable(A, C *mat.Dense) bool {
	d, _ := A.Dims()
	o := mat.NewDense(d, d, nil)
	row := C.RawRowView(0)
	for i := range d {
		o.SetRow(i, row)
		row = linalg.MulTransVec(nil, A, row)
	}
	var svd mat.SVD
	if !svd.Factorize(o, mat.SVDNone) {
		return false
	}
	values := svd.Values(nil)
	return values[d-1] > 1e-12*values[0]
}

// JumpBenchmark returns a jump Markov linear model with the poles and the
// transition probabilities of Lacoste-Julien et al. 2015, section 4.2; the paper
// does not print the other matrices, and these are a fixed choice.
func JumpBenchmark() *JumpMarkov {
	rotated := func(angle, a, b float64) *mat.Dense {
		sin, cos := vec.SinCos1(angle)
		rot := mat.NewDense(2, 2, []float64{cos, -sin, sin, cos})
		return linalg.MulTransB(nil, linalg.Mul(nil, rot, mat.NewDense(2, 2, []float64{a, 0, 0, b})), rot)
	}
	square := func(data ...float64) *mat.SymDense {
		f := mat.NewDense(2, 2, data)
		return congruence(f, symIdentity(2))
	}
	return &JumpMarkov{
		Transition:   mat.NewDense(2, 2, []float64{.7, .3, .3, .7}),
		InitialModes: []float64{.5, .5},
		InitialMean:  []float64{0, 0},
		InitialCov:   symIdentity(2),
		Modes: []LinearMode{
			{A: rotated(math.Pi/5, -.4429, .0937), C: mat.NewDense(1, 2, []float64{1, .5}),
				Q: square(1, .2, 0, .8), R: mat.NewSymDense(1, []float64{.4 * .4})},
			{A: rotated(-math.Pi/3, -.6576, .3109), C: mat.NewDense(1, 2, []float64{-.6, 1.2}),
				Q: square(1.4, -.3, .5, 1.1), R: mat.NewSymDense(1, []float64{.7 * .7})},
		},
	}
}

func identity(d int) *mat.Dense {
	m := mat.NewDense(d, d, nil)
	for i := range d {
		m.Set(i, i, 1)
	}
	return m
}

func symIdentity(d int) *mat.SymDense {
	m := mat.NewSymDense(d, nil)
	for i := range d {
		m.SetSym(i, i, 1)
	}
	return m
}
