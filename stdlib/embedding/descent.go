package embedding

import (
	"context"
	"fmt"

	"gaucho/stdlib/kernelmachine"
)

// A Descent is stochastic gradient descent on the loss of the residuals as they are drawn:
//
//	f <- (1 - gamma lambda) f - gamma l'_y(r) dr/df.
//
// It is what dual embeddings are compared with. With the mean over several draws of z in a
// term ("sample average") it is biased, by less the more there are; with a sample of its own
// for each draw ("virtual samples", [Batch.Split]) it minimises an upper bound. On the
// residuals of [Bellman] it is the residual gradient method, whose limit minimises the mean
// squared residual, conditional variance included. On those of a [Conditional] it is a
// kernel MDP (Dai 2018, sections 5.6 and C.4).
type Descent struct {
	loss      kernelmachine.DualLoss
	settings  Settings
	f         Function
	at, along measured
	t         int
	c         []float64
}

// DefaultDescentSettings returns the settings that nil stands for in NewDescent: those of
// the solver with power = 1, steps 10/(10 + t).
func DefaultDescentSettings() *Settings {
	s := DefaultSettings()
	s.Power = 1
	return s
}

// NewDescent returns a descent that moves f. Of the settings those of the dual function
// have no meaning; those that are zero are [DefaultDescentSettings].
func NewDescent(loss kernelmachine.DualLoss, f Function, settings *Settings) (*Descent, error) {
	settings = fill(settings, DefaultDescentSettings()).resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	if _, err := newConjugate(loss); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, fmt.Errorf("embedding: f is nil")
	}
	if err := checkBall(f, settings.Radius); err != nil {
		return nil, err
	}
	return &Descent{loss: loss, settings: *settings, f: f, at: measured{f: f}, along: measured{f: f}}, nil
}

// Steps returns the number of steps taken.
func (s *Descent) Steps() int { return s.t }

// Step takes a step with a batch, at the cost of a step of the function.
func (s *Descent) Step(ctx context.Context, b *Batch) error { return s.Pair(ctx, b, b) }

// Pair takes a step with the residuals of one batch along the derivatives of another one of
// the same conditions: with independent next states in the two it is the residual gradient
// method without bias, which needs a simulator; with the terms of the state alone in the
// second it is TD(0).
func (s *Descent) Pair(ctx context.Context, value, along *Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if value == nil || along == nil {
		return errNoBatch
	}
	if value.N != along.N {
		return fmt.Errorf("embedding: batches of %d and %d samples, must be as many", value.N, along.N)
	}
	if err := (&conjugate{DualLoss: s.loss}).check(value.Y, value.N); err != nil {
		return err
	}
	if err := s.at.forward(ctx, value); err != nil {
		return err
	}
	g := s.settings.stepSize(s.t + 1)
	if err := diverged(s.t+1, g, s.at.residual); err != nil {
		return err
	}
	s.c = grow(s.c, value.N)
	var u, y, slope [1]float64
	for i, r := range s.at.residual {
		u[0] = r
		if value.Y != nil {
			y[0] = value.Y[i]
		}
		s.loss.Gradient(slope[:], u[:], y[:])
		s.c[i] = -g * slope[0] / float64(value.N)
	}
	if value != along {
		if err := s.along.forward(ctx, along); err != nil {
			return err
		}
	}
	if err := s.along.move(ctx, along, 1-g*s.settings.Penalty, s.c); err != nil {
		return err
	}
	project(s.f, s.settings.Radius)
	if s.t++; s.t > s.settings.AverageFrom {
		s.f.Count(g)
	}
	return nil
}

// Run takes a number of steps with the batches that next returns, given the index of the
// step from 0 on.
func (s *Descent) Run(ctx context.Context, steps int, next func(step int) (*Batch, error)) error {
	return run(ctx, steps, next, s.Step)
}

// Split returns the batch in which each of the m draws of a sample is a sample of its own,
// with the target of the one that it is from: virtual samples. The batch must have one term,
// without Mix or weights, and no offsets; Dual is left out.
func (b *Batch) Split() (*Batch, error) {
	if _, _, err := b.check(); err != nil {
		return nil, err
	}
	t := b.Terms[0]
	if len(b.Terms) != 1 || t.Mix != nil || t.Weights != nil || b.Offset != nil {
		return nil, fmt.Errorf("embedding: a batch to split has %d terms, must have one, without Mix, weights and offsets", len(b.Terms))
	}
	n, _ := t.X.Dims()
	out := &Batch{N: n, Terms: []Term{{X: t.X}}}
	if b.Y != nil {
		out.Y = make([]float64, n)
		for i := range out.Y {
			out.Y[i] = b.Y[i/(n/b.N)]
		}
	}
	return out, nil
}
