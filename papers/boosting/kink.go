package boosting

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/boosting"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

const (
	kinkStep     = 0.75
	kinkVariance = 0.5
)

// kinkProblem is the generator of section 3.4.
type kinkProblem struct {
	design    *boosting.Design
	loss      boosting.Loss
	target, y []float64
}

func newKinkProblem(loss string, n int, rng *rand.Rand) (*kinkProblem, error) {
	x := boosting.Grid(n)
	design, err := boosting.NewDesign(context.Background(), rkhs.Min{Offset: 1}, x)
	if err != nil {
		return nil, err
	}
	b := &kinkProblem{design: design, target: boosting.Kink(x)}
	switch loss {
	case "squared":
		b.loss, b.y = boosting.Squared{}, boosting.Squared{}.Draw(b.target, kinkVariance, rng)
	case "logistic":
		l := boosting.Logistic{Trials: 5}
		b.loss, b.y = l, l.Draw(b.target, rng)
	case "exponential":
		for i := range b.target {
			b.target[i] /= 2 // the minimiser for labels of which f is the logit
		}
		l := boosting.Exponential{Trials: 5, Mean: true}
		b.loss, b.y = l, l.Draw(b.target, rng)
	default:
		return nil, fmt.Errorf("no loss %q", loss)
	}
	return b, nil
}

// errors boosts and returns the squared errors of iterations 0 to T, of the iterates and of their averages.
func (b *kinkProblem) errors(ctx context.Context, T int) (last, averaged []float64, err error) {
	s := boosting.DefaultSettings()
	s.Loss, s.Step = b.loss, kinkStep
	booster, err := boosting.NewBooster(ctx, b.design, b.y, s)
	if err != nil {
		return nil, nil, err
	}
	n := float64(len(b.target))
	for t := 0; t <= T; t++ {
		last = append(last, vec.SquaredDistance(booster.Fitted(), b.target)/n)
		averaged = append(averaged, vec.SquaredDistance(booster.Averaged(), b.target)/n)
		if t%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err := booster.Step(); err != nil {
			return nil, nil, err
		}
	}
	return last, averaged, nil
}
