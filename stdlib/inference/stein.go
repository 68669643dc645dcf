package inference

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/nn"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// SteinSettings are those of [SteinVariational]. Fields that are zero have the values
// of [DefaultSteinSettings].
type SteinSettings struct {
	Particles int
	Batch     int
	Steps     int
	Step      Schedule // the rate of Adam, in the unit of theta

	// Watch, if not nil, is called after every step with the observations visited so far and the particles, which it must
	// not change or keep. An error ends the run.
	Watch func(visited int, theta *mat.Dense) error
}

// DefaultSteinSettings returns 500 particles, 1,000 steps with batches of 100, and rates 0.1 (1 + t/100)^-0.6.
func DefaultSteinSettings() *SteinSettings {
	return &SteinSettings{Particles: 500, Batch: 100, Steps: 1000, Step: Power(0.1, 100, 0.6)}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *SteinSettings) WithDefaults() *SteinSettings {
	return settings.Fill(s, DefaultSteinSettings())
}

// SteinVariational moves particles drawn from the prior by Stein variational gradient descent (Liu and Wang 2016), in the
// direction
//
//	1/m sum_j [k(theta_j, theta_i) grad log post(theta_j) + grad_j k(theta_j, theta_i)],
//
// with the gradient of the batch's posterior and a Gaussian kernel whose bandwidth is median/sqrt(2 log(m+1)) of the particles'
// distances, scaled by Adam. It returns them with equal weights. Nil settings are the defaults. A step costs m^2
// exponentials and 2 m^2 d multiplications.
func SteinVariational(ctx context.Context, m Differentiable, s *SteinSettings, rng *rand.Rand) (rkhs.Measure, error) {
	if rng == nil {
		return rkhs.Measure{}, fmt.Errorf("inference: rng is nil, must be a source of random numbers")
	}
	defaults := DefaultSteinSettings()
	s = fill(s, defaults, &defaults.Batch, observations(m))
	if err := s.check(m); err != nil {
		return rkhs.Measure{}, err
	}
	d := m.Dim()
	theta := mat.NewDense(s.Particles, d, nil)
	m.SamplePrior(theta, rng)
	batches := newBatcher(m.Len(), s.Batch, rng)
	adam := nn.NewAdam(0)
	direction := mat.NewDense(s.Particles, d, nil)
	for t := 1; t <= s.Steps; t++ {
		if adam.Rate = s.Step(t); !(adam.Rate > 0) {
			return rkhs.Measure{}, fmt.Errorf("inference: step size at step %d is %v, must be positive", t, adam.Rate)
		}
		if err := steinDirection(ctx, direction, m, theta, batches, rng); err != nil {
			return rkhs.Measure{}, err
		}
		vec.Scale(direction.RawMatrix().Data, -1, direction.RawMatrix().Data)
		adam.Step(theta.RawMatrix().Data, direction.RawMatrix().Data)
		if s.Watch != nil {
			if err := s.Watch(t*s.Batch, theta); err != nil {
				return rkhs.Measure{}, err
			}
		}
	}
	return rkhs.Measure{X: theta}, nil
}

// steinDirection sets dst to the direction at the particles.
func steinDirection(ctx context.Context, dst *mat.Dense, m Differentiable, theta *mat.Dense, batches *batcher, rng *rand.Rand) error {
	n, d := theta.Dims()
	grad, prior := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
	m.LogLikelihoodGradient(grad, theta, batches.next())
	m.LogPriorGradient(prior, theta)
	median, err := rkhs.MedianBandwidth(theta, 200, rng)
	if err != nil {
		return err
	}
	h := median / math.Sqrt(2*vec.Log1(float64(n+1)))
	// Columns of w: the gradients less theta/h^2, and ones; grad_j k = (theta_i - theta_j) k / h^2.
	w := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := w.RawRowView(i)
		for k := range d {
			row[k] = prior.At(i, k) + batches.scale()*grad.At(i, k) - theta.At(i, k)/(h*h)
		}
		row[d] = 1
	}
	sums, err := linalg.Radial{Profile: linalg.Gaussian, Scale: h}.Mul(ctx, nil, theta, linalg.NewPoints(theta), w)
	if err != nil {
		return err
	}
	for i := range n {
		row := sums.RawRowView(i)
		for k := range d {
			dst.Set(i, k, (row[k]+theta.At(i, k)/(h*h)*row[d])/float64(n))
		}
	}
	return nil
}

func (s *SteinSettings) check(m Model) error {
	if err := validate(m, true); err != nil {
		return err
	}
	if err := checkAtLeast("Particles", s.Particles, 2); err != nil {
		return err
	}
	if err := checkAtLeast("Steps", s.Steps, 1); err != nil {
		return err
	}
	if s.Step == nil {
		return fmt.Errorf("inference: Step is nil, must be given")
	}
	return checkBatch(s.Batch, m.Len())
}
