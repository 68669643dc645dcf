package hypothesis

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"gaucho/internal/scale"
)

// OneSampleT tests whether the mean of the law of x is the given one, by Student's t
// test: normal values, or many. x has at least 2 values.
func OneSampleT(x []float64, mean float64) (*Result, error) {
	if err := check(2, x); err != nil {
		return nil, err
	}
	if mean-mean != 0 {
		return nil, fmt.Errorf("hypothesis: mean is %v, must be finite", mean)
	}
	r := &Result{Test: "One-sample t test", Null: fmt.Sprintf("the mean is %v", mean), Of: "mean", N: sizes(x)}
	return r.oneMean(x, mean, scale.Largest(x))
}

// PairedT tests whether the mean difference between two values of each unit, x - y, is
// 0, by Student's t test: normal differences, or many. There are at least 2 units.
func PairedT(x, y []float64) (*Result, error) {
	if err := checkPairs(2, x, y); err != nil {
		return nil, err
	}
	r := &Result{Test: "Paired t test", Null: "the mean difference is 0", Of: "mean difference", N: sizes(x)}
	return r.oneMean(differences(x, y), 0, max(scale.Largest(x), scale.Largest(y)))
}

func differences(x, y []float64) []float64 {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	return d
}

// oneMean fills in the t test of a mean of values that were computed from some of the given size.
func (r *Result) oneMean(x []float64, null, size float64) (*Result, error) {
	if scale.ConstantAt(x, size) {
		return nil, errSame
	}
	unit := scale.Of(x)
	mean, variance := stat.MeanVariance(scale.Divided(x, unit), nil)
	n := float64(len(x))
	return r.student(mean, mean-null/unit, math.Sqrt(variance/n), n-1, unit)
}

var errSame = errors.New("hypothesis: all values of a sample are the same: their mean has no error to compare it with")

// student fills in a t test: how far the estimate is from the hypothesis, and its standard error, in a unit.
func (r *Result) student(estimate, distance, se, df, unit float64) (*Result, error) {
	if !(se > 0) {
		return nil, errSame
	}
	r.Symbol, r.Estimate, r.Statistic = "t", estimate*unit, distance/se
	r.tailsT(df)
	r.interval = intervalT(estimate, se, df, unit)
	return r, nil
}

// WelchT tests whether two independent samples have the same mean, whatever their
// variances (Welch 1947): normal values, or many. Each has at least 2 values. The
// estimate is the mean of x less that of y.
func WelchT(x, y []float64) (*Result, error) {
	r := &Result{Test: "Welch's t test"}
	return r.twoMeans(x, y, func(vx, vy, n, m float64) (se, df float64) {
		a, b := vx/n, vy/m
		return math.Sqrt(a + b), (a + b) * (a + b) / (a*a/(n-1) + b*b/(m-1))
	})
}

// StudentT is [WelchT] for samples whose laws have the same variance.
func StudentT(x, y []float64) (*Result, error) {
	r := &Result{Test: "Student's t test"}
	return r.twoMeans(x, y, func(vx, vy, n, m float64) (se, df float64) {
		pooled := ((n-1)*vx + (m-1)*vy) / (n + m - 2)
		return math.Sqrt(pooled * (1/n + 1/m)), n + m - 2
	})
}

// twoMeans fills in a t test of two means, by the standard error and degrees of freedom for variances and sizes.
func (r *Result) twoMeans(x, y []float64, law func(vx, vy, n, m float64) (se, df float64)) (*Result, error) {
	if err := check(2, x, y); err != nil {
		return nil, err
	}
	size := max(scale.Largest(x), scale.Largest(y))
	if scale.ConstantAt(x, size) && scale.ConstantAt(y, size) {
		return nil, errSame
	}
	unit := scale.For(size)
	mx, vx := stat.MeanVariance(scale.Divided(x, unit), nil)
	my, vy := stat.MeanVariance(scale.Divided(y, unit), nil)
	se, df := law(vx, vy, float64(len(x)), float64(len(y)))
	r.Null, r.Of, r.N = "the means are the same", "difference of means", sizes(x, y)
	return r.student(mx-my, mx-my, se, df, unit)
}

// Anova tests whether two or more independent samples have the same mean, by the one-way
// analysis of variance: normal values of the same variance. The estimate is the share
// of the variance that lies between the samples. A formula with more than one factor is
// for package regression.
func Anova(samples ...[]float64) (*Result, error) {
	if err := checkGroups(samples); err != nil {
		return nil, err
	}
	unit, total, n, same := scale.Of(samples...), 0.0, 0, true
	size := scale.Largest(slices.Concat(samples...))
	scaled := make([][]float64, len(samples))
	for i, x := range samples {
		same = same && scale.ConstantAt(x, size)
		scaled[i] = scale.Divided(x, unit)
		total += sum(scaled[i])
		n += len(x)
	}
	grand, between, within := total/float64(n), 0.0, 0.0
	for _, x := range scaled {
		mean := sum(x) / float64(len(x))
		between += float64(len(x)) * (mean - grand) * (mean - grand)
		for _, v := range x {
			within += (v - mean) * (v - mean)
		}
	}
	a, b := float64(len(samples)-1), float64(n-len(samples))
	switch {
	case b < 1:
		return nil, fmt.Errorf("hypothesis: %d samples have %d values, must have more values than samples", len(samples), n)
	case same:
		return nil, fmt.Errorf("hypothesis: the values of each sample are all the same: their means have no error to compare them with")
	}
	r := &Result{Test: "One-way analysis of variance", Null: "the means are the same", Symbol: "F", Statistic: between / a / (within / b),
		DF: []float64{a, b}, Of: "share of the variance between samples", Estimate: between / (between + within), N: sizes(samples...)}
	r.P = upperF(r.Statistic, a, b)
	r.noSides()
	return r, nil
}

func checkGroups(samples [][]float64) error {
	if len(samples) < 2 {
		return fmt.Errorf("hypothesis: number of samples is %d, must be at least 2", len(samples))
	}
	return check(1, samples...)
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}
