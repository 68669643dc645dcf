package rl

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
	"gaucho/stdlib/vec"
)

// NewDualAC returns the dual actor-critic of Dai et al. 2018 (Boosting the actor with
// dual critic), the saddle point of the linear program of the Bellman equation,
//
//	min_V max_{alpha, pi} (1 - discount^k) E V(s) + E_{alpha, pi} delta_k(V) + ValueFit E (G_k - V(s))^2,
//
// for delta_k = G_k - V(s) and G_k = sum_{t<k} discount^t r_t + discount^k V(s_k). V is a
// network and takes ValueSteps of Adam; the law alpha of states is closed, the share
// max(0, 1 + delta/2) of standardised delta; the policy goes by the natural gradient of
// the alpha-weighted delta log pi with the divergence MaxDivergence. The dissertation
// gives no formulas, and the paper leaves alpha's clipping open: this is our reading. nil
// settings are the defaults.
func NewDualAC(system System, settings *PolicyGradientSettings, rng *rand.Rand) (*PolicyGradient, error) {
	g, err := newPolicyGradient("DualAC", system, settings, rng)
	if err != nil {
		return nil, err
	}
	if g.Value, err = nn.NewMLP(sizes(g.Policy.input.width(), g.settings.Hidden, 1), nn.Tanh, g.Common.rng()); err != nil {
		return nil, err
	}
	g.judge = g.dual
	g.improve = func(ctx context.Context, b *stepBatch, _ *rand.Rand) (float64, float64, error) {
		return g.natural(ctx, b, false)
	}
	return g, nil
}

// dual fits V and returns alpha times delta, standardised.
func (g *PolicyGradient) dual(episodes []*Episode) ([]float64, error) {
	set := &g.settings
	// Rows of now are states before steps; ahead[i] is the row of later that is k steps
	// on, with what is paid until then and the factor of V there.
	now, _ := steps(episodes)
	n, d := now.Dims()
	both := mat.NewDense(2*n, d, nil)
	paid, factor := make([]float64, n), make([]float64, n)
	at := 0
	for _, e := range episodes {
		for t := range e.Len() {
			end := min(t+set.Horizon, e.Len())
			copy(both.RawRowView(at), now.RawRowView(at))
			copy(both.RawRowView(n+at), e.Inputs.RawRowView(end))
			scale := 1.0
			for j := t; j < end; j++ {
				paid[at] += scale * set.RewardScale * e.Rewards[j]
				scale *= set.Discount
			}
			if !(e.Terminated && end == e.Len()) {
				factor[at] = scale
			}
			at++
		}
	}
	pass, grad, dout := g.Value.NewPass(2*n), make([]float64, len(g.Value.Params())), mat.NewDense(2*n, 1, nil)
	delta, alpha := make([]float64, n), make([]float64, n)
	share := 1 / float64(n)
	for step := 0; ; step++ {
		out := pass.Forward(both)
		for i := range n {
			delta[i] = paid[i] + factor[i]*out.At(n+i, 0) - out.At(i, 0)
		}
		copy(alpha, delta)
		standardize(alpha)
		for i, a := range alpha {
			alpha[i] = max(0, 1+a/2)
		}
		vec.Scale(alpha, float64(n)/vec.Sum(alpha), alpha)
		if step == set.ValueSteps {
			break
		}
		for i := range n {
			pull := alpha[i] + 2*set.ValueFit*delta[i]
			dout.Set(i, 0, share*(1-factor[i]-pull))
			dout.Set(n+i, 0, share*factor[i]*pull)
		}
		pass.Backward(grad, dout, nil)
		nn.ClipNorm(grad, 10)
		g.ValueAdam.Step(g.Value.Params(), grad)
	}
	vec.Mul(delta, delta, alpha)
	standardize(delta)
	return delta, nil
}
