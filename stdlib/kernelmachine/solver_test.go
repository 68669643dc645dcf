package kernelmachine

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestRidge: the coefficients solve the system and the gradient of the objective in
// them is 0.
func TestRidge(t *testing.T) {
	data := radialWave(t, 200, 1)
	k, nu := rkhs.Gaussian{Bandwidth: 1}, 0.01
	m, err := Ridge(ctx, k, data.X, data.Y, nu)
	check(t, err)
	gram, err := rkhs.Gram(ctx, k, data.X, nil)
	check(t, err)
	var u, g mat.Dense
	u.Mul(gram, m.Coefficients)
	// Gradient in c of (1/2n)|Kc-y|^2 + nu/2 c'Kc: K((Kc-y)/n + nu c).
	inner := mat.NewDense(200, 1, nil)
	for i := range 200 {
		inner.Set(i, 0, (u.At(i, 0)-data.Y[i])/200+nu*m.Coefficients.At(i, 0))
	}
	g.Mul(gram, inner)
	if v := mat.Norm(&g, 2); v > 1e-8 {
		t.Errorf("gradient is %v", v)
	}
	score, err := m.Score(ctx, data.X, data.Y)
	check(t, err)
	if score < 0.7 || score > 1 {
		t.Errorf("R^2 is %v", score)
	}
	subset, err := SubsetOfData(ctx, k, data.X, data.Y, nu, 200, newRand(1))
	check(t, err)
	a, err := m.Predict(ctx, data.X)
	check(t, err)
	b, err := subset.Predict(ctx, data.X)
	check(t, err)
	if meanSquare(a, b) > 1e-20 {
		t.Error("a subset of all points gives another function")
	}
}

// TestFeatureRidge: with all points as landmarks it is ridge regression.
func TestFeatureRidge(t *testing.T) {
	data := radialWave(t, 60, 1)
	k := rkhs.Gaussian{Bandwidth: 1}
	z, err := NewNystrom(ctx, k, data.X, 60, newRand(1))
	check(t, err)
	got, err := FeatureRidge(ctx, z, data.X, data.Y, 0.01)
	check(t, err)
	want, err := Ridge(ctx, k, data.X, data.Y, 0.01)
	check(t, err)
	a, err := got.Predict(ctx, data.X)
	check(t, err)
	b, err := want.Predict(ctx, data.X)
	check(t, err)
	if e := meanSquare(a, b); e > 1e-16 {
		t.Errorf("mean squared difference is %v", e)
	}
}

// solverProblems are an SVM and a ridge problem with n = 500, nu = 0.01.
func solverProblems(t *testing.T) map[string]func() (DualLoss, *mat.Dense, []float64) {
	return map[string]func() (DualLoss, *mat.Dense, []float64){
		"svm": func() (DualLoss, *mat.Dense, []float64) {
			X, y := classes(500, 1)
			return Hinge{}, X, y
		},
		"ridge": func() (DualLoss, *mat.Dense, []float64) {
			data := radialWave(t, 500, 1)
			return Squared{}, data.X, data.Y
		},
		"smooth svm": func() (DualLoss, *mat.Dense, []float64) {
			X, y := classes(500, 1)
			return SmoothHinge{Width: 0.5}, X, y
		},
	}
}

// TestSolvers: dual coordinate ascent closes its gap, and stochastic gradients, block
// mirror descent and block coordinate descent come near to its objective, on the kernel,
// random features and landmarks.
func TestSolvers(t *testing.T) {
	k := rkhs.Gaussian{Bandwidth: 1}
	for name, problem := range solverProblems(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loss, X, y := problem()
			s := DefaultSolverSettings()
			s.Regularization, s.Passes = 0.01, 50
			closed := func(what string, d *Duality) float64 {
				t.Helper()
				last := len(d.Dual) - 1
				if gap := d.Primal[last] - d.Dual[last]; gap < -1e-12 || gap > 0.01*d.Primal[last] {
					t.Errorf("%s: primal %v and dual %v", what, d.Primal[last], d.Dual[last])
				}
				for i := 1; i <= last; i++ {
					if d.Dual[i] < d.Dual[i-1]-1e-12 {
						t.Errorf("%s: the dual falls from %v to %v", what, d.Dual[i-1], d.Dual[i])
					}
				}
				return d.Dual[last]
			}
			_, d, err := KernelSDCA(ctx, loss, k, X, y, s, newRand(1))
			check(t, err)
			best := closed("kernel", d)

			norma := DefaultSettings()
			norma.Regularization, norma.Batch, norma.Passes = 0.01, 50, 200
			norma.Step, norma.Average, norma.AverageFrom = ShiftedStep(100, 100), true, 1000
			machine, err := NewNORMA(loss, k, norma, newRand(2))
			check(t, err)
			check(t, machine.Fit(ctx, X, y))
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 0.02*want {
					t.Errorf("%s: objective is %v, best is %v", what, got, want)
				}
			}
			near("NORMA", normaObjective(t, machine, X, y, 0.01), best)

			random, err := rkhs.NewRandomFeatures(k, 2, 128, newRand(3))
			check(t, err)
			nystrom, err := NewNystrom(ctx, k, X, 60, newRand(3))
			check(t, err)
			for what, z := range map[string]FeatureMap{"random features": random, "landmarks": nystrom} {
				_, d, err := SDCA(ctx, loss, z, X, y, s, newRand(1))
				check(t, err)
				best := closed(what, d)
				long := *s
				long.Passes, long.Batch, long.Average, long.Project = 200, 25, true, loss == Hinge{}
				long.Step = ShiftedStep(100, 100)
				model, err := Pegasos(ctx, loss, z, X, y, &long, newRand(4))
				check(t, err)
				got, err := model.Objective(ctx, X, y, 0.01)
				check(t, err)
				near("Pegasos, "+what, got, best)

				long.Blocks, long.Passes = 4, 400
				model, err = BlockMirrorDescent(ctx, loss, z, X, y, &long, newRand(4))
				check(t, err)
				got, err = model.Objective(ctx, X, y, 0.01)
				check(t, err)
				near("block mirror descent, "+what, got, best)

				last := math.Inf(1)
				long.Passes = 100
				long.Watch = func(_ int, p Predictor) error {
					v, err := p.(*LinearModel).Objective(ctx, X, y, 0.01)
					if v > last+1e-12 {
						t.Errorf("block coordinate descent, %s: objective grows from %v to %v", what, last, v)
					}
					last = v
					return err
				}
				_, err = BlockCoordinateDescent(ctx, loss, z, X, y, &long, newRand(4))
				if math.IsInf(loss.Smooth(), 1) {
					if err == nil {
						t.Error("block coordinate descent takes a loss with a kink")
					}
					continue
				}
				check(t, err)
				near("block coordinate descent, "+what, last, best)
			}
		})
	}
}

// normaObjective is the objective of NORMA's function, which is in the space.
func normaObjective(t *testing.T, m *Machine, X *mat.Dense, y []float64, nu float64) float64 {
	s := m.basis.(*supports)
	model := &KernelModel{Kernel: m.kernel, loss: m.loss}
	var points, coefficients []float64
	for p := range m.u {
		c := mat.DenseCopyOf(m.past[p])
		m.addMeans(c, p)
		n := min(m.per, m.t-p*m.per) * m.width()
		for i := range n {
			coefficients = append(coefficients, c.At(i, 0)/float64(m.averaged))
			points = append(points, s.points[p].RawRowView(i)...)
		}
	}
	// Many steps saw the same points: coefficients of equal ones are added.
	index := map[[2]float64]int{}
	var px, pc []float64
	for i, c := range coefficients {
		key := [2]float64{points[2*i], points[2*i+1]}
		if at, ok := index[key]; ok {
			pc[at] += c
			continue
		}
		index[key] = len(pc)
		px, pc = append(px, key[:]...), append(pc, c)
	}
	model.X, model.Coefficients = mat.NewDense(len(pc), 2, px), mat.NewDense(len(pc), 1, pc)
	got, err := model.Objective(ctx, X, y, nu)
	check(t, err)
	return got
}

// TestNystrom: with all points as landmarks the features give the kernel.
func TestNystrom(t *testing.T) {
	data := radialWave(t, 40, 1)
	k := rkhs.Gaussian{Bandwidth: 1}
	z, err := NewNystrom(ctx, k, data.X, 40, newRand(1))
	check(t, err)
	phi, err := z.Map(ctx, data.X)
	check(t, err)
	want, err := rkhs.Gram(ctx, k, data.X, nil)
	check(t, err)
	var got mat.Dense
	got.Mul(phi, phi.T())
	if !mat.EqualApprox(&got, want, 1e-6) {
		t.Error("products of features differ from the kernel")
	}
}

// TestLargeDual goes through columns that are not stored.
func TestLargeDual(t *testing.T) {
	data := radialWave(t, gramLimit+4, 1)
	s := DefaultSolverSettings()
	s.Regularization, s.Passes = 0.1, 2
	_, d, err := KernelSDCA(ctx, Squared{}, rkhs.Gaussian{Bandwidth: 1}, data.X, data.Y, s, newRand(1))
	check(t, err)
	if d.Primal[1] < d.Dual[1] || d.Primal[1]-d.Dual[1] > 1e-4 {
		t.Errorf("primal %v and dual %v", d.Primal, d.Dual)
	}
}

// TestCostGrowsLinearly: step t evaluates t times B R features.
func TestCostGrowsLinearly(t *testing.T) {
	data := radialWave(t, 128, 1)
	s := DefaultSettings()
	s.Batch, s.Block = 4, 8
	m, err := New(Squared{}, rkhs.Gaussian{Bandwidth: 1}, s, newRand(1))
	check(t, err)
	for step := 1; step <= 32; step++ {
		before := m.Evaluations()
		check(t, m.PartialFit(ctx, data.X.Slice(0, 4, 0, 2).(*mat.Dense), data.Y[:4]))
		if got := m.Evaluations() - before; got != 32*step {
			t.Fatalf("step %d has %d evaluations, want %d", step, got, 32*step)
		}
	}
}
