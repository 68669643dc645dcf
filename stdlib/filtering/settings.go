package filtering

import (
	"fmt"
	"math"

	"gaucho/stdlib/herding"
	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/rkhs"
)

// Points is the way in which a filter turns the predictive distribution of each
// step, a Gaussian mixture, into weighted particles. It is the only thing in
// which the filters differ.
type Points int

const (
	// MonteCarlo draws components by resampling, and states from them: the
	// bootstrap filter.
	MonteCarlo Points = iota
	// Sobol maps the next points of one Sobol sequence: the quasi-Monte Carlo
	// filter of Lacoste-Julien et al. 2015.
	Sobol
	// SequentialQMC maps a freshly scrambled Sobol sequence, with the components
	// in the order of a Hilbert curve (Gerber & Chopin, Sequential quasi Monte
	// Carlo, 2015).
	SequentialQMC
	// Herding builds a quadrature rule by Frank-Wolfe: sequential kernel herding.
	Herding
)

var pointsNames = []string{"Monte Carlo", "Sobol", "sequential QMC", "herding"}

// String returns the name.
func (p Points) String() string {
	if p < 0 || int(p) >= len(pointsNames) {
		return fmt.Sprintf("Points(%d)", int(p))
	}
	return pointsNames[p]
}

// Settings are the settings of a particle filter. Fields that are zero have the values
// of [DefaultSettings].
type Settings struct {
	// Particles is the number N of particles. Default 100. Herding may stop
	// with fewer.
	Particles int
	// Points chooses the filter. Default MonteCarlo.
	Points Points
	// Resampling is the scheme of MonteCarlo, or Never. Default Stratified.
	Resampling Resampling
	// Threshold is the share of N below which the effective sample size must
	// fall for MonteCarlo to resample; otherwise particles keep their weights.
	// Default 1: resample in every step. For 0, set Resampling to Never.
	Threshold float64
	// Skip is the point of the sequence that Sobol starts with. Default 100; the
	// first point, the origin, must not be used.
	Skip int
	// Shift randomises Sobol by a digital shift. Default false.
	Shift bool

	// Step chooses Herding's weights. Default herding.Fixed.
	Step herding.Step
	// Candidates is the size M of the pool that Herding draws from the
	// predictive in each step. Default 5,000.
	Candidates int
	// Bandwidth is that of Herding's Gaussian kernel on the states. Default 1.
	Bandwidth float64
	// Scale, if not nil, multiplies the coordinates of the states before the
	// kernel sees them; 0 leaves a coordinate out of the kernel. Default nil.
	Scale []float64
	// Whiten lets the kernel see states in units of the predictive's covariance
	// in each step; a bandwidth of 0.5 to 1 is a good choice then. Default false.
	Whiten bool
	// IgnoreLabels lets the kernel ignore the modes of a [JumpMarkov] model;
	// otherwise particles with different modes do not repel each other. Default
	// false.
	IgnoreLabels bool
	// MinActive is the share of N that Herding must use: where the fully
	// corrective method stops earlier (a large bandwidth collapses it to a few
	// particles), stratified draws from the predictive are added, with the
	// weight that they would have had. Default 0, as in the paper.
	MinActive float64

	// History keeps particles, weights and ancestors of all steps, for
	// smoothing, trajectories and the MMD to exact filters. Default false.
	History bool
	// Progress, if not nil, is called with how many steps are done, and of how many. The Report method of a
	// display.Progress is such a function.
	Progress func(done, total int)
}

// DefaultSettings returns the settings of the bootstrap filter with 100
// particles and stratified resampling in every step, and, for the other filters,
// the paper's.
func DefaultSettings() *Settings {
	return &Settings{Particles: 100, Threshold: 1, Skip: 100, Candidates: 5000, Bandwidth: 1}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

func (s *Settings) validate(width int) error {
	switch {
	case s.Particles < 1:
		return fmt.Errorf("filtering: number of particles is %d, must be at least 1", s.Particles)
	case s.Particles >= math.MaxInt32:
		return fmt.Errorf("filtering: number of particles is %d, must be below 2^31-1", s.Particles)
	case s.Points < MonteCarlo || s.Points > Herding:
		return fmt.Errorf("filtering: points are %v, must be one of the four of this package", s.Points)
	case s.Resampling < Stratified || s.Resampling > Never:
		return fmt.Errorf("filtering: resampling is %v, must be one of the five of this package", s.Resampling)
	case !(s.Threshold > 0 && s.Threshold <= 1):
		return fmt.Errorf("filtering: threshold is %v, must be above 0 and at most 1; resampling may be Never", s.Threshold)
	}
	switch s.Points {
	case Sobol:
		if s.Skip < 1 {
			return fmt.Errorf("filtering: number of points to skip is %d, must be at least 1", s.Skip)
		}
	case Herding:
		if s.Candidates < 1 {
			return fmt.Errorf("filtering: number of candidates is %d, must be at least 1", s.Candidates)
		}
		if err := rkhs.Validate(rkhs.Gaussian{Bandwidth: s.Bandwidth}); err != nil {
			return fmt.Errorf("filtering: bandwidth is %v, must be positive and finite", s.Bandwidth)
		}
		if s.Scale != nil && len(s.Scale) != width {
			return fmt.Errorf("filtering: %d scales for states of dimension %d", len(s.Scale), width)
		}
		for j, v := range s.Scale {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("filtering: scale %d is %v, must be finite", j, v)
			}
		}
		if !(s.MinActive >= 0 && s.MinActive <= 1) {
			return fmt.Errorf("filtering: least share of active particles is %v, must be from 0 to 1", s.MinActive)
		}
	}
	return nil
}
