package fdr

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gaucho/stdlib/bandit"
)

var ctx = context.Background()

// runAll runs one experiment after another.
func runAll(t *testing.T, p *Process, means [][]float64, rng *rand.Rand) {
	t.Helper()
	for _, m := range means {
		if _, err := p.Run(ctx, bandit.Gaussian{Means: m, Sigma: 1}, rng); err != nil {
			t.Fatal(err)
		}
	}
}

func contest(t *testing.T, experiments, arms int) [][]float64 {
	t.Helper()
	means, err := ContestMeans(experiments, arms, 8, 3, 0.4, false, rand.New(rand.NewPCG(20, 0)))
	if err != nil {
		t.Fatal(err)
	}
	return means
}

func TestContestMeans(t *testing.T) {
	for _, arms := range []int{2, 3, 50} {
		means := contest(t, 50, arms)
		alternatives := 0
		for j, m := range means {
			s := slices.Sorted(slices.Values(m))
			if len(m) != arms || s[arms-1] != 8 || s[arms-2] > 5 || s[0] < 0 {
				t.Fatalf("experiment %d has means %v", j, m)
			}
			if !bandit.IsNull(m, 0) {
				alternatives++
				if r := slices.Index(m, 8); r < 1 || r > 10 {
					t.Errorf("the best arm is %d", r)
				}
			}
		}
		if alternatives != 20 {
			t.Errorf("%d alternatives of 50, want 20", alternatives)
		}
	}
}

// TestProcess: with a budget that is ample every alternative is found by its best
// arm and no null rejected; with one that is too small nothing is.
func TestProcess(t *testing.T) {
	means := contest(t, 100, 8)
	for _, c := range []struct {
		method Method
		budget int
		bdr    float64
	}{{LORD3, 400, 1}, {LORD15, 400, 1}, {LORDPlusPlus, 400, 1}, {Bonferroni, 400, 1}, {Uncorrected, 400, 1}, {LORD3, 10, 0}} {
		s := DefaultProcessSettings()
		s.Bandit = bandit.DefaultSettings()
		s.Bandit.Budget = c.budget
		p, err := NewProcess(c.method, 0.1, s)
		if err != nil {
			t.Fatal(err)
		}
		runAll(t, p, means, rand.New(rand.NewPCG(21, 0)))
		n, err := p.Count(means, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n.False != 0 || n.BDR() != c.bdr || n.Alternatives != 40 || n.Samples != p.Pulls() {
			t.Errorf("%s with %d pulls: %+v", c.method, c.budget, n)
		}
	}
}

// TestProcessFlags: RequireStop takes from uniform sampling the experiments that
// ended by budget, and only removes rejections.
func TestProcessFlags(t *testing.T) {
	means := contest(t, 60, 8)
	rejected := map[bool]int{}
	for _, require := range []bool{false, true} {
		s := DefaultProcessSettings()
		s.Bandit, s.RequireStop = bandit.DefaultSettings(), require
		s.Bandit.Sampler, s.Bandit.Budget = bandit.Uniform, 100
		p, err := NewProcess(LORD15, 0.1, s)
		if err != nil {
			t.Fatal(err)
		}
		runAll(t, p, means, rand.New(rand.NewPCG(22, 0)))
		for _, e := range p.Experiments() {
			if e.Reject && (e.Best == 0 || require && !e.Stopped || e.P > e.Level) {
				t.Errorf("rejected %+v", e)
			}
		}
		rejected[require] = p.Stream().Rejected()
	}
	if rejected[true] >= rejected[false] {
		t.Errorf("rejected %v", rejected)
	}
}

// TestProcessResume saves between two experiments, resumes and goes on with the
// same random numbers.
func TestProcessResume(t *testing.T) {
	means := contest(t, 40, 6)
	s := DefaultProcessSettings()
	s.Bandit = bandit.DefaultSettings()
	s.Bandit.Budget = 150
	p, err := NewProcess(LORDPlusPlus, 0.1, s)
	if err != nil {
		t.Fatal(err)
	}
	runAll(t, p, means[:20], rand.New(rand.NewPCG(23, 0)))
	var file bytes.Buffer
	if err := p.Save(&file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	q, err := ResumeProcess(&file)
	if err != nil {
		t.Fatal(err)
	}
	if q.Stream().Wealth() != p.Stream().Wealth() || q.Pulls() != p.Pulls() {
		t.Error("wealth or pulls were lost")
	}
	runAll(t, p, means[20:], rand.New(rand.NewPCG(24, 0)))
	runAll(t, q, means[20:], rand.New(rand.NewPCG(24, 0)))
	if !slices.Equal(p.Experiments(), q.Experiments()) || p.Stream().Rejected() == 0 {
		t.Error("the resumed process went another way")
	}
	if _, err := ResumeProcess(strings.NewReader(strings.Replace(text, `"alpha":0.1`, `"alpha":0.2`, 1))); err == nil || !strings.Contains(err.Error(), "level of saved hypothesis 3") {
		t.Errorf("a forged alpha: error is %v", err)
	}
	if _, err := ResumeProcess(strings.NewReader(strings.Replace(text, processFormat, "x", 1))); err == nil {
		t.Error("another format is read")
	}
}

// TestMFDR is figure 4.10 with bandits for the alternatives alone: nulls have
// uniform p-values, which real bandits are far from. LORD 3 keeps mFDR below
// 0.1, independent testing does not at a share of 0.2.
func TestMFDR(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 0))
	means, err := ContestMeans(100, 10, 8, 3, 0.2, false, rng)
	if err != nil {
		t.Fatal(err)
	}
	rate := map[Method]Metrics{}
	for _, m := range []Method{LORD3, Uncorrected} {
		var runs []Counts
		for range 40 {
			s := DefaultProcessSettings()
			s.Bandit = bandit.DefaultSettings()
			s.Bandit.Budget = 200
			p, err := NewProcess(m, 0.1, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, mean := range means {
				if bandit.IsNull(mean, 0) {
					_, err = p.Enter(rng.Float64())
				} else {
					_, err = p.Run(ctx, bandit.Gaussian{Means: mean, Sigma: 1}, rng)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			c, err := p.Count(means, 0)
			if err != nil {
				t.Fatal(err)
			}
			runs = append(runs, c)
		}
		if rate[m], err = Summarise(runs); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: mFDR %.3f (%.3f), BDR %.2f", m, rate[m].MFDR, rate[m].MFDRErr, rate[m].BDR)
	}
	if r := rate[LORD3]; r.MFDR > 0.1 || r.BDR < 0.9 {
		t.Errorf("LORD 3: %+v", r)
	}
	if r := rate[Uncorrected]; r.MFDR < 0.15 {
		t.Errorf("uncorrected: %+v", r)
	}
}

func TestProcessErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*ProcessSettings)
		want   string
	}{
		{func(s *ProcessSettings) { s.FixedLevel = 1 }, "fixed level is 1"},
		{func(s *ProcessSettings) { s.Rule = &Settings{Wealth: 1} }, "wealth is 1"},
		{func(s *ProcessSettings) { s.Bandit = &bandit.Settings{Initial: -1} }, "settings of the experiments"},
	} {
		s := DefaultProcessSettings()
		c.change(s)
		if _, err := NewProcess(LORD3, 0.1, s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
	p, err := NewProcess(LORD3, 0.1, nil)
	if err != nil {
		t.Fatal(err)
	}
	level := p.Stream().Level()
	rng := rand.New(rand.NewPCG(26, 0))
	if _, err := p.Run(ctx, bandit.Bernoulli{Means: []float64{1}}, rng); err == nil {
		t.Error("one arm, no error")
	}
	if _, err := p.Enter(math.NaN()); err == nil || p.Stream().Level() != level || len(p.Experiments()) != 0 {
		t.Error("a failed experiment left a trace")
	}
	if _, err := p.Count([][]float64{{1, 2}}, 0); err == nil {
		t.Error("means of an experiment that was not run, no error")
	}
	for _, err := range []error{
		second(ContestMeans(0, 2, 8, 3, .5, false, rng)), second(ContestMeans(5, 1, 8, 3, .5, false, rng)),
		second(ContestMeans(5, 2, 8, 9, .5, false, rng)), second(ContestMeans(5, 2, 8, 3, 2, false, rng)), second(ContestMeans(5, 2, 8, 3, .5, false, nil)),
	} {
		if err == nil {
			t.Error("bad contest, no error")
		}
	}
}

func second(_ [][]float64, err error) error { return err }

// BenchmarkProcess is one run of figure 4.7: 500 experiments of 50 arms, M = 300.
func BenchmarkProcess(b *testing.B) {
	means, err := ContestMeans(500, 50, 8, 3, 0.4, false, rand.New(rand.NewPCG(20, 0)))
	if err != nil {
		b.Fatal(err)
	}
	s, pulls := DefaultProcessSettings(), 0
	s.Bandit = bandit.DefaultSettings()
	s.Bandit.Budget = 300
	rng := rand.New(rand.NewPCG(27, 0))
	for b.Loop() {
		p, err := NewProcess(LORD3, 0.1, s)
		if err != nil {
			b.Fatal(err)
		}
		for _, m := range means {
			if _, err := p.Run(ctx, bandit.Gaussian{Means: m, Sigma: 1}, rng); err != nil {
				b.Fatal(err)
			}
		}
		pulls += p.Pulls()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pulls), "ns/pull")
}
