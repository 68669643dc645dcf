package herding

import (
	"math"
	"math/rand/v2"
	"testing"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/rkhs"
)

// mixtureProblem is the experiment of Lacoste-Julien et al. 2015, section 4.1.
func mixtureProblem(t testing.TB, seed uint64, k, d, m int, bandwidth2 float64) (*rkhs.Mixture, *Pool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 41))
	p, err := dataset.RandomMixture(k, d, rng)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: math.Sqrt(bandwidth2)}, p)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := SamplePool(ctx, e, p, m, rng)
	if err != nil {
		t.Fatal(err)
	}
	return p, pool
}

// TestMixtureRates checks what the paper says of its Figure 1: how fast each
// method's MMD falls and in which order they end. The bounds are wide of the
// rates of an independent program on other random mixtures: Monte Carlo -.50,
// FW -.89 to -.90, FW-LS -.85, FW-2 -.80, FCFW -1.39 to -1.44.
func TestMixtureRates(t *testing.T) {
	const n = 200
	for seed := range uint64(3) {
		p, pool := mixtureProblem(t, seed, 100, 2, 2000, 1)
		rules := map[Step]*Rule{}
		for _, s := range []Step{Fixed, Open, LineSearch, FullyCorrective} {
			rules[s] = build(t, pool, n, &Settings{Step: s})
		}
		// The mean over runs of the Monte Carlo MMD^2 is known exactly.
		mc := func(n int) float64 { return math.Sqrt((1 - pool.Norm2()) / float64(n)) }
		for _, c := range []struct {
			step Step
			low  float64
			high float64
		}{{Fixed, -1.1, -.8}, {Open, -1, -.7}, {LineSearch, -1.1, -.75}, {FullyCorrective, -1.7, -1.2}} {
			if s := Slope(rules[c.step].MMD, 2); s < c.low || s > c.high {
				t.Errorf("seed %d: %v has slope %.3f, want within [%v, %v]", seed, c.step, s, c.low, c.high)
			}
		}
		fw, fc := rules[Fixed].MMD, rules[FullyCorrective].MMD
		if fw[99] > 0.4*mc(100) {
			t.Errorf("seed %d: FW has MMD %v at 100 points, Monte Carlo %v", seed, fw[99], mc(100))
		}
		if fc[99] > mc(100)/5 {
			t.Errorf("seed %d: FCFW has MMD %v at 100 points, Monte Carlo %v", seed, fc[99], mc(100))
		}
		for _, k := range []int{20, 50, 100, 200} {
			if r := rules[LineSearch].MMD[k-1] / fw[k-1]; r < .6 || r > 1.5 {
				t.Errorf("seed %d: line search / fixed at %d points = %v", seed, k, r)
			}
		}
		for _, k := range []int{50, 100, 200} {
			if r := rules[Open].MMD[k-1] / fw[k-1]; r > 2.2 {
				t.Errorf("seed %d: open / fixed at %d points = %v", seed, k, r)
			}
		}
		qmc, err := QuasiMonteCarlo(ctx, pool.Target(), p, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !(fc[n-1] < fw[n-1] && fw[n-1] < qmc.MMD[n-1] && qmc.MMD[n-1] < 1.15*mc(n)) {
			t.Errorf("seed %d: at %d points FCFW %v, FW %v, QMC %v, MC %v", seed, n, fc[n-1], fw[n-1], qmc.MMD[n-1], mc(n))
		}
	}
}

// TestTracesAgreeWithMMD compares every trace with the MMD, the mean and the
// weights computed afresh from the rule.
func TestTracesAgreeWithMMD(t *testing.T) {
	p, pool := mixtureProblem(t, 7, 20, 2, 500, 1)
	rng := rand.New(rand.NewPCG(3, 3))
	rules := map[string]*Rule{}
	for s := Fixed; s <= Pairwise; s++ {
		rules[s.String()] = build(t, pool, 60, &Settings{Step: s})
	}
	rules["repulsion"] = build(t, pool, 60, &Settings{Repulsion: true})
	rules["refined"] = build(t, pool, 60, &Settings{Step: LineSearch, Refine: 20})
	rules["kept rows"] = build(t, pool, 60, &Settings{Step: FullyCorrective, KeepRows: true})
	mc, err := MonteCarlo(ctx, pool.Target(), p, 60, rng)
	if err != nil {
		t.Fatal(err)
	}
	rules["Monte Carlo"] = mc
	for name, r := range rules {
		errs := r.MeanError(p.Mean())
		for _, n := range []int{1, 2, 17, r.Steps()} {
			q := r.At(n)
			d2, err := rkhs.MMD2(ctx, pool.Target(), q)
			if err != nil {
				t.Fatal(err)
			}
			near(t, name+" MMD^2", r.MMD[n-1]*r.MMD[n-1], d2, 1e-12)
			near(t, name+" total weight", q.TotalWeight(), 1, 1e-12)
			mean := q.Mean()
			near(t, name+" mean error", errs[n-1], math.Hypot(mean[0]-p.Mean()[0], mean[1]-p.Mean()[1]), 1e-10)
			active := 0
			for _, w := range q.W {
				if w < 0 {
					t.Errorf("%s: weight %v after %d steps", name, w, n)
				}
				if w > 0 {
					active++
				}
			}
			if active != r.Active[n-1] {
				t.Errorf("%s: %d points with weight after %d steps, trace says %d", name, active, n, r.Active[n-1])
			}
		}
	}
}

// TestFiveDimensions is Figure 4 of the paper: with bandwidth 1 in five dimensions
// no rule of positive weights gains much over Monte Carlo; with bandwidth 10 the
// fully corrective method gains a lot, and correct line search falls behind.
func TestFiveDimensions(t *testing.T) {
	const n = 200
	_, pool := mixtureProblem(t, 1, 100, 5, 2000, 1)
	mc := math.Sqrt((1 - pool.Norm2()) / n)
	if r := last(build(t, pool, n, nil).MMD) / mc; r < .75 || r > 1 {
		t.Errorf("bandwidth 1: FW is %v of Monte Carlo", r)
	}
	_, pool = mixtureProblem(t, 1, 100, 5, 2000, 100)
	mc = math.Sqrt((1 - pool.Norm2()) / n)
	fw, ls := last(build(t, pool, n, nil).MMD)/mc, last(build(t, pool, n, &Settings{Step: LineSearch}).MMD)/mc
	fc := last(build(t, pool, n, &Settings{Step: FullyCorrective}).MMD) / mc
	if fc > .1 || fw > .3 || ls < fw || ls > 1 {
		t.Errorf("bandwidth 10: FW %v, line search %v, fully corrective %v of Monte Carlo", fw, ls, fc)
	}
}

// TestPoolSize: 2,000 candidates are nearly as good as 20,000.
func TestPoolSize(t *testing.T) {
	var small, large float64
	for seed := range uint64(2) {
		_, a := mixtureProblem(t, 30+seed, 100, 2, 2000, 1)
		_, b := mixtureProblem(t, 30+seed, 100, 2, 20000, 1)
		small += last(build(t, a, 100, &Settings{Step: FullyCorrective, KeepRows: true}).MMD)
		large += last(build(t, b, 100, &Settings{Step: FullyCorrective, KeepRows: true}).MMD)
	}
	if small > 1.25*large {
		t.Errorf("MMD with 2,000 candidates %v, with 20,000 %v", small/2, large/2)
	}
}
