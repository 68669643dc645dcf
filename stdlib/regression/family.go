package regression

import (
	"fmt"
	"math"

	"gaucho/internal/words"
	"gaucho/stdlib/vec"
)

// A Family is the distribution of the response around its mean.
type Family int

// The families, with their canonical links.
const (
	Gaussian Family = iota // the mean is the linear predictor
	Binomial               // 0 or 1; the log odds of 1 are the linear predictor
	Poisson                // a count; the log of the mean is the linear predictor
)

// String returns the name: gaussian, binomial or poisson.
func (f Family) String() string { return [...]string{"gaussian", "binomial", "poisson"}[f] }

// response returns the response as numbers, of a factor 0 for the first level and 1 for the other.
func (f Family) response(v *variable, rows []int) ([]float64, error) {
	if v.isFactor() {
		if len(v.levels) != 2 {
			return nil, fmt.Errorf("regression: the response %s has %s (%s), must have two", v.label, words.Count(len(v.levels), "value"), short(v.levels))
		}
		y := make([]float64, len(v.codes))
		for i, k := range v.codes {
			y[i] = float64(k)
		}
		return y, nil
	}
	sum := 0.0
	for i, y := range v.x {
		sum += y
		switch {
		case f == Binomial && y != 0 && y != 1:
			return nil, fmt.Errorf("regression: the response %s is %g in row %d, must be 0 or 1, a bool, or a text with two values", v.label, y, rows[i])
		case f == Poisson && (y < 0 || y != math.Floor(y)):
			return nil, fmt.Errorf("regression: the response %s is %g in row %d, must be a count such as 0, 1 or 2", v.label, y, rows[i])
		}
	}
	if f == Binomial && (sum == 0 || sum == float64(len(v.x))) || f == Poisson && sum == 0 {
		return nil, fmt.Errorf("regression: the response %s is %g in all rows used, so there is nothing to explain", v.label, v.x[0])
	}
	return v.x, nil
}

// start is where the iteration begins: means near the data, none at the edge.
func (f Family) start(y, weight float64) float64 {
	if f == Binomial {
		return (weight*y + 0.5) / (weight + 1)
	}
	return y + 0.1
}

func (f Family) link(mean float64) float64 {
	switch f {
	case Binomial:
		return vec.Log1(mean / (1 - mean))
	case Poisson:
		return vec.Log1(mean)
	}
	return mean
}

// mean is the inverse of the link, kept off the edges, where the variance would be zero.
func (f Family) mean(eta float64) float64 {
	const edge = 0x1p-52
	switch f {
	case Binomial:
		return min(max(vec.Logistic1(eta), edge), 1-edge)
	case Poisson:
		return max(vec.Exp1(eta), edge)
	}
	return eta
}

// variance of the response by its mean, which for canonical links is the derivative of the mean by the linear predictor too.
func (f Family) variance(mean float64) float64 {
	switch f {
	case Binomial:
		return mean * (1 - mean)
	case Poisson:
		return mean
	}
	return 1
}

// deviance of one observation: twice the log likelihood that is missing to that of a model with mean y.
func (f Family) deviance(y, mean float64) float64 {
	switch {
	case f == Gaussian:
		return (y - mean) * (y - mean)
	case f == Binomial && y == 1:
		return -2 * vec.Log1(mean)
	case f == Binomial:
		return -2 * vec.Log1p1(-mean)
	case y == 0:
		return 2 * mean
	}
	return 2 * (y*vec.Log1(y/mean) - (y - mean))
}

// saturated is the log likelihood of one observation whose deviance is zero.
func (f Family) saturated(y float64) float64 {
	if f != Poisson || y == 0 {
		return 0
	}
	l, _ := math.Lgamma(y + 1)
	return y*vec.Log1(y) - y - l
}

// statistic is the name of the statistic of a coefficient: t where the error is estimated, z elsewhere.
func (f Family) statistic() string {
	if f == Gaussian {
		return "t"
	}
	return "z"
}
