package reproduction

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/stdlib/hypothesis"
	"gaucho/stdlib/study"
)

// noisy is a study of three methods, which share their noise, so that pairs tell apart what samples do not; x is 1/n with a little noise.
func noisy(t *testing.T, n int) *study.Results {
	t.Helper()
	s := &study.Study{
		Name: "noisy", Points: study.Grid(study.Values("method", "a", "b", "c", "a2"), study.Values("n", 10, 100, 1000, 10000)), Replications: n, Seed: 1, Paired: []string{"method"},
		Replicate: func(_ context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			shift := map[string]float64{"a": 0, "b": 0.1, "c": 0.2, "a2": 0}[p.Text("method")]
			loss := 10 + rng.NormFloat64() + shift
			if p.Text("method") != "a" {
				loss += 0.01 * rng.NormFloat64()
			}
			return study.Record{"loss": loss, "x": (1 + 0.01*rng.NormFloat64()) / float64(p.Int("n")), "same": 3}, nil
		},
	}
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func at(method string, n int) study.Point { return study.NewPoint("method", method, "n", n) }

func TestVerdicts(t *testing.T) {
	res := noisy(t, 20)
	whole, err := study.NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	without, err := study.NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range without.Kept {
		for field, n := range p.Numbers {
			n.Values = nil
			p.Numbers[field] = n
		}
	}
	for _, c := range []struct {
		name  string
		check func(f study.Findings) Check
		want  string // of pairs
		welch string // where pairs are lost
	}{
		{"less", func(f study.Findings) Check { return Less(f, "loss", at("a", 10), at("b", 10)) }, Agrees, Undecided},
		{"more", func(f study.Findings) Check { return Less(f, "loss", at("b", 10), at("a", 10)) }, Differs, Undecided},
		{"neither", func(f study.Findings) Check { return Less(f, "loss", at("a", 10), at("a2", 10)) }, Undecided, Undecided},
		{"equal", func(f study.Findings) Check { return Less(f, "same", at("a", 10), at("b", 10)) }, Differs, Differs},
		{"within", func(f study.Findings) Check { return Within(f, "loss", at("a", 10), at("a2", 10), 0.05) }, Agrees, Undecided},
		{"not within", func(f study.Findings) Check { return Within(f, "loss", at("a", 10), at("c", 10), 0.05) }, Differs, Undecided},
		{"on the edge", func(f study.Findings) Check { return Within(f, "loss", at("a", 10), at("b", 10), 0.1) }, Undecided, Undecided},
		{"order", func(f study.Findings) Check { return Order(f, "loss", at("a", 10), at("b", 10), at("c", 10)) }, Agrees, Undecided},
		{"no order", func(f study.Findings) Check { return Order(f, "loss", at("a", 10), at("c", 10), at("b", 10)) }, Differs, Undecided},
		{"slope", func(f study.Findings) Check { return Slope(f, "x", "n", -1.1, -0.9, "method", "a") }, Agrees, Agrees},
		{"another slope", func(f study.Findings) Check { return Slope(f, "x", "n", -0.6, -0.4, "method", "a") }, Differs, Differs},
		{"below", func(f study.Findings) Check { return Below(f, "loss", at("a", 10), 12) }, Agrees, Agrees},
		{"not below", func(f study.Findings) Check { return Below(f, "loss", at("a", 10), 8) }, Differs, Differs},
		{"above", func(f study.Findings) Check { return Above(f, "loss", at("a", 10), 8) }, Agrees, Agrees},
		{"not above", func(f study.Findings) Check { return Above(f, "loss", at("a", 10), 12) }, Differs, Differs},
		{"near", func(f study.Findings) Check { return Near(f, "loss", at("a", 10), 10, 1) }, Agrees, Agrees},
		{"nearer than is known", func(f study.Findings) Check { return Near(f, "loss", at("a", 10), 10, 0.01) }, Undecided, Undecided},
		{"not near", func(f study.Findings) Check { return Near(f, "loss", at("a", 10), 5, 1) }, Differs, Differs},
	} {
		for _, by := range []struct {
			name string
			f    study.Findings
			want string
		}{{"results", res, c.want}, {"compact", whole, c.want}, {"without values", without, c.welch}} {
			claim, err := Claim{Statement: c.name}.By(c.check(by.f))
			if err != nil || claim.Verdict != by.want || claim.Found == "" || claim.From != "noisy" || claim.Measure == "" {
				t.Errorf("%s by %s: %q, %s, from %s, %v; want %s", c.name, by.name, claim.Verdict, claim.Found, claim.From, err, by.want)
			}
		}
	}
}

// TestDifference has the tests of package hypothesis for a truth.
func TestDifference(t *testing.T) {
	res := noisy(t, 20)
	a, b := at("a", 100), at("b", 100)
	xs, errA := res.Floats(a, "loss")
	ys, errB := res.Floats(b, "loss")
	if errA != nil || errB != nil {
		t.Fatal(errA, errB)
	}
	paired, err := hypothesis.PairedT(xs, ys)
	if err != nil {
		t.Fatal(err)
	}
	welch, err := hypothesis.WelchT(xs, ys)
	if err != nil {
		t.Fatal(err)
	}
	same := func(name string, f study.Findings, r *hypothesis.Result, tolerance float64) {
		t.Helper()
		d, err := difference(f, "loss", a, b)
		if err != nil {
			t.Fatal(err)
		}
		lo, hi := d.interval()
		wantLo, wantHi := r.Confidence(0.95)
		if !(math.Abs(lo-wantLo) < tolerance && math.Abs(hi-wantHi) < tolerance) {
			t.Errorf("%s: %v to %v, want %v to %v", name, lo, hi, wantLo, wantHi)
		}
	}
	same("paired", res, paired, 1e-9)
	c, err := study.NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	same("paired, of six digits", c, paired, 1e-4)
	for _, p := range c.Kept {
		n := p.Numbers["loss"]
		n.Values = nil
		p.Numbers["loss"] = n
	}
	same("Welch", c, welch, 1e-4)
}

// TestBy combines checks, and refuses what is not there.
func TestBy(t *testing.T) {
	res := noisy(t, 20)
	yes, no := Below(res, "loss", at("a", 10), 12), Below(res, "loss", at("a", 10), 8)
	open := Less(res, "loss", at("a", 10), at("a2", 10))
	for _, c := range []struct {
		checks []Check
		want   string
	}{{[]Check{yes, yes}, Agrees}, {[]Check{yes, no}, Differs}, {[]Check{open, yes}, Undecided}, {[]Check{open, no, open}, Differs}} {
		if got, err := (Claim{}).By(c.checks...); err != nil || got.Verdict != c.want {
			t.Errorf("%v, %v, want %s", got, err, c.want)
		}
	}
	for _, bad := range []Check{
		Less(res, "los", at("a", 10), at("b", 10)), Less(res, "loss", at("z", 10), at("b", 10)), Below(res, "loss", at("a", 11), 1),
		Slope(res, "x", "m", 0, 1, "method", "a"), Slope(res, "x", "n", 0, 1), Order(res, "loss", at("a", 10)), Within(res, "loss", at("a", 10), at("b", 10), 0),
	} {
		if got, err := (Claim{Statement: "s"}).By(bad); err == nil || got.Verdict != "" {
			t.Errorf("judged as %q, %v", got.Verdict, err)
		}
	}
	if _, err := (Claim{}).By(); err == nil {
		t.Error("a claim was judged by nothing")
	}
	// A single replication has no interval.
	if got, err := (Claim{}).By(Less(noisy(t, 1), "loss", at("a", 10), at("b", 10))); err != nil || got.Verdict != Undecided || strings.Contains(got.Found, "NaN") {
		t.Errorf("one replication: %+v, %v", got, err)
	}
}

func TestClaimsForPapers(t *testing.T) {
	cs := Claims{
		{Source: "Knuth 1997", Place: "3.2", Statement: "50% of a_i", Found: "0.5 ± 0.01", Verdict: Agrees, From: "noisy"},
		{Statement: "other", Verdict: Differs, From: "noisier; third"},
	}
	path := filepath.Join(t.TempDir(), "reproduction", "claims.json")
	if err := cs.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := ReadClaims(path)
	if err != nil || fmt.Sprint(back) != fmt.Sprint(cs) || len(back.Of("noisy")) != 1 || len(back.Of("third")) != 1 || back.Of("nois") != nil {
		t.Errorf("read back %v, %v", back, err)
	}
	for _, c := range []struct{ text, want string }{
		{cs.Markdown(), "| Knuth 1997, 3.2 | 50% of a_i | 0.5 ± 0.01 | agrees |\n|  | other |  | does not |\n"},
		{cs.LaTeX(), "Knuth 1997, 3.2 & 50\\% of a\\_i & 0.5 $\\pm$ 0.01 & agrees \\\\\n"},
		{cs.String(), "Knuth 1997, 3.2: 50% of a_i\n  agrees: 0.5 ± 0.01 (noisy)\n"},
		{cs.HTML(), "Knuth 1997, 3.2"},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s\nlacks %s", c.text, c.want)
		}
	}
}
