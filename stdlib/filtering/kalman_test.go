package filtering

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

var ctx = context.Background()

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.15g, want %.15g (tolerance %g)", what, got, want, tol)
	}
}

func linear3(t testing.TB) *LinearGaussian {
	t.Helper()
	m, err := LinearBenchmark(3)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kalman(t testing.TB, m *LinearGaussian, Y *mat.Dense) *KalmanResult {
	t.Helper()
	r, err := Kalman(ctx, m, Y)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLinearBenchmarkGolden compares with an independent program.
func TestLinearBenchmarkGolden(t *testing.T) {
	m := linear3(t)
	for i, row := range [][]float64{{-.34780291, .02986408, -.03829657}, {.03995142, -.30309180, .00826216}, {.02761113, -.02779417, -.36540529}} {
		for j, want := range row {
			near(t, "A", m.A.At(i, j), want, 1e-8)
		}
	}
	for j, want := range []float64{.26281896, -.47987438, .59166768} {
		near(t, "C", m.C.At(0, j), want, 1e-8)
	}
	Y := mat.NewDense(5, 1, nil)
	for s := range 5 {
		Y.Set(s, 0, math.Sin(float64(s+1)))
	}
	r := kalman(t, m, Y)
	for j, want := range []float64{-.29131692, .58525431, -.75252530} {
		near(t, "filtered mean", r.Means.At(4, j), want, 1e-8)
	}
	near(t, "trace", mat.Trace(r.Covs[4]), 2.38923767, 1e-8)
	near(t, "log-likelihood", r.LogLikelihood, -6.65213136, 1e-8)
}

// joint returns mean and covariance of (x_1, ..., x_T, y_1, ..., y_T).
func joint(m *LinearGaussian, steps int) (mean *mat.VecDense, cov *mat.Dense) {
	d, p := len(m.InitialMean), m.R.SymmetricDim()
	// All are a linear map of (x_1, v_1, ..., v_(T-1), e_1, ..., e_T).
	n := steps * (d + p)
	L := mat.NewDense(n, n, nil)
	noise := mat.NewDense(n, n, nil)
	for t := range steps {
		for s := 0; s <= t; s++ {
			power := identity(d)
			for range t - s {
				var q mat.Dense
				q.Mul(m.A, power)
				power = &q
			}
			var cp mat.Dense
			cp.Mul(m.C, power)
			L.Slice(t*d, (t+1)*d, s*d, (s+1)*d).(*mat.Dense).Copy(power)
			L.Slice(steps*d+t*p, steps*d+(t+1)*p, s*d, (s+1)*d).(*mat.Dense).Copy(&cp)
		}
		at := steps*d + t*p
		for i := range p {
			L.Set(at+i, at+i, 1)
		}
		noise.Slice(at, at+p, at, at+p).(*mat.Dense).Copy(m.R)
		c := m.Q
		if t == 0 {
			c = m.InitialCov
		}
		noise.Slice(t*d, (t+1)*d, t*d, (t+1)*d).(*mat.Dense).Copy(c)
	}
	source := mat.NewVecDense(n, nil)
	for i, v := range m.InitialMean {
		source.SetVec(i, v)
	}
	mean = new(mat.VecDense)
	mean.MulVec(L, source)
	var t mat.Dense
	t.Mul(L, noise)
	cov = new(mat.Dense)
	cov.Mul(&t, L.T())
	return mean, cov
}

// TestKalmanIsConditioning compares filter, smoother and likelihood with the
// joint Gaussian of all states and observations, conditioned by dense solves.
func TestKalmanIsConditioning(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := linear3(t)
	m.C = mat.NewDense(2, 3, []float64{1, .5, -1, 0, .3, 2})
	m.R = mat.NewSymDense(2, []float64{.5, .1, .1, .4})
	m.InitialMean = []float64{1, -1, .5}
	const steps, d, p = 5, 3, 2
	_, Y, err := m.Simulate(steps, rng)
	if err != nil {
		t.Fatal(err)
	}
	r := kalman(t, m, Y)
	smooth, smoothCovs, err := KalmanSmoother(m, r)
	if err != nil {
		t.Fatal(err)
	}
	mean, cov := joint(m, steps)
	for last := 1; last <= steps; last++ {
		ny := last * p
		syy := mat.DenseCopyOf(cov.Slice(steps*d, steps*d+ny, steps*d, steps*d+ny))
		resid := mat.NewVecDense(ny, nil)
		for i := range ny {
			resid.SetVec(i, Y.At(i/p, i%p)-mean.AtVec(steps*d+i))
		}
		condition := func(s int) (*mat.VecDense, *mat.Dense) {
			sxy := mat.DenseCopyOf(cov.Slice((s-1)*d, s*d, steps*d, steps*d+ny))
			var g, gt mat.Dense
			if err := gt.Solve(syy, sxy.T()); err != nil {
				t.Fatal(err)
			}
			g.CloneFrom(gt.T())
			mu := mat.NewVecDense(d, nil)
			mu.MulVec(&g, resid)
			mu.AddVec(mu, mean.SliceVec((s-1)*d, s*d))
			var c mat.Dense
			c.Mul(&g, sxy.T())
			c.Sub(cov.Slice((s-1)*d, s*d, (s-1)*d, s*d), &c)
			return mu, &c
		}
		mu, c := condition(last)
		for i := range d {
			near(t, "filtered mean", r.Means.At(last-1, i), mu.AtVec(i), 1e-9)
			for j := range d {
				near(t, "filtered covariance", r.Covs[last-1].At(i, j), c.At(i, j), 1e-9)
			}
		}
		if last < steps {
			continue
		}
		for s := 1; s <= steps; s++ {
			mu, c := condition(s)
			for i := range d {
				near(t, "smoothed mean", smooth.At(s-1, i), mu.AtVec(i), 1e-9)
				for j := range d {
					near(t, "smoothed covariance", smoothCovs[s-1].At(i, j), c.At(i, j), 1e-9)
				}
			}
		}
		var solved mat.VecDense
		if err := solved.SolveVec(syy, resid); err != nil {
			t.Fatal(err)
		}
		want := -0.5 * (mat.Dot(resid, &solved) + math.Log(mat.Det(syy)) + float64(ny)*math.Log(2*math.Pi))
		near(t, "log-likelihood", r.LogLikelihood, want, 1e-9)
	}
}

// stream yields the shared uniforms: the high bits of
// s <- 6364136223846793005 s + 1442695040888963407 mod 2^64.
func stream(seed uint64) func() float64 {
	return func() float64 {
		seed = 6364136223846793005*seed + 1442695040888963407
		return float64(seed>>11) / (1 << 53)
	}
}

// autoregression is the data of TestAgainstPeers: 100 steps of x' = .9 x + N(0,1),
// y = x + N(0, .04), with normals by the inverse distribution function from the
// stream with seed 3: first x_1, then the innovations, then the noises.
func autoregression(t testing.TB) (*LinearGaussian, *mat.Dense) {
	t.Helper()
	const steps = 100
	next := stream(3)
	x := make([]float64, steps)
	for i := range x {
		z := quantile(next())
		if i == 0 {
			x[i] = z
		} else {
			x[i] = .9*x[i-1] + z
		}
	}
	Y := mat.NewDense(steps, 1, nil)
	for i := range x {
		Y.Set(i, 0, x[i]+.2*quantile(next()))
	}
	return &LinearGaussian{A: mat.NewDense(1, 1, []float64{.9}), C: mat.NewDense(1, 1, []float64{1}),
		Q: symIdentity(1), R: mat.NewSymDense(1, []float64{.04}), InitialMean: []float64{0}, InitialCov: symIdentity(1)}, Y
}

func quantile(u float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*u) }

// TestAgainstPeers: statsmodels 0.13.5 and particles 0.4 on the autoregression.
func TestAgainstPeers(t *testing.T) {
	m, Y := autoregression(t)
	r := kalman(t, m, Y)
	near(t, "log-likelihood", r.LogLikelihood, -136.81742850615333, 1e-6)
	near(t, "last mean", r.Means.At(99, 0), -1.0886488662752893, 1e-9)
	near(t, "last variance", r.Covs[99].At(0, 0), 0.03850633425930772, 1e-12)
}

func TestJumpGolden(t *testing.T) {
	Y := mat.NewDense(4, 1, nil)
	for s := range 4 {
		Y.Set(s, 0, math.Cos(float64(s+1)))
	}
	r, err := ExactJump(ctx, JumpBenchmark(), Y, 0)
	if err != nil {
		t.Fatal(err)
	}
	for s, row := range [][]float64{{.14731604, .23273966}, {-.12770907, -.23528042}, {-.25742661, -.35979595}, {-.15160732, -.14271202}} {
		for j, want := range row {
			near(t, "filtered mean", r.Means.At(s, j), want, 1e-8)
		}
		near(t, "probability of mode 2", r.Modes.At(s, 1), []float64{.44949769, .44846048, .47086493, .47496467}[s], 1e-8)
	}
}

// TestExactJumpIsEnumeration sums over all sequences of modes, each a linear
// model with matrices that change in time, by the joint Gaussian.
func TestExactJumpIsEnumeration(t *testing.T) {
	m := JumpBenchmark()
	const steps = 4
	_, _, Y, err := m.Simulate(steps, rand.New(rand.NewPCG(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ExactJump(ctx, m, Y, 0)
	if err != nil {
		t.Fatal(err)
	}
	var total, mode1 float64
	mean := make([]float64, 2)
	for seq := range 1 << steps {
		modes := make([]int, steps)
		p := .5
		for s := range modes {
			modes[s] = seq >> s & 1
			if s > 0 {
				p *= m.Transition.At(modes[s-1], modes[s])
			}
		}
		b := belief{m.InitialMean, m.InitialCov}
		ll := 0.0
		for s, k := range modes {
			if s > 0 {
				b = b.predict(m.Modes[modes[s-1]].A, m.Modes[modes[s-1]].Q)
			}
			// The update in its textbook form, not Joseph's.
			c := m.Modes[k].C
			pc := product(mat.DenseCopyOf(b.cov), c.RawRowView(0))
			s2 := pc[0]*c.At(0, 0) + pc[1]*c.At(0, 1) + m.Modes[k].R.At(0, 0)
			e := Y.At(s, 0) - b.mean[0]*c.At(0, 0) - b.mean[1]*c.At(0, 1)
			ll += -0.5*e*e/s2 - 0.5*math.Log(2*math.Pi*s2)
			next := belief{mean: []float64{b.mean[0] + pc[0]*e/s2, b.mean[1] + pc[1]*e/s2}, cov: mat.NewSymDense(2, nil)}
			next.cov.SymRankOne(b.cov, -1/s2, mat.NewVecDense(2, pc))
			b = next
		}
		w := p * math.Exp(ll)
		total += w
		mode1 += w * float64(modes[steps-1])
		mean[0] += w * b.mean[0]
		mean[1] += w * b.mean[1]
	}
	near(t, "log-likelihood", r.LogLikelihood, math.Log(total), 1e-9)
	near(t, "probability of mode 2", r.Modes.At(steps-1, 1), mode1/total, 1e-9)
	near(t, "mean", r.Means.At(steps-1, 0), mean[0]/total, 1e-9)
	near(t, "mean", r.Means.At(steps-1, 1), mean[1]/total, 1e-9)

	// A limit that keeps nearly all the weight changes little.
	_, _, long, err := m.Simulate(10, rand.New(rand.NewPCG(3, 2)))
	if err != nil {
		t.Fatal(err)
	}
	exact, err1 := ExactJump(ctx, m, long, 0)
	cut, err2 := ExactJump(ctx, m, long, 100)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if exact.Branches[9] != 1024 || cut.Branches[9] != 200 {
		t.Errorf("branches %v and %v", exact.Branches, cut.Branches)
	}
	near(t, "mean with a limit", cut.Means.At(9, 0), exact.Means.At(9, 0), .05)
}

func TestLinearErrors(t *testing.T) {
	Y := mat.NewDense(2, 1, nil)
	for _, c := range []struct {
		change func(*LinearGaussian)
		want   string
	}{
		{func(m *LinearGaussian) { m.A = nil }, "filtering: linear model lacks a matrix"},
		{func(m *LinearGaussian) { m.A = identity(2) }, "filtering: A is 2 x 2, must be 3 x 3"},
		{func(m *LinearGaussian) { m.R = mat.NewSymDense(1, nil) }, "filtering: R is not positive definite, must be"},
		{func(m *LinearGaussian) { m.C.Set(0, 1, math.NaN()) }, "filtering: C[0,1] is NaN, must be finite"},
		{func(m *LinearGaussian) { m.Q = mat.NewSymDense(3, []float64{-1, 0, 0, 0, 1, 0, 0, 0, 1}) },
			"filtering: Q: rkhs: covariance has the eigenvalue -1, must be positive semi-definite"},
	} {
		m := linear3(t)
		c.change(m)
		if _, err := Kalman(ctx, m, Y); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	if _, err := Kalman(ctx, linear3(t), mat.NewDense(2, 2, nil)); err == nil || err.Error() != "filtering: observations have dimension 2, must be 1" {
		t.Errorf("error is %v", err)
	}
	j := JumpBenchmark()
	j.Transition.Set(0, 0, .8)
	if _, err := ExactJump(ctx, j, Y, 0); err == nil || err.Error() != "filtering: row 0 of the transition matrix sums to 1.1, must sum to 1" {
		t.Errorf("error is %v", err)
	}
	if _, err := LinearBenchmark(4); err == nil {
		t.Error("no error for dimension 4")
	}
	big, err := RandomLinear(poles15, rand.New(rand.NewPCG(1, 1)))
	if err != nil || len(big.InitialMean) != 15 {
		t.Fatal(err)
	}
	var eigen mat.Eigen
	eigen.Factorize(big.A, mat.EigenNone)
	var largest float64
	for _, v := range eigen.Values(nil) {
		largest = math.Max(largest, math.Hypot(real(v), imag(v)))
	}
	near(t, "spectral radius", largest, .8045, 1e-9)
}

// TestDiffusePrior: the law of two numbers of which the sum is seen has a closed form; a prior so wide that covariances have no digits
// for it is an error.
func TestDiffusePrior(t *testing.T) {
	ctx := context.Background()
	for _, prior := range []float64{1, 1e6, 1e12, 1e14, 1e16, 1e18, 1e30} {
		m := &LinearGaussian{A: mat.NewDense(2, 2, []float64{1, 0, 0, 1}), C: mat.NewDense(1, 2, []float64{1, 1}), Q: mat.NewSymDense(2, nil), R: mat.NewSymDense(1, []float64{1}),
			InitialMean: []float64{0, 0}, InitialCov: mat.NewSymDense(2, []float64{prior, 0, 0, prior})}
		r, err := Kalman(ctx, m, mat.NewDense(1, 1, []float64{3}))
		if prior > 1e15 {
			if err == nil {
				t.Errorf("prior %g: no error", prior)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := 2*prior + 1
		if want := -0.5*(9/s+math.Log(s)) - 0.5*math.Log(2*math.Pi); math.Abs(r.LogLikelihood-want) > 1e-12*math.Abs(want) {
			t.Errorf("prior %g: log-likelihood %v, want %v", prior, r.LogLikelihood, want)
		}
		if got, want := r.Covs[0].At(0, 0), prior-prior*prior/s; math.Abs(got-want) > 1e-9*want {
			t.Errorf("prior %g: variance %v, want %v", prior, got, want)
		}
	}
	// Of one number the variance given what is seen is 1/(1/P + 1/R) at any prior.
	one := &LinearGaussian{A: mat.NewDense(1, 1, []float64{1}), C: mat.NewDense(1, 1, []float64{1}), Q: mat.NewSymDense(1, nil), R: mat.NewSymDense(1, []float64{2}),
		InitialMean: []float64{0}, InitialCov: mat.NewSymDense(1, []float64{1e30})}
	if r, err := Kalman(ctx, one, mat.NewDense(1, 1, []float64{3})); err != nil || math.Abs(r.Covs[0].At(0, 0)-2) > 1e-12 {
		t.Errorf("one number: %v, %v", r, err)
	}
}

// TestPMMHNamesTheModelsError: a start at which there is no model says why.
func TestPMMHNamesTheModelsError(t *testing.T) {
	bad := errors.New("transition matrix is 2 x 3, must be square")
	_, err := PMMH(context.Background(), func([]float64) (System, error) { return nil, bad }, func([]float64) float64 { return 0 }, mat.NewDense(1, 1, []float64{1}), []float64{0.5},
		&PMMHSettings{Steps: []float64{0.1}, Iterations: 2}, rand.New(rand.NewPCG(1, 1)))
	if !errors.Is(err, bad) {
		t.Errorf("error is %v, want the model's", err)
	}
}

// TestMeansUpToAnError: all fields of a result end with the last step that there was.
func TestMeansUpToAnError(t *testing.T) {
	for _, at := range []int{1, 3} {
		m := NonlinearBenchmark()
		m.LogLik = func(dst []float64, step int, X *mat.Dense, y []float64) {
			for i := range dst {
				if dst[i] = 0; step == at {
					dst[i] = math.Inf(-1)
				}
			}
		}
		r, err := Run(context.Background(), m, mat.NewDense(4, 1, []float64{1, 1, 1, 1}), nil, rand.New(rand.NewPCG(1, 1)))
		var degenerate *DegenerateError
		if n, _ := r.Means.Dims(); !errors.As(err, &degenerate) || n != at-1 || len(r.Increments) != at-1 {
			t.Errorf("step %d: %d means and %d increments, %v", at, n, len(r.Increments), err)
		}
	}
}
