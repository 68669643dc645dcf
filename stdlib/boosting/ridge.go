package boosting

import (
	"context"
	"fmt"

	"gaucho/stdlib/vec"
)

// Ridge returns kernel ridge regression K (K + lambda I)^-1 y as a function: the
// least of sum (y_i - f(x_i))^2/n + lambda ||f||^2. It decomposes the design if
// that was not done before; then O(n r) for each lambda. Boosting for t steps
// compares with lambda = 1/(alpha t). Errors: lambda that is not positive,
// responses that are not finite or not as many as points.
func Ridge(ctx context.Context, design *Design, y []float64, lambda float64) (*Model, error) {
	s := DefaultSettings()
	if err := s.check(design, y); err != nil {
		return nil, err
	}
	if !(lambda > 0) {
		return nil, fmt.Errorf("boosting: lambda is %v, must be positive", lambda)
	}
	spectrum, err := design.Spectrum(ctx)
	if err != nil {
		return nil, err
	}
	c := spectrum.Coordinates(y)
	for j, mu := range spectrum.Values {
		c[j] /= mu + lambda
	}
	return &Model{design, spectrum.Combine(c)}, nil
}

// RidgeRisk returns E ||f - f*||_n^2 of ridge regression for responses f* + noise
// of the given variance.
func (s *Spectrum) RidgeRisk(target []float64, variance, lambda float64) Risk {
	star := s.Coordinates(target)
	r := Risk{Bias: max(vec.Dot(target, target)/float64(s.N)-vec.Dot(star, star), 0)}
	for j, mu := range s.Values {
		k := mu / (mu + lambda)
		r.Bias += (1 - k) * (1 - k) * star[j] * star[j]
		r.Variance += variance / float64(s.N) * k * k
	}
	return r
}
