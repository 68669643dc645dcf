package herding

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"gaucho/stdlib/rkhs"
)

// discretePool is a target that is a weighted sample, with its own atoms as
// candidates.
func discretePool(t testing.TB, k rkhs.Kernel, X *mat.Dense, w []float64) *Pool {
	t.Helper()
	e, err := rkhs.Embed(k, rkhs.Measure{X: X, W: w})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := NewPool(ctx, e, X)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// TestThreePoints derives every step by hand, for the three points and the
// convention of coreax 1.0.0 (tests/unit/test_solvers.py): row means of
// exp(-|x-y|^2), then means minus 1/(T+1) times the sum of the kernel.
func TestThreePoints(t *testing.T) {
	X := mat.NewDense(3, 2, []float64{.3, .25, .4, .2, .5, .125})
	pool := discretePool(t, rkhs.Gaussian{Bandwidth: math.Sqrt(.5)}, X, nil)
	for i, want := range []float64{0.9778238600172561, 0.9906914124997632, 0.9767967388544317} {
		near(t, "row mean", pool.Embedding(i), want, 1e-15)
	}
	r := build(t, pool, 2, &Settings{Repulsion: true})
	if !slices.Equal(r.Index, []int{1, 1}) {
		t.Errorf("picks %v, want [1 1]", r.Index)
	}
	u := build(t, pool, 3, &Settings{Repulsion: true, Distinct: true})
	if !slices.Equal(u.Index[:2], []int{1, 2}) {
		t.Errorf("distinct picks %v, want 1, 2 first", u.Index)
	}
	if all := build(t, pool, 5, &Settings{Distinct: true}); all.Len() != 3 || all.Stopped == "" {
		t.Errorf("%d distinct points of 3 candidates (%q)", all.Len(), all.Stopped)
	}
	s := newSearch(pool)
	s.factor = .5
	s.step(0, 1, X.RawRowView(1))
	for i, want := range []float64{0.4840349597703154, 0.4906914124997632, 0.4845485203517275} {
		near(t, "score of the second step", pool.z[i]-s.factor*s.g[i], want, 1e-15)
	}
}

// streamPoints are the points of the shared stream of uniforms: the high bits of
// s <- 6364136223846793005 s + 1442695040888963407 mod 2^64.
func streamPoints(seed uint64, n, d int) *mat.Dense {
	X := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			seed = 6364136223846793005*seed + 1442695040888963407
			X.Set(i, j, float64(seed>>11)/(1<<53))
		}
	}
	return X
}

// TestAgainstGoodpoints compares with goodpoints 0.6.3, herding(X, 3, kernel) on
// 64 points of the stream with seed 5 and exp(-|x-y|^2/(2*.25)), and with its
// points' MMD and Bayesian quadrature variance by NumPy.
func TestAgainstGoodpoints(t *testing.T) {
	X := streamPoints(5, 64, 2)
	pool := discretePool(t, rkhs.Gaussian{Bandwidth: .5}, X, nil)
	r := build(t, pool, 8, &Settings{Repulsion: true})
	if want := []int{37, 35, 29, 31, 63, 18, 1, 61}; !slices.Equal(r.Index, want) {
		t.Errorf("picks %v, want %v", r.Index, want)
	}
	near(t, "MMD^2", r.MMD[7]*r.MMD[7], 0.00391298830671993, 1e-15)
	free, err := Reweight(ctx, pool.Target(), r.X, Free)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rkhs.MMD2(ctx, pool.Target(), free)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "variance", v, 0.000664430740243138, 1e-13)
	near(t, "total weight", free.TotalWeight(), 0.984312841434, 1e-11)

	first := discretePool(t, rkhs.Gaussian{Bandwidth: .5}, X, nil).Subset([]int{0, 1, 2, 3, 4, 5, 6, 7})
	u, err := FromSample(ctx, pool.Target(), first.X)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "MMD^2 of the first eight", u.MMD[7]*u.MMD[7], 0.0395929102924861, 1e-15)

	sbq, err := Greedy(ctx, pool, 8, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{37, 12, 19, 7, 42, 1, 9, 10}; !slices.Equal(sbq.Index, want) {
		t.Errorf("SBQ picks %v, want %v", sbq.Index, want)
	}
	near(t, "SBQ variance", sbq.MMD[7]*sbq.MMD[7], 0.00102832517742968, 1e-13)

	ls := build(t, pool, 30, &Settings{Step: LineSearch})
	near(t, "line search, 8 points", ls.MMD[7]*ls.MMD[7], 0.00358141094988373, 1e-14)
	near(t, "line search, 30 points", ls.MMD[29]*ls.MMD[29], 0.00101412572069082, 1e-14)
	m, first30 := ls.Merged()
	if len(first30) != 22 || m.Len() != 22 {
		t.Errorf("line search has %d atoms, want 22", m.Len())
	}
	near(t, "merged total", m.TotalWeight(), 1, 1e-14)
}

// TestVanDerCorput: greedy herding under Bernoulli's kernel d^2 - d + 1/6 on the
// dyadic grid, whose mean embedding under the uniform measure is 0, yields the
// van der Corput sequence, and 6 n^2 MMD^2 = 1, 1, 1.5, 1, 1.75, 1.5, 1.75, 1.
// All numbers are dyadic up to the constant 1/6, which changes no comparison.
func TestVanDerCorput(t *testing.T) {
	kernel := rkhs.Func(func(x, y []float64) float64 {
		d := math.Abs(x[0] - y[0])
		return d*d - d + 0.25
	})
	const m = 64
	X := mat.NewDense(m, 1, nil)
	for i := range m {
		X.Set(i, 0, float64(i)/m)
	}
	pool := discretePool(t, kernel, X, nil)
	for i := range pool.z { // equal up to rounding; the constant 1/12 and the grid's error
		pool.z[i] = 0
	}
	pool.norm2 = 0
	// Unnormalised scores keep the arithmetic exact: G sums the kernel.
	s := newSearch(pool)
	s.start()
	want := []float64{0, 1. / 2, 1. / 4, 3. / 4, 1. / 8, 5. / 8, 3. / 8, 7. / 8}
	energy := []float64{1, 1, 1.5, 1, 1.75, 1.5, 1.75, 1}
	var sum float64
	for n, x := range want {
		i := s.best()
		if X.At(i, 0) != x {
			t.Fatalf("point %d is %v, want %v", n+1, X.At(i, 0), x)
		}
		sum += 2*s.g[i] + 0.25
		k := float64(n + 1)
		near(t, "6 n^2 MMD^2", 6*(sum-k*k*(0.25-1./6)), energy[n], 1e-12)
		s.step(1, 1, X.RawRowView(i))
	}
}

// TestBrownianQuadrature: under min(x, y) on [0, 1] the best N points for the
// uniform measure are 2i/(2N+1), with equal weights 2/(2N+1) and variance
// 1/(3 (2N+1)^2).
func TestBrownianQuadrature(t *testing.T) {
	cube, err := rkhs.UnitCube(1)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rkhs.Embed(rkhs.Min{}, cube)
	if err != nil {
		t.Fatal(err)
	}
	const n = 10
	X := mat.NewDense(n, 1, nil)
	q, err := NewQuadrature(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		X.Set(i, 0, 2*float64(i+1)/(2*n+1))
		// Points that come and go leave no trace.
		for _, x := range []float64{.123, X.At(i, 0)} {
			if err := q.Add(ctx, []float64{x}); err != nil {
				t.Fatal(err)
			}
		}
		if err := q.Remove(q.Len() - 2); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Reweight(ctx, e, X, Free)
	if err != nil {
		t.Fatal(err)
	}
	v, err := rkhs.MMD2(ctx, e, m)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "variance", v, 1./(3*21*21), 1e-14)
	near(t, "variance of the updated quadrature", q.Variance(), 1./(3*21*21), 1e-14)
	for i, w := range q.Weights() {
		near(t, "weight", m.W[i], 2./21, 1e-13)
		near(t, "weight of the updated quadrature", w, 2./21, 1e-12)
	}
	// The greedy choice of one point is the optimal one, 2/3.
	pool, err := NewPool(ctx, e, grid(0, 1, 300))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Greedy(ctx, pool, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first point", r.X.At(0, 0), 2./3, 1e-12)
}

func grid(lo, hi float64, n int) *mat.Dense {
	X := mat.NewDense(n+1, 1, nil)
	for i := range n + 1 {
		X.Set(i, 0, lo+(hi-lo)*float64(i)/float64(n))
	}
	return X
}

// TestCorrectiveOptimality checks the conditions of Karush, Kuhn and Tucker over
// the points of the rule, and that the MMD never rises.
func TestCorrectiveOptimality(t *testing.T) {
	_, pool := mixtureProblem(t, 3, 100, 2, 1500, 1)
	r := build(t, pool, 100, &Settings{Step: FullyCorrective})
	for _, n := range []int{2, 10, 50, 100} {
		m := r.At(n)
		g := make([]float64, n)
		if err := rkhs.WeightedSum(ctx, g, pool.Target().Kernel(), m.X, m); err != nil {
			t.Fatal(err)
		}
		var inner float64
		for i := range g {
			g[i] -= pool.z[r.Index[i]]
			inner += m.W[i] * g[i]
		}
		for i, v := range g {
			if v < inner-1e-10 {
				t.Errorf("%d points: gradient %d is %v, below %v", n, i, v, inner)
			}
		}
	}
	for _, s := range []Step{LineSearch, FullyCorrective, AwaySteps, Pairwise} {
		r := build(t, pool, 150, &Settings{Step: s})
		for i := 1; i < r.Steps(); i++ {
			if r.MMD[i] > r.MMD[i-1]+1e-12 {
				t.Errorf("%v: MMD rises from %v to %v in step %d", s, r.MMD[i-1], r.MMD[i], i+1)
			}
			// The gap bounds the squared MMD but for what the pool misses.
			if r.MMD[i-1]*r.MMD[i-1] > r.Gap[i]+0.02*r.MMD[i-1] {
				t.Errorf("%v: MMD^2 %v, gap %v in step %d", s, r.MMD[i-1]*r.MMD[i-1], r.Gap[i], i+1)
			}
		}
	}
}

// TestInnerSolversAgree: on the points that the fully corrective method chose,
// away steps and pairwise steps reach the objective of the active-set method.
func TestInnerSolversAgree(t *testing.T) {
	_, pool := mixtureProblem(t, 4, 100, 2, 3000, 1)
	r := build(t, pool, 60, &Settings{Step: FullyCorrective})
	sub := pool.Subset(r.Index)
	want := last(r.MMD) * last(r.MMD)
	for _, s := range []Step{AwaySteps, Pairwise} {
		q := build(t, sub, 6000, &Settings{Step: s})
		near(t, s.String()+" objective", last(q.MMD)*last(q.MMD), want, 1e-8)
	}
}

// TestRefinement: with few candidates, moving points off the pool pays.
func TestRefinement(t *testing.T) {
	_, pool := mixtureProblem(t, 2, 100, 2, 100, 1)
	plain := build(t, pool, 100, &Settings{Step: FullyCorrective})
	refined := build(t, pool, 100, &Settings{Step: FullyCorrective, Refine: 20})
	if !(last(refined.MMD) < 0.5*last(plain.MMD)) {
		t.Errorf("MMD refined %v, not refined %v", last(refined.MMD), last(plain.MMD))
	}
	d, err := rkhs.MMD(ctx, pool.Target(), refined.Measure())
	if err != nil {
		t.Fatal(err)
	}
	near(t, "MMD of the refined rule", last(refined.MMD), d, 1e-9)
	abs := discretePool(t, rkhs.Laplace{Bandwidth: 1}, grid(0, 1, 20), nil)
	if _, err := FrankWolfe(ctx, abs, 3, &Settings{Refine: 5}); err == nil {
		t.Error("no error for a kernel without gradient")
	}
}

// TestFiniteDimension is Bach et al.'s proposition and theorem G.1 of
// Lacoste-Julien et al. 2015: with a trigonometric kernel of dimension 7 kernel
// herding falls like 1/n, line search exponentially, and the fully corrective
// method ends after a dozen points.
func TestFiniteDimension(t *testing.T) {
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 6))
		const m = 2000
		X, w := mat.NewDense(m, 1, nil), make([]float64, m)
		var total float64
		gamma := distuv.Gamma{Alpha: .3, Beta: 1, Src: rng}
		for i := range m { // Dirichlet(.3) weights
			X.Set(i, 0, rng.Float64())
			w[i] = gamma.Rand()
			total += w[i]
		}
		for i := range w {
			w[i] /= total
		}
		pool := discretePool(t, rkhs.Trigonometric{Terms: 3}, X, w)
		fw := build(t, pool, 1000, nil)
		if s := Slope(fw.MMD, 10); s < -1.1 || s > -.9 {
			t.Errorf("seed %d: slope of FW is %v, want -1", seed, s)
		}
		// Theorem G.1, equation (10), with an exact search: |g_k - mu|^2 <= 4/k.
		for k, v := range fw.MMD {
			if v*v > 4/float64(k+1) {
				t.Errorf("seed %d: MMD^2 %v after %d points exceeds the bound", seed, v*v, k+1)
			}
		}
		ls := build(t, pool, 50, &Settings{Step: LineSearch})
		if v := last(ls.MMD); v > 1e-4 {
			t.Errorf("seed %d: MMD of line search after 50 points is %v", seed, v)
		}
		fc := build(t, pool, 12, &Settings{Step: FullyCorrective})
		if v := last(fc.MMD); v*v > 1e-12 {
			t.Errorf("seed %d: MMD^2 of FCFW after %d points is %v", seed, fc.Steps(), v*v)
		}
	}
}

// TestPoolBound is appendix B. The bound |g_N - mu| <= sqrt(4/N + 2 delta) + delta with delta = |mu(pool) - mu| is far above
// what is seen. What a wrong search would miss: FCFW gets below delta, which equal weights on the whole pool reach, and not
// below the least MMD of any weights on it; its floor falls with the size of the pool, at least as M^(-1/4).
func TestPoolBound(t *testing.T) {
	var floors []float64
	for _, m := range []int{25, 400} {
		_, pool := mixtureProblem(t, 5, 100, 2, m, 1)
		delta, err := rkhs.MMD(ctx, pool.Target(), rkhs.Uniform(pool.X))
		if err != nil {
			t.Fatal(err)
		}
		r := build(t, pool, 200, nil)
		for k, v := range r.MMD {
			if bound := math.Sqrt(4/float64(k+1)+2*delta) + delta; v > bound {
				t.Errorf("%d candidates: MMD %v after %d points, bound %v", m, v, k+1, bound)
			}
		}
		floor := last(build(t, pool, 200, &Settings{Step: FullyCorrective}).MMD)
		whole, err := Reweight(ctx, pool.Target(), pool.X, Simplex)
		if err != nil {
			t.Fatal(err)
		}
		least, err := rkhs.MMD(ctx, pool.Target(), rkhs.Measure{X: whole.X, W: whole.W})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d candidates: delta %.4f, FCFW %.4f, best weights on the pool %.4f", m, delta, floor, least)
		if floor > delta || floor < least-1e-9 {
			t.Errorf("%d candidates: FCFW ends at %v, must be from %v (the best weights) to %v (equal weights)", m, floor, least, delta)
		}
		floors = append(floors, floor)
	}
	if ratio, most := floors[1]/floors[0], math.Pow(16, -.25); ratio > most {
		t.Errorf("with 16 times the candidates the floor falls to %v of what it was, must be at most %v", ratio, most)
	}
}

// TestConstantFunctionsChangeNothing: with weights that sum to one, k and k + 1
// choose the same points (appendix F, remark 4).
func TestConstantFunctionsChangeNothing(t *testing.T) {
	p, pool := mixtureProblem(t, 6, 20, 2, 800, 1)
	augmented := rkhs.Sum{pool.Target().Kernel(), rkhs.Constant{Value: 1}}
	e, err := rkhs.Embed(augmented, p)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewPool(ctx, e, pool.X)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Step{Fixed, Open, LineSearch, FullyCorrective, AwaySteps} { // Pairwise has ties: its two points have equal gradients
		a, b := build(t, pool, 40, &Settings{Step: s}), build(t, other, 40, &Settings{Step: s})
		if !slices.Equal(a.Index, b.Index) {
			t.Errorf("%v: points %v, with constants %v", s, a.Index, b.Index)
		}
	}
}

// TestProcessorsDoNotMatter builds the same rules on one and on several
// processors.
func TestProcessorsDoNotMatter(t *testing.T) {
	var want [][]float64
	for _, procs := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(procs)
		var got [][]float64
		_, pool := mixtureProblem(t, 8, 50, 3, 3000, 1)
		got = append(got, pool.z)
		for s := Fixed; s <= Pairwise; s++ {
			got = append(got, build(t, pool, 40, &Settings{Step: s}).MMD)
		}
		for s := SBQ; s <= PGreedy; s++ {
			r, err := Greedy(ctx, pool, 40, &GreedySettings{Selection: s, Threshold: 1e-10})
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.MMD)
		}
		runtime.GOMAXPROCS(before)
		if want == nil {
			want = got
			continue
		}
		for i := range got {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("%d processors: result %d differs", procs, i)
			}
		}
	}
}

func TestFrankWolfeErrors(t *testing.T) {
	pool := poolT1(t)
	for _, c := range []struct {
		n    int
		s    *Settings
		want string
	}{
		{0, nil, "herding: number of points is 0, must be at least 1"},
		{5, &Settings{Step: 9}, "herding: step is Step(9), must be one of the six of this package"},
		{5, &Settings{Tolerance: -1}, "herding: tolerance is -1, must not be negative"},
		{5, &Settings{Refine: -1}, "herding: number of refinements is -1, must not be negative"},
		{5, &Settings{Step: Open, Repulsion: true}, "herding: repulsion is set for open steps, must be for fixed steps only"},
		{5, &Settings{Step: LineSearch, Distinct: true}, "herding: distinct points are asked for with line search steps, must be fixed or open ones"},
		{5, &Settings{Step: Pairwise, Refine: 3}, "herding: refinements are set for pairwise, must be 0"},
	} {
		if _, err := FrankWolfe(ctx, pool, c.n, c.s); err == nil || err.Error() != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for s := Fixed; s <= Pairwise; s++ {
		if _, err := FrankWolfe(cancelled, pool, 5, &Settings{Step: s}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error after cancelling is %v", s, err)
		}
	}
	_, e := mixtureT1(t)
	if _, err := NewPool(ctx, e, mat.NewDense(3, 2, nil)); err == nil || err.Error() != "herding: candidates have dimension 2, must be 1 as the target" {
		t.Errorf("error is %v", err)
	}
	if _, err := NewPool(ctx, e, mat.NewDense(1, 1, []float64{math.Inf(1)})); err == nil {
		t.Error("no error for an infinite candidate")
	}
	// A kernel that is NaN between some points, which no check beforehand sees.
	hole := rkhs.Func(func(x, y []float64) float64 {
		if x[0]*y[0] < -.5 {
			return math.NaN()
		}
		return math.Exp(-math.Abs(x[0] - y[0]))
	})
	half, err := rkhs.Embed(hole, rkhs.Measure{X: mat.NewDense(1, 1, []float64{0})})
	if err != nil {
		t.Fatal(err)
	}
	holed, err := NewPool(ctx, half, grid(-1, 1, 20))
	if err != nil {
		t.Fatal(err)
	}
	for s := Fixed; s <= Pairwise; s++ {
		if _, err := FrankWolfe(ctx, holed, 15, &Settings{Step: s}); s == Fixed && !errors.Is(err, errBroken) {
			t.Errorf("%v: error with a kernel that is NaN is %v", s, err)
		}
	}
	for s := SBQ; s <= PGreedy; s++ {
		if _, err := Greedy(ctx, holed, 15, &GreedySettings{Selection: s}); s == PGreedy && !errors.Is(err, errBroken) {
			t.Errorf("%v: error with a kernel that is NaN is %v", s, err)
		}
	}
	stop := build(t, pool, 200, &Settings{Step: FullyCorrective})
	if stop.Steps() == 200 || stop.Stopped == "" || last(stop.MMD) > 1e-6 {
		t.Errorf("FCFW on a line took %d steps to MMD %v (%s)", stop.Steps(), last(stop.MMD), stop.Stopped)
	}
	tol := build(t, pool, 200, &Settings{Tolerance: .05})
	if last(tol.MMD) > .05 || tol.Stopped == "" || tol.MMD[tol.Steps()-2] <= .05 {
		t.Errorf("tolerance .05: MMD %v after %d steps (%q)", last(tol.MMD), tol.Steps(), tol.Stopped)
	}
}

func TestGrid(t *testing.T) {
	X, err := Grid([]float64{0, -1}, []float64{1, 1}, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0, -1, 0, 0, 0, 1, .5, -1, .5, 0, .5, 1, 1, -1, 1, 0, 1, 1}
	if !slices.Equal(X.RawMatrix().Data, want) {
		t.Errorf("grid %v, want %v", X.RawMatrix().Data, want)
	}
	for _, c := range []struct {
		lower, upper []float64
		n            int
	}{{nil, nil, 3}, {[]float64{0}, []float64{0}, 3}, {[]float64{0}, []float64{1}, 1}, {make([]float64, 9), make([]float64, 9), 10}} {
		if _, err := Grid(c.lower, c.upper, c.n); err == nil {
			t.Errorf("no error for %+v", c)
		}
	}
}

// Long calls say how far they are, in the form that progress bars take.
func TestProgress(t *testing.T) {
	X := mat.NewDense(5, 1, []float64{0, 1, 2.5, 4, 7})
	pool := discretePool(t, rkhs.Gaussian{Bandwidth: 1}, X, nil)
	var told [][2]int
	tell := func(done, total int) { told = append(told, [2]int{done, total}) }
	if _, err := FrankWolfe(t.Context(), pool, 3, &Settings{Progress: tell}); err != nil {
		t.Fatal(err)
	}
	greedy := DefaultGreedySettings()
	greedy.Progress = tell
	if _, err := Greedy(t.Context(), pool, 2, greedy); err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{1, 3}, {2, 3}, {3, 3}, {1, 2}, {2, 2}}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
