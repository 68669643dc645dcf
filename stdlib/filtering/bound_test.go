package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
)

// TestBound1D compares with an independent program, and theorem 1 with random
// signed measures, for which both norms have closed forms.
func TestBound1D(t *testing.T) {
	const tau, a, b, nu = .7, .9, .3, 1.2
	g, err := LinearGaussianBound1D(a, b, tau, nu, .1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "w", g.W, .62359777, 1e-8)
	near(t, "w tilde", g.WTilde, .73209407, 1e-8)
	near(t, "width", g.Width, .09781645, 1e-8)
	rng := rand.New(rand.NewPCG(1, 40))
	for _, share := range []float64{.1, .5, .9} {
		s2 := share * 4 * g.Width
		bound, err := LinearGaussianBound1D(a, b, tau, nu, math.Sqrt(s2))
		if err != nil {
			t.Fatal(err)
		}
		if share == .5 {
			near(t, "C", bound.C, 10.976, 5e-4)
		}
		for range 3000 {
			n := 1 + rng.IntN(4)
			x, w := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], w[i] = 2*rng.NormFloat64(), rng.NormFloat64()
			}
			var before, after float64
			for i := range x {
				for j := range x {
					d2 := (x[i] - x[j]) * (x[i] - x[j])
					oo := math.Exp(-b*b*(x[i]*x[i]+x[j]*x[j])/(2*nu*nu)) / (2 * math.Pi * nu * nu)
					s := s2 + 2*tau*tau
					before += w[i] * w[j] * math.Exp(-d2/(2*s2))
					after += w[i] * w[j] * oo * math.Sqrt(s2/s) * math.Exp(-a*a*d2/(2*s))
				}
			}
			if after > bound.C*bound.C*before*(1+1e-9)+1e-15 {
				t.Fatalf("norm %v after a step, %v before, C = %v", math.Sqrt(after), math.Sqrt(before), bound.C)
			}
		}
	}
	for _, c := range [][5]float64{{a, 0, tau, nu, .1}, {a, 5, tau, nu, .1}, {a, b, tau, nu, 2}, {a, b, -1, nu, .1}} {
		if _, err := LinearGaussianBound1D(c[0], c[1], c[2], c[3], c[4]); err == nil {
			t.Errorf("no error for %v", c)
		}
	}
}

// chain is a hidden Markov model on 40 grid points of [0, 1), where every term of
// the bounds can be computed.
type chain struct {
	k, p *mat.Dense // Gram matrix; transition matrix, rows sum to one
	o    [][]float64
}

func newChain(ell, tau, nu float64, rng *rand.Rand) *chain {
	const n, steps = 40, 15
	c := &chain{k: mat.NewDense(n, n, nil), p: mat.NewDense(n, n, nil)}
	s := func(i int) float64 { return float64(i) / n }
	for i := range n {
		var total float64
		for j := range n {
			c.k.Set(i, j, math.Exp(-math.Abs(s(i)-s(j))/ell))
			z := (s(j) - (.2 + .6*s(i))) / tau
			c.p.Set(i, j, math.Exp(-.5*z*z))
			total += c.p.At(i, j)
		}
		for j := range n {
			c.p.Set(i, j, c.p.At(i, j)/total)
		}
	}
	x := rng.IntN(n)
	for range steps {
		y := s(x) + nu*rng.NormFloat64()
		o := make([]float64, n)
		for i := range n {
			z := (y - s(i)) / nu
			o[i] = math.Exp(-.5*z*z) / (nu * math.Sqrt(2*math.Pi))
		}
		c.o = append(c.o, o)
		x = locate(cumulate(nil, c.p.RawRowView(x)), rng.Float64())
	}
	return c
}

// step returns F_t q and the sum of q o_t.
func (c *chain) step(t int, q []float64) ([]float64, float64) {
	weighted := make([]float64, len(q))
	var w float64
	for i, v := range q {
		weighted[i] = v * c.o[t][i]
		w += weighted[i]
	}
	return product(mat.DenseCopyOf(c.p.T()), weighted), w
}

func (c *chain) norm(v []float64) float64 {
	return math.Sqrt(math.Max(mat.Dot(mat.NewVecDense(len(v), product(c.k, v)), mat.NewVecDense(len(v), v)), 0))
}

func minus(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// TestHerdingFilterBounds runs sequential kernel herding on finite chains and
// checks theorem 2 and remarks 1 and 3 of Lacoste-Julien et al. 2015 (with the
// factor chi_t of appendix F) at every step.
func TestHerdingFilterBounds(t *testing.T) {
	for _, setting := range [][3]float64{{.1, .1, .3}, {.1, .3, .3}, {.3, .2, 1}} {
		for seed := range uint64(3) {
			checkBounds(t, newChain(setting[0], setting[1], setting[2], rand.New(rand.NewPCG(seed, 41))), setting)
		}
	}
}

func checkBounds(t *testing.T, c *chain, setting [3]float64) {
	n, _ := c.k.Dims()
	steps := len(c.o)
	states := mat.NewDense(n, 1, nil)
	for i := range n {
		states.Set(i, 0, float64(i)/float64(n))
	}
	kernel := rkhs.Laplace{Bandwidth: setting[0]}
	// Operator norms C_t and norms of o_t.
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sym.SetSym(i, j, c.k.At(i, j))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sym) {
		t.Fatal("singular Gram matrix")
	}
	var u, inv mat.TriDense
	chol.UTo(&u)
	if err := inv.InverseTri(&u); err != nil {
		t.Fatal(err)
	}
	operator, oNorm := make([]float64, steps), make([]float64, steps)
	for s := range steps {
		f := mat.DenseCopyOf(c.p.T()) // F = P' diag(o)
		for i := range n {
			for j := range n {
				f.Set(i, j, f.At(i, j)*c.o[s][j])
			}
		}
		var m mat.Dense
		m.Product(&u, f, &inv)
		var svd mat.SVD
		svd.Factorize(&m, mat.SVDNone)
		operator[s] = svd.Values(nil)[0]
		var x mat.VecDense
		if err := chol.SolveVecTo(&x, mat.NewVecDense(n, c.o[s])); err != nil {
			t.Fatal(err)
		}
		oNorm[s] = math.Sqrt(mat.Dot(&x, mat.NewVecDense(n, c.o[s])))
	}
	exact, hatted := make([]float64, n), make([]float64, n)
	for i := range n {
		exact[i], hatted[i] = 1/float64(n), 1/float64(n)
	}
	eps, w, what := make([]float64, steps), make([]float64, steps), make([]float64, steps)
	z, zhat := 1.0, 1.0
	for s := range steps {
		// hatted is p~_s; herd 12 points for it.
		e, err := rkhs.Embed(kernel, rkhs.Measure{X: states, W: hatted})
		if err != nil {
			t.Fatal(err)
		}
		pool, err := herding.NewPool(ctx, e, states)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := herding.FrankWolfe(ctx, pool, 12, nil)
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, n)
		for i, j := range rule.Index {
			q[j] += rule.W[i]
		}
		eps[s] = c.norm(minus(q, hatted))
		near(t, "herding's own MMD", rule.MMD[11], eps[s], 1e-7)
		left := c.norm(minus(q, exact))
		chi := func(v int) float64 {
			p := 1.0
			for k := range v {
				p *= what[k] / w[k]
			}
			return p
		}
		rho := func(from, to int) float64 {
			p := 1.0
			for k := from; k < to; k++ {
				p *= operator[k] / w[k]
			}
			return p
		}
		// Theorem 2.
		right := eps[s]
		if s > 0 {
			var sum float64
			for v := range s {
				sum += chi(v) * eps[v] * rho(v, s-1)
			}
			right += (oNorm[s-1]/w[s-1] + operator[s-1]/w[s-1]) * sum
		}
		if left > right*(1+1e-9) {
			t.Errorf("%v: theorem 2 at step %d: %v > %v", setting, s+1, left, right)
		}
		// Remark 3.
		right = 0
		for v := range s + 1 {
			p := eps[v]
			for k := v; k < s; k++ {
				p *= (oNorm[k] + operator[k]) / w[k]
			}
			right += p
		}
		if left > right*(1+1e-9) {
			t.Errorf("%v: remark 3 at step %d: %v > %v", setting, s+1, left, right)
		}
		exact, w[s] = c.step(s, exact)
		next, wh := c.step(s, q)
		what[s] = wh
		for i := range n {
			exact[i] /= w[s]
			hatted[i] = next[i] / wh
		}
		z, zhat = z*w[s], zhat*wh
		// Remark 1.
		right = 0
		for v := range s + 1 {
			right += chi(v) * eps[v] * rho(v, s)
		}
		right *= oNorm[s] / w[s]
		if l := math.Abs(z-zhat) / z; l > right*(1+1e-9) {
			t.Errorf("%v: remark 1 at step %d: %v > %v", setting, s+1, l, right)
		}
	}
}
