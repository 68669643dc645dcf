package rl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// Embedding returns the two terms of SBEED's objective on a finite process with
// uniform states and actions, a value V and softmax logits of a policy: primal is
// E[(delta - V(s))^2] and dual is E[(delta - rho(s, a))^2] for the best rho, the mean of
// delta = r + discount V(s') - lambda log pi(a|s) given s and a, so that the objective is
// primal - eta dual. gradV and gradLogits, unless nil, are set to its gradients (Dai
// 2018, theorem 27). One pass over the table.
func (m *MDP) Embedding(v []float64, logits *mat.Dense, discount, lambda, eta float64, gradV []float64, gradLogits *mat.Dense) (primal, dual float64) {
	clear(gradV)
	share := 1 / float64(m.States()*m.Actions())
	prob, logp := make([]float64, m.Actions()), make([]float64, m.Actions())
	for s, row := range m.table {
		logLaw(logp, prob, logits.RawRowView(s))
		var slope []float64
		if gradLogits != nil {
			slope = gradLogits.RawRowView(s)
			clear(slope)
		}
		for a, outcomes := range row {
			rho := -lambda * logp[a]
			for _, t := range outcomes {
				rho += t.Probability * (t.Reward + discount*t.after(v))
			}
			push := 0.0
			for _, t := range outcomes {
				delta := t.Reward + discount*t.after(v) - lambda*logp[a]
				weight, gap, noise := share*t.Probability, delta-v[s], delta-rho
				primal += weight * gap * gap
				dual += weight * noise * noise
				push += weight * (gap - eta*noise)
				if gradV != nil {
					gradV[s] -= 2 * weight * gap
					if !t.End {
						gradV[t.Next] += 2 * weight * discount * (gap - eta*noise)
					}
				}
			}
			if slope != nil {
				push *= -2 * lambda
				vec.Axpy(slope, -push, prob)
				slope[a] += push
			}
		}
	}
	return primal, dual
}

// after returns the value of the next state, 0 after an end.
func (t *Transition) after(v []float64) float64 {
	if t.End {
		return 0
	}
	return v[t.Next]
}

// logLaw sets prob to the softmax of the logits and logp to its logarithm.
func logLaw(logp, prob, logits []float64) {
	vec.Offset(logp, -vec.LogSumExp(logits), logits)
	vec.Exp(prob, logp)
}

// TabularSettings are those of [TabularSBEED]. Fields that are zero have the values of
// [DefaultTabularSettings]; None is 0 for Discount and Eta.
type TabularSettings struct {
	Discount, Lambda, Eta float64
	Updates, Batch        int
	// Rate is Adam's for V and logits, DualRate the step of rho for one sample; both fall
	// to a tenth, as 1/(1 + 9 j/Updates) in update j.
	Rate, DualRate float64
	// Policy, states x actions, is held fixed if it is given: to learn V alone is a
	// convex problem, which [ConsistentValue] solves exactly for eta = 1.
	Policy *mat.Dense
	// Population takes exact expectations, with the best rho, in place of samples.
	Population bool
}

// DefaultTabularSettings returns the settings that nil stands for: discount 0.9, lambda
// 0.1, eta 1; 300,000 updates of 32 samples with rates 0.003 and 0.2.
func DefaultTabularSettings() *TabularSettings {
	return &TabularSettings{Discount: 0.9, Lambda: 0.1, Eta: 1, Updates: 300000, Batch: 32, Rate: 0.003, DualRate: 0.2}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *TabularSettings) WithDefaults() *TabularSettings {
	return settings.Fill(s, DefaultTabularSettings())
}

// resolve returns the settings in effect, None as 0.
func (s *TabularSettings) resolve() *TabularSettings {
	out := s.WithDefaults()
	settings.Clear(&out.Discount, &out.Eta)
	return out
}

func (t *TabularSettings) check() error {
	switch {
	case !(t.Lambda > 0) || math.IsInf(t.Lambda, 1):
		return fmt.Errorf("rl: lambda is %v, must be positive", t.Lambda)
	case !(t.Eta >= 0 && t.Eta <= 1):
		return fmt.Errorf("rl: eta is %v, must be from 0 to 1", t.Eta)
	case t.Updates < 1 || t.Batch < 1:
		return fmt.Errorf("rl: %d updates of %d samples, must be at least 1 each", t.Updates, t.Batch)
	case !(t.Rate > 0) || !(t.DualRate > 0 && t.DualRate <= 1):
		return fmt.Errorf("rl: rates are %v and %v, must be positive and the second at most 1", t.Rate, t.DualRate)
	}
	return checkDiscount(t.Discount)
}

// TabularSBEED learns V and a softmax policy of a finite process by SBEED with a
// stochastic dual (Dai 2018, algorithm 12), from states and actions that are drawn
// uniformly and one next state for each: the limit in which every function has a
// table. With eta = 1 it comes to the solution of the smoothed Bellman equation, which
// [ValueIteration] gives exactly, and with less to one that is biased by the variance of
// V(s'). It returns V and the policy. Cost: Updates (Batch + states actions). nil settings
// are the defaults.
func TabularSBEED(ctx context.Context, m *MDP, settings *TabularSettings, rng *rand.Rand) (v []float64, policy *mat.Dense, err error) {
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, nil, err
	}
	if m == nil {
		return nil, nil, fmt.Errorf("rl: process is nil")
	}
	if rng == nil && !settings.Population {
		return nil, nil, fmt.Errorf("rl: rng is nil, must be a source of random numbers")
	}
	states, actions := m.States(), m.Actions()
	params, grad := make([]float64, states*(1+actions)), make([]float64, states*(1+actions))
	t := &table{
		m: m, settings: settings, v: params[:states], logits: mat.NewDense(states, actions, params[states:]),
		gradV: grad[:states], gradLogits: mat.NewDense(states, actions, grad[states:]),
		rho: make([]float64, states*actions), logp: mat.NewDense(states, actions, nil), prob: mat.NewDense(states, actions, nil),
	}
	if settings.Policy != nil {
		if err := m.checkPositive(settings.Policy); err != nil {
			return nil, nil, err
		}
		vec.Log(params[states:], mat.DenseCopyOf(settings.Policy).RawMatrix().Data)
		params, grad = params[:states], grad[:states]
	}
	adam := nn.NewAdam(settings.Rate)
	for j := range settings.Updates {
		if j%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		fall := 1 / (1 + 9*float64(j)/float64(settings.Updates))
		if settings.Population {
			m.Embedding(t.v, t.logits, settings.Discount, settings.Lambda, settings.Eta, t.gradV, t.gradLogits)
		} else {
			t.sample(settings.DualRate*fall, rng)
		}
		adam.Rate = settings.Rate * fall
		adam.Step(params, grad)
	}
	t.law()
	return t.v, t.prob, nil
}

// A table is SBEED's state on a finite process.
type table struct {
	m             *MDP
	settings      *TabularSettings
	v, rho, gradV []float64
	logits        *mat.Dense
	gradLogits    *mat.Dense
	logp, prob    *mat.Dense
}

// law computes the policy from its logits.
func (t *table) law() {
	for s := range t.v {
		logLaw(t.logp.RawRowView(s), t.prob.RawRowView(s), t.logits.RawRowView(s))
	}
}

// sample moves rho by a batch of samples and sets the gradients of V and the logits.
func (t *table) sample(dualRate float64, rng *rand.Rand) {
	t.law()
	clear(t.gradV)
	set, k := t.settings, t.m.Actions()
	slope, logp, prob := t.gradLogits.RawMatrix().Data, t.logp.RawMatrix().Data, t.prob.RawMatrix().Data
	clear(slope)
	share := 1 / float64(set.Batch)
	for range set.Batch {
		at := rng.IntN(len(t.rho))
		s, a := at/k, at%k
		next := t.m.draw(s, a, rng)
		delta := next.Reward + set.Discount*next.after(t.v) - set.Lambda*logp[at]
		gap, noise := delta-t.v[s], delta-t.rho[at]
		// What the sample itself moves rho by must not enter its gradient.
		t.rho[at] += dualRate * noise
		noise *= set.Eta
		t.gradV[s] -= 2 * share * gap
		if !next.End {
			t.gradV[next.Next] += 2 * share * set.Discount * (gap - noise)
		}
		push := -2 * set.Lambda * share * (gap - noise)
		for b := range k {
			slope[s*k+b] -= push * prob[s*k+b]
		}
		slope[s*k+a] += push
	}
}
