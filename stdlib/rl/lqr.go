package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// LinearQuadratic is control of x' = A x + B u + noise, normal with standard deviation
// Noise in each number, at the cost x'Q x + u'R u of the state before the step. The
// state is seen; it starts normal with standard deviation Spread. Actions have no
// bounds and nothing terminates.
type LinearQuadratic struct {
	A, B, Q, R    *mat.Dense // d x d, d x k, d x d and k x k; Q and R symmetric, R positive definite
	Noise, Spread float64
	Steps         int
}

// Name is LinearQuadratic.
func (l *LinearQuadratic) Name() string { return "LinearQuadratic" }

// Dim is d.
func (l *LinearQuadratic) Dim() int { d, _ := l.A.Dims(); return d }

// Limit is Steps.
func (l *LinearQuadratic) Limit() int { return l.Steps }

// Spaces: d numbers are seen, k are the action.
func (l *LinearQuadratic) Spaces() (observation, action Space) {
	d, k := l.B.Dims()
	return Box(d, math.Inf(-1), math.Inf(1)), Box(k, math.Inf(-1), math.Inf(1))
}

// Init draws the state.
func (l *LinearQuadratic) Init(s []float64, rng *rand.Rand) {
	for i := range s {
		s[i] = l.Spread * rng.NormFloat64()
	}
}

// Step applies the action.
func (l *LinearQuadratic) Step(s, action []float64, rng *rand.Rand) (float64, bool) {
	cost := quadratic(l.Q, s) + quadratic(l.R, action)
	next := make([]float64, len(s))
	for i := range s {
		next[i] = vec.Dot(l.A.RawRowView(i), s) + vec.Dot(l.B.RawRowView(i), action)
		if l.Noise > 0 {
			next[i] += l.Noise * rng.NormFloat64()
		}
	}
	copy(s, next)
	return -cost, false
}

// quadratic returns x'm x.
func quadratic(m *mat.Dense, x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * vec.Dot(m.RawRowView(i), x)
	}
	return sum
}

// Observe shows the state.
func (l *LinearQuadratic) Observe(o, s []float64) { copy(o, s) }

// Scene shows each number of the state as a bar.
func (l *LinearQuadratic) Scene(s []float64) Scene {
	shapes := []Shape{line(-0.5, 0, float64(len(s))-0.5, 0, 0.02, inkColor)}
	for i, v := range s {
		shapes = append(shapes, box(float64(i)-0.3, 0, float64(i)+0.3, v, bodyColor))
	}
	return Scene{-0.6, float64(len(s)) - 0.4, -3, 3, shapes}
}

// A LinearSolution is the optimal policy N(-Gain x, Covariance) of linear-quadratic
// control and its value -x'Cost x + Constant.
type LinearSolution struct {
	Gain, Cost, Covariance *mat.Dense
	Constant               float64
}

// Riccati solves discounted linear-quadratic control by iterating the Riccati
// difference equation until the cost matrix P moves by less than 1e-13 of itself: P = Q
// + g A'P A - g^2 A'P B (R + g B'P B)^-1 B'P A, with the gain K = g (R + g B'P B)^-1 B'P A. For
// lambda > 0 the value includes lambda times the policy's entropy (Dai 2018, equation
// 6.5, where the sum is an integral): P and K stay, the policy has the covariance
// lambda/2 (R + g B'P B)^-1.
func (l *LinearQuadratic) Riccati(ctx context.Context, discount, lambda float64) (*LinearSolution, error) {
	if err := checkDiscount(discount); err != nil {
		return nil, err
	}
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return nil, fmt.Errorf("rl: lambda is %v, must be at least 0", lambda)
	}
	d, k := l.B.Dims()
	p := mat.DenseCopyOf(l.Q)
	var curvature, gain mat.Dense
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var pa, pb, cross, next, used mat.Dense
		pa.Mul(p, l.A)
		pb.Mul(p, l.B)
		curvature.Mul(l.B.T(), &pb)
		curvature.Scale(discount, &curvature)
		curvature.Add(&curvature, l.R)
		cross.Mul(l.B.T(), &pa)
		cross.Scale(discount, &cross)
		if err := gain.Solve(&curvature, &cross); err != nil {
			return nil, fmt.Errorf("rl: Riccati equation: %w", err)
		}
		next.Mul(l.A.T(), &pa)
		next.Scale(discount, &next)
		next.Add(&next, l.Q)
		used.Mul(cross.T(), &gain)
		next.Sub(&next, &used)
		change, size := 0.0, 0.0
		for i := range d {
			for j := range d {
				change, size = max(change, math.Abs(next.At(i, j)-p.At(i, j))), max(size, math.Abs(next.At(i, j)))
			}
		}
		p.Copy(&next)
		if size-size != 0 {
			return nil, fmt.Errorf("rl: the cost of linear-quadratic control is not finite")
		}
		if change <= 1e-13*size {
			break
		}
	}
	s := &LinearSolution{Gain: &gain, Cost: p, Covariance: mat.NewDense(k, k, nil)}
	s.Constant = -discount * l.Noise * l.Noise * mat.Trace(p)
	if lambda > 0 {
		var inverse mat.Dense
		if err := inverse.Inverse(&curvature); err != nil {
			return nil, fmt.Errorf("rl: Riccati equation: %w", err)
		}
		s.Covariance.Scale(lambda/2, &inverse)
		s.Constant += lambda / 2 * (float64(k)*vec.Log1(math.Pi*lambda) - vec.Log1(mat.Det(&curvature)))
	}
	s.Constant /= 1 - discount
	return s, nil
}
