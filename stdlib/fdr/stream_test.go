package fdr

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestResume saves a stream of every rule in the middle, resumes it and compares
// all that follows with the stream that went on.
func TestResume(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, m := range Methods {
		s, err := NewStream(m, 0.05, nil)
		if err != nil {
			t.Fatal(err)
		}
		var back *Stream
		for j := range 120 {
			if j == 60 {
				var file bytes.Buffer
				if err := s.Save(&file); err != nil {
					t.Fatal(err)
				}
				if back, err = Resume(&file); err != nil {
					t.Fatal(m, err)
				}
			}
			p := math.Pow(rng.Float64(), 6)
			d, err := s.Test(p)
			if err != nil {
				t.Fatal(err)
			}
			if back == nil {
				continue
			}
			if e, err := back.Test(p); err != nil || e != d || back.Wealth() != s.Wealth() {
				t.Fatalf("%s: decision %d is %v after resuming, %v without; %v", m, j+1, e, d, err)
			}
		}
		if back.Len() != 120 || back.Rejected() != s.Rejected() || !slices.Equal(back.Decisions(), s.Decisions()) {
			t.Errorf("%s: the resumed stream remembers something else", m)
		}
	}
}

func TestResumeRefuses(t *testing.T) {
	s, _ := NewStream(LORDPlusPlus, 0.05, nil)
	s.Test(1e-6)
	s.Test(0.4)
	var file bytes.Buffer
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	for name, c := range map[string][2]string{
		"level of saved hypothesis 2": {`"p":0.000001`, `"p":0.5`}, // a discovery taken back: p above level
		"format":                      {streamFormat, "another"},
		"alpha":                       {`"alpha":0.05`, `"alpha":1.5`},
		"cannot read":                 {`{`, `[`},
		"p-value":                     {`"p":0.4`, `"p":4`},
	} {
		text := strings.Replace(good, c[0], c[1], 1)
		if name == "level of saved hypothesis 2" {
			text = strings.Replace(good, `"reject":true`, `"reject":false`, 1)
		}
		if _, err := Resume(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestErrors(t *testing.T) {
	change := func(m Method, f func(*Settings)) *Settings { s := DefaultSettings(m, 0.05); f(s); return s }
	for _, c := range []struct {
		method   Method
		alpha    float64
		settings *Settings
		want     string
	}{
		{"LORD", 0.05, nil, `method is "LORD"`},
		{LORD3, 0, nil, "alpha is 0"},
		{LORD3, 1, nil, "alpha is 1"},
		{LORD3, math.NaN(), nil, "alpha is NaN"},
		{LORD3, 0.05, &Settings{Wealth: 0.05, Gamma: LogGamma(LogPaper)}, "wealth is 0.05"},
		{LORDDiscard, 0.05, change(LORDDiscard, func(s *Settings) { s.Wealth = 0.03 }), "wealth is 0.03, must be between 0 and 0.025"},
		{SAFFRON, 0.05, change(SAFFRON, func(s *Settings) { s.Lambda = 1 }), "lambda is 1"},
		{SAFFRON, 0.05, change(SAFFRON, func(s *Settings) { s.Tau = 0.5 }), "tau of SAFFRON is 0.5"},
		{ADDIS, 0.05, change(ADDIS, func(s *Settings) { s.Tau = 2 }), "tau is 2"},
		{LOND, 0.05, change(LOND, func(s *Settings) { s.Gamma = LogGamma(0.08) }), "gamma sums to"},
		{LOND, 0.05, change(LOND, func(s *Settings) { s.Gamma = Gamma{Form: "flat"} }), `form of gamma is "flat"`},
		{LOND, 0.05, change(LOND, func(s *Settings) { s.Gamma = PowerGamma(1) }), "power of gamma is 1"},
		{LOND, 0.05, change(LOND, func(s *Settings) { s.Gamma = GammaValues([]float64{.1, .2}) }), "must not rise"},
		{LOND, 0.05, change(LOND, func(s *Settings) { s.Gamma = GammaValues([]float64{.1, -.2}) }), "gamma_2 is -0.2"},
		{LORDDependent, 0.05, change(LORDDependent, func(s *Settings) { s.Gamma = CubicGamma(0.16) }), "gamma sums to"},
	} {
		if _, err := NewStream(c.method, c.alpha, c.settings); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "fdr: ") {
			t.Errorf("%s, %v: error is %v, want %s", c.method, c.alpha, err, c.want)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := Run(LORD3, 0.05, nil, []float64{0.5, p}); err == nil || !strings.Contains(err.Error(), "p-value is") {
			t.Errorf("p = %v: error is %v", p, err)
		}
		if _, err := BenjaminiHochberg([]float64{p}, 0.1); err == nil {
			t.Errorf("BH takes %v", p)
		}
	}
	r, _ := NewRule(LORD3, 0.05, nil)
	if err := r.Observe(0.5, true); err == nil || r.Wealth() != DefaultSettings(LORD3, 0.05).Wealth {
		t.Error("a p-value above the level was rejected")
	}
	bad := func(b Bet) error { _, err := NewGAI(0.1, 0.05, func(State) Bet { return b }); return err }
	for _, b := range []Bet{{Level: 0.1, Cost: 0.06, Payout: 0.05}, {Level: 0.04, Cost: 0.04, Payout: 0.1}, {Level: 0.05, Cost: 0.02, Payout: 0.01}, {Level: 2}} {
		if bad(b) == nil {
			t.Errorf("bet %v is allowed", b)
		}
	}
}

// TestBenjaminiHochberg checks the step-up rule on the 15 p-values of Benjamini &
// Hochberg 1995, section 3.2, of which it rejects four at 0.05 (Bonferroni: three), and
// against the definition on random ones.
func TestBenjaminiHochberg(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000}
	rej, err := BenjaminiHochberg(p, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rej {
		if r != (i < 4) {
			t.Errorf("hypothesis %d: %v", i+1, r)
		}
	}
	rng := rand.New(rand.NewPCG(9, 0))
	for range 200 {
		p := make([]float64, 1+rng.IntN(20))
		for i := range p {
			p[i] = math.Pow(rng.Float64(), 4)
		}
		threshold := -1.0
		for _, x := range p {
			n := 0
			for _, y := range p {
				if y <= x {
					n++
				}
			}
			if x <= float64(n)*0.1/float64(len(p)) {
				threshold = max(threshold, x)
			}
		}
		rej, _ := BenjaminiHochberg(p, 0.1)
		adj, err := AdjustBH(p)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range p {
			if rej[i] != (x <= threshold) || rej[i] != (adj[i] <= 0.1) {
				t.Fatalf("p = %v: rejected %v, adjusted %v, threshold %v", x, rej[i], adj[i], threshold)
			}
		}
	}
}

// TestMetrics is a table by hand: three runs of four hypotheses, nulls 1 and 3.
func TestMetrics(t *testing.T) {
	null := []bool{true, false, true, false}
	run := func(rejected ...bool) Counts {
		ds := make([]Decision, 4)
		for j, r := range rejected {
			ds[j].Reject = r
		}
		c, err := Count(ds, null)
		if err != nil {
			t.Fatal(err)
		}
		path, _ := Proportions(ds, null)
		if path[3] != c.FDP() {
			t.Errorf("FDP is %v at the end of the path, %v by count", path[3], c.FDP())
		}
		return c
	}
	m, err := Summarise([]Counts{run(true, true, false, true), run(false, false, false, false), run(true, false, true, true)})
	if err != nil {
		t.Fatal(err)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got-want) > 1e-15 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	near("FDR", m.FDR, (1.0/3+0+2.0/3)/3)
	near("mFDR", m.MFDR, 1/(2.0+1)) // E V = 1, E R = 2
	near("BDR", m.BDR, (1+0+0.5)/3)
	near("rejections", m.MeanRejections, 2)
	near("error of FDR", m.FDRErr, 1/math.Sqrt(27))
	if _, err := Summarise(nil); err == nil {
		t.Error("no runs, no error")
	}
	if _, err := Count(nil, null); err == nil {
		t.Error("lengths differ, no error")
	}
}

func BenchmarkRules(b *testing.B) {
	rng := rand.New(rand.NewPCG(10, 0))
	p := make([]float64, 20000)
	for i := range p {
		p[i] = rng.Float64()
		if rng.Float64() < 0.1 {
			p[i] = math.Pow(p[i], 20)
		}
	}
	for _, m := range []Method{LORDPlusPlus, SAFFRON, ADDIS} {
		b.Run(string(m), func(b *testing.B) {
			for b.Loop() {
				if _, err := Run(m, 0.05, nil, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
