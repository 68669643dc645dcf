package fdr

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// plainly is the level as convolved's formula says it, over all discoveries.
func (c *convolved) plainly(keys []int) float64 {
	gamma := func(j int) float64 { return c.table.at(j) }
	sum := c.w0 * gamma(c.clock)
	if len(keys) > 0 {
		sum += (c.total - c.w0) * gamma(c.clock-keys[0])
		var rest float64
		for _, k := range keys[1:] {
			rest += gamma(c.clock - k)
		}
		sum += c.total * rest
	}
	if c.investing {
		return sum / (1 + sum)
	}
	return min(c.scale*sum, c.ceiling)
}

// TestLevelsAgainstTheFormula: discoveries that come at random, all the time, in bursts with silence after them, and many at one
// reading of the clock.
func TestLevelsAgainstTheFormula(t *testing.T) {
	values := make([]float64, 300)
	for j := range values {
		values[j] = 1 / float64(len(values)*(1+j/100))
	}
	const n = 2500
	for _, method := range []Method{LORDPlusPlus, LORDDiscard, SAFFRON, ADDIS, Investing} {
		for _, gamma := range []Gamma{LogGamma(LogPaper), CubicGamma(0.139307), PowerGamma(1.1), PowerGamma(1.6), PowerGamma(4), PowerGamma(9), GammaValues(values)} {
			for pattern, signal := range map[string]func(i int) bool{
				"one in ten": func(i int) bool { return i%10 == 0 },
				"all":        func(int) bool { return true },
				"bursts":     func(i int) bool { return i%1200 < 300 },
			} {
				rng := rand.New(rand.NewPCG(3, 4))
				s := DefaultSettings(method, 0.1)
				s.Gamma = gamma
				rule, err := NewRule(method, 0.1, s)
				if err != nil {
					t.Fatal(err)
				}
				c, worst := rule.(*convolved), 0.0
				var keys []int
				for i := range n {
					if i%19 == 0 {
						if want := c.plainly(keys); c.Level() != want {
							worst = max(worst, math.Abs(c.Level()-want)/want)
						}
					}
					p := rng.Float64()
					if signal(i) {
						p = 0
					}
					reject := p <= c.Level()
					if err := c.Observe(p, reject); err != nil {
						t.Fatal(err)
					}
					if reject {
						keys = append(keys, c.clock-1)
					}
				}
				if name := fmt.Sprintf("%s, %v, %s", method, gamma.Form, pattern); !(worst < 1e-12) || len(keys) < 200 {
					t.Errorf("%s %v: a level is off by %.1e of it; %d discoveries", name, gamma.Power, worst, len(keys))
				}
			}
		}
	}
}

// TestLevelsWork counts the values of gamma that are summed: for a level some dozens for each doubling of n, where one in ten
// p-values is a discovery.
func TestLevelsWork(t *testing.T) {
	for _, method := range []Method{LORDPlusPlus, SAFFRON, ADDIS} {
		for _, n := range []int{1 << 11, 1 << 13, 1 << 15} {
			rng := rand.New(rand.NewPCG(5, 6))
			rule, err := NewRule(method, 0.1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				p := rng.Float64()
				if i%10 == 0 {
					p = 0
				}
				if err := rule.Observe(p, p <= rule.Level()); err != nil {
					t.Fatal(err)
				}
			}
			if terms, most := rule.(*convolved).later.terms, n*64*(bits.Len(uint(n))-5); terms > most {
				t.Errorf("%s of %d p-values summed %d values of gamma, want at most %d", method, n, terms, most)
			}
		}
	}
}
