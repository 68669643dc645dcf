package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Arms give rewards. Arm 0 is the control.
type Arms interface {
	// Len returns the number of arms with the control, at least 2.
	Len() int
	// Scale returns sigma such that every arm's rewards are sigma-sub-Gaussian:
	// E exp(s (X - EX)) <= exp(s^2 sigma^2 / 2) for all s.
	Scale() float64
	// Pull returns a new reward of an arm.
	Pull(arm int, rng *rand.Rand) float64
}

// Gaussian arms have normal rewards of common standard deviation Sigma.
type Gaussian struct {
	Means []float64
	Sigma float64
}

// Bernoulli arms give 1 with probability Means[i] and 0 else; they are
// 1/2-sub-Gaussian.
type Bernoulli struct {
	Means []float64
}

// Bounded arms give rewards in [Low, High], whatever their distribution; they are
// (High-Low)/2-sub-Gaussian. N is their number with the control.
type Bounded struct {
	N         int
	Low, High float64
	Draw      func(arm int, rng *rand.Rand) float64
}

// SubGaussian arms have any rewards that are Sigma-sub-Gaussian. N is their
// number with the control.
type SubGaussian struct {
	N     int
	Sigma float64
	Draw  func(arm int, rng *rand.Rand) float64
}

var _, _, _, _ Arms = Gaussian{}, Bernoulli{}, Bounded{}, SubGaussian{}

func (a Gaussian) Len() int       { return len(a.Means) }
func (a Gaussian) Scale() float64 { return a.Sigma }
func (a Gaussian) Pull(arm int, rng *rand.Rand) float64 {
	return a.Means[arm] + a.Sigma*rng.NormFloat64()
}

func (a Bernoulli) Len() int       { return len(a.Means) }
func (a Bernoulli) Scale() float64 { return 0.5 }
func (a Bernoulli) Pull(arm int, rng *rand.Rand) float64 {
	if rng.Float64() < a.Means[arm] {
		return 1
	}
	return 0
}

func (a Bounded) Len() int                             { return a.N }
func (a Bounded) Scale() float64                       { return (a.High - a.Low) / 2 }
func (a Bounded) Pull(arm int, rng *rand.Rand) float64 { return a.Draw(arm, rng) }

func (a SubGaussian) Len() int                             { return a.N }
func (a SubGaussian) Scale() float64                       { return a.Sigma }
func (a SubGaussian) Pull(arm int, rng *rand.Rand) float64 { return a.Draw(arm, rng) }

// checkArms says what is wrong with arms.
func checkArms(arms Arms) error {
	if arms == nil {
		return fmt.Errorf("bandit: arms is nil, must have a reward model")
	}
	var draw func(int, *rand.Rand) float64
	switch a := arms.(type) {
	case Gaussian:
		for i, m := range a.Means {
			if math.IsNaN(m) || math.IsInf(m, 0) {
				return fmt.Errorf("bandit: mean of arm %d is %v, must be finite", i, m)
			}
		}
	case Bernoulli:
		for i, m := range a.Means {
			if !(m >= 0 && m <= 1) {
				return fmt.Errorf("bandit: mean of arm %d is %v, must be in [0, 1]", i, m)
			}
		}
	case Bounded:
		if draw = a.Draw; draw == nil {
			return fmt.Errorf("bandit: Draw is nil, arms must have a reward model")
		}
	case SubGaussian:
		if draw = a.Draw; draw == nil {
			return fmt.Errorf("bandit: Draw is nil, arms must have a reward model")
		}
	}
	if n := arms.Len(); n < 2 {
		return fmt.Errorf("bandit: %d arms, must be a control and at least one more", n)
	}
	if s := arms.Scale(); !(s > 0) || math.IsInf(s, 1) {
		return fmt.Errorf("bandit: scale of the arms is %v, must be positive", s)
	}
	return nil
}

// IsNull says whether no mean exceeds the control's, means[0], by more than
// epsilon: whether the null hypothesis of an experiment is true (Yang 2018, eq.
// 4.1).
func IsNull(means []float64, epsilon float64) bool {
	for _, m := range means[1:] {
		if m > means[0]+epsilon {
			return false
		}
	}
	return true
}
