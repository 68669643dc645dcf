package boosting

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/vec"
)

// Settings of boosting. Fields that are zero have the values of [DefaultSettings].
type Settings struct {
	// Loss is Squared{} by default.
	Loss Loss
	// Step is alpha, 0.75 by default, as in Yang 2018, section 3.4. Theory has
	// min(1/M, M) or m/M.
	Step float64
	// Iterations is the number of steps, 200 by default.
	Iterations int
	// Limit is the size of a value at which exponential loss counts as diverged, 50 by default.
	Limit float64
	// Keep keeps the coefficients of every iterate, Iterations x n numbers, for Path.At.
	Keep bool
	// Target, if not nil, is the truth f* at the sample: the path records the
	// errors of the iterates and of their averages.
	Target []float64
	// Validation, if not nil, is held-out data on which the loss is recorded.
	Validation *Data
	// Patience, if positive, ends boosting when the validation loss has not fallen
	// below its least for that many steps.
	Patience int
}

// DefaultSettings returns the settings that nil stands for.
func DefaultSettings() *Settings {
	return &Settings{Loss: Squared{}, Step: 0.75, Iterations: 200, Limit: 50}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// Data are points, rows of X, with their responses.
type Data struct {
	X *mat.Dense
	Y []float64
}

// A Diverged error says that steps were too long: values grew beyond Limit.
type Diverged struct {
	Step      float64
	Iteration int
	Largest   float64 // absolute value of the iterate
}

func (d *Diverged) Error() string {
	return fmt.Sprintf("boosting: step %v is too long: values reached %.3g at iteration %d", d.Step, d.Largest, d.Iteration)
}

// A Booster is boosting under way, step by step.
type Booster struct {
	design     *Design
	y          []float64
	loss       Loss
	step       float64
	limit      float64
	t          int
	f, mean    []float64 // iterate and average of iterates 1 to t
	coef, sums []float64 // of the iterate, and the sum of them
	g, kg      []float64
}

// NewBooster returns boosting at f = 0. It uses Loss, Step and Limit of the
// settings; nil means the defaults. Errors: responses that the loss does not
// take, as many of them as points, a step that is not positive or so long that
// steps diverge: 2/(M lambda_max(K)) or more, where M bounds the loss's second
// derivative.
func NewBooster(ctx context.Context, design *Design, y []float64, settings *Settings) (*Booster, error) {
	s := settings.WithDefaults()
	if err := s.check(design, y); err != nil {
		return nil, err
	}
	if err := stable(ctx, design, s); err != nil {
		return nil, err
	}
	n := design.n
	floats := make([]float64, 6*n)
	part := func() (p []float64) { p, floats = floats[:n:n], floats[n:]; return p }
	return &Booster{design: design, y: y, loss: s.Loss, step: s.Step, limit: s.Limit,
		f: part(), mean: part(), coef: part(), sums: part(), g: part(), kg: part()}, nil
}

func (s *Settings) check(design *Design, y []float64) error {
	switch {
	case design == nil:
		return errors.New("boosting: design is nil")
	case s.Loss == nil:
		return errors.New("boosting: loss is nil")
	case len(y) != design.n:
		return fmt.Errorf("boosting: %d responses for %d points", len(y), design.n)
	case !(s.Step > 0) || math.IsInf(s.Step, 1):
		return fmt.Errorf("boosting: step is %v, must be positive", s.Step)
	case s.Iterations < 1:
		return fmt.Errorf("boosting: iterations is %d, must be at least 1", s.Iterations)
	case !(s.Limit > 0):
		return fmt.Errorf("boosting: limit is %v, must be positive", s.Limit)
	case s.Patience < 0 || s.Patience > 0 && s.Validation == nil:
		return fmt.Errorf("boosting: patience is %d, must be 0 without validation data and at least 0 with them", s.Patience)
	case s.Target != nil && len(s.Target) != design.n:
		return fmt.Errorf("boosting: %d values of the target for %d points", len(s.Target), design.n)
	}
	if v := s.Validation; v != nil {
		if v.X == nil || v.X.IsEmpty() {
			return errors.New("boosting: validation data are empty")
		}
		if rows, _ := v.X.Dims(); rows != len(v.Y) {
			return fmt.Errorf("boosting: %d validation responses for %d points", len(v.Y), rows)
		}
		if err := s.Loss.Check(v.Y); err != nil {
			return fmt.Errorf("%w (validation)", err)
		}
	}
	return s.Loss.Check(y)
}

// stable refuses steps that diverge: the trace bounds lambda_max at no cost.
func stable(ctx context.Context, design *Design, s *Settings) error {
	curvature := s.Loss.Constants(math.Inf(1)).Smooth
	if math.IsInf(curvature, 1) || math.IsNaN(curvature) || s.Step*curvature*design.Trace() < 2 {
		return nil
	}
	largest, err := design.LambdaMax(ctx)
	if err != nil {
		return err
	}
	if bound := 2 / (curvature * largest); s.Step >= bound {
		return fmt.Errorf("boosting: step is %v, must be below 2/(M lambda_max) = %.4g", s.Step, bound)
	}
	return nil
}

// Step takes a step. The error is a *Diverged, and the iterate then not of use.
func (b *Booster) Step() error {
	b.loss.Gradient(b.g, b.y, b.f)
	b.design.matrix.mul(b.kg, b.g)
	b.t++
	share := 1 / float64(b.t)
	largest := 0.0
	for i, v := range b.kg {
		f := b.f[i] - b.step*v
		b.f[i] = f
		b.mean[i] += share * (f - b.mean[i])
		largest = max(largest, math.Abs(f))
	}
	vec.Axpy(b.coef, -b.step, b.g)
	vec.Add(b.sums, b.sums, b.coef)
	if _, ok := b.loss.(Squared); !ok && !(largest <= b.limit) {
		return &Diverged{b.step, b.t, largest}
	}
	return nil
}

// Iteration returns the number of steps taken.
func (b *Booster) Iteration() int { return b.t }

// Fitted returns the iterate at the sample, Averaged the average of all iterates
// but the first, 0. The slices are the booster's and change with each step.
func (b *Booster) Fitted() []float64 { return b.f }

// Averaged returns the average of iterates 1 to t at the sample.
func (b *Booster) Averaged() []float64 { return b.mean }

// Loss returns the mean loss of the iterate.
func (b *Booster) Loss() float64 { return b.loss.Value(b.y, b.f) }

// Norm returns the iterate's norm in the RKHS, in O(n).
func (b *Booster) Norm() float64 {
	return math.Sqrt(max(vec.Dot(b.coef, b.f), 0) / float64(len(b.f)))
}

// Model returns the iterate as a function, AveragedModel the average.
func (b *Booster) Model() *Model {
	return &Model{b.design, append([]float64(nil), b.coef...)}
}

// AveragedModel returns the average of iterates 1 to t as a function; 0 before
// the first step.
func (b *Booster) AveragedModel() *Model {
	m := &Model{b.design, append([]float64(nil), b.sums...)}
	vec.Scale(m.coef, 1/float64(max(b.t, 1)), m.coef)
	return m
}

// A Path is what boosting went through. Its series start with iterate 0.
type Path struct {
	Loss []float64 // mean loss at the sample
	Norm []float64 // norm in the RKHS
	// Error and AveragedError are ||f - f*||_n^2 of the iterates and of their
	// averages, Excess the iterates' excess risk; nil without a target.
	Error, AveragedError, Excess []float64
	// Validation is the loss on the held-out data; nil without them.
	Validation []float64
	// Last is the last iterate, Averaged the average of all but iterate 0, at the sample.
	Last, Averaged []float64
	// Model and AveragedModel are these as functions.
	Model, AveragedModel *Model

	coef *mat.Dense
}

// Boost runs boosting and records its path: O(n) for a step besides the product
// with K, and that with the validation data. Errors: those of NewBooster,
// settings out of range, a *Diverged, a cancelled context.
func Boost(ctx context.Context, design *Design, y []float64, settings *Settings) (*Path, error) {
	s := settings.WithDefaults()
	b, err := NewBooster(ctx, design, y, s)
	if err != nil {
		return nil, err
	}
	p := &Path{}
	if s.Keep {
		p.coef = mat.NewDense(s.Iterations, design.n, nil)
	}
	held, err := newHoldOut(ctx, design, s)
	if err != nil {
		return nil, err
	}
	p.record(b, s, held)
	for t := range s.Iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := b.Step(); err != nil {
			return nil, err
		}
		if p.coef != nil {
			p.coef.SetRow(t, b.coef)
		}
		held.step(b)
		p.record(b, s, held)
		if held != nil && s.Patience > 0 && len(p.Validation)-1-argMin(p.Validation) >= s.Patience {
			break
		}
	}
	p.Last, p.Averaged, p.Model, p.AveragedModel = b.f, b.mean, b.Model(), b.AveragedModel()
	return p, nil
}

func (p *Path) record(b *Booster, s *Settings, held *holdOut) {
	p.Loss, p.Norm = append(p.Loss, b.Loss()), append(p.Norm, b.Norm())
	if s.Target != nil {
		n := float64(b.design.n)
		p.Error = append(p.Error, vec.SquaredDistance(b.f, s.Target)/n)
		p.AveragedError = append(p.AveragedError, vec.SquaredDistance(b.mean, s.Target)/n)
		p.Excess = append(p.Excess, b.loss.Excess(s.Target, b.f))
	}
	if held != nil {
		p.Validation = append(p.Validation, b.loss.Value(held.y, held.f))
	}
}

// At returns iterate t as a function. It panics unless Settings.Keep was set and
// 1 <= t <= the number of steps.
func (p *Path) At(t int) *Model {
	if p.coef == nil || t < 1 || t >= len(p.Loss) {
		panic(fmt.Sprintf("boosting: no iterate %d is kept", t))
	}
	return &Model{p.Model.design, append([]float64(nil), p.coef.RawRowView(t-1)...)}
}

// holdOut follows the iterates at held-out points.
type holdOut struct {
	cross crossing
	y, f  []float64
	kg    []float64
}

func newHoldOut(ctx context.Context, design *Design, s *Settings) (*holdOut, error) {
	if s.Validation == nil {
		return nil, nil
	}
	c, rows, err := design.cross(ctx, s.Validation.X)
	if err != nil {
		return nil, fmt.Errorf("%w (validation)", err)
	}
	return &holdOut{c, s.Validation.Y, make([]float64, rows), make([]float64, rows)}, nil
}

func (h *holdOut) step(b *Booster) {
	if h == nil {
		return
	}
	h.cross.mul(h.kg, b.g)
	vec.Axpy(h.f, -b.step, h.kg)
}

// argMin returns the index of the least element, the first of equals.
func argMin(x []float64) int {
	at := 0
	for i, v := range x {
		if v < x[at] || x[at] != x[at] { // NaN is never the least
			at = i
		}
	}
	return at
}
