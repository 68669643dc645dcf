package embedding

import (
	"context"
	"fmt"
	"math"

	"gaucho/stdlib/internal/settings"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/vec"
)

// None is 0 in settings whose zero means another default: a Shift of None, a Power of None
// for constant steps.
const None = settings.None

// Settings of a [Solver] or a [Descent]; fields that are zero have the values of
// [DefaultSettings] or [DefaultDescentSettings].
type Settings struct {
	// Steps are gamma_t = Eta/(Shift + t^Power), t = 1, 2, ... A power of 1/2 is that of
	// saddle points and the default, 1 that of the rivals that minimise; None makes them
	// constant.
	Eta, Shift, Power float64
	// DualFactor multiplies the steps of u.
	DualFactor float64
	// Penalty and DualPenalty are lambda_1 and lambda_2 of lambda_1/2 |f|^2 - lambda_2/2
	// |u|^2 in the objective (Dai 2018, equation C.6).
	Penalty, DualPenalty float64
	// Radius and DualRadius bound the norms of f and u: steps end with a projection onto
	// the ball. Infinity, the default, is none. Functions that have no norm have no ball.
	Radius, DualRadius float64
	// AverageFrom is the number of steps before the mean of the functions begins, the
	// weights of which are the step sizes.
	AverageFrom int
}

// DefaultSettings returns the steps 10/(10 + sqrt t), the same for u; no penalties, no
// balls, the mean of all steps.
func DefaultSettings() *Settings {
	return &Settings{Eta: 10, Shift: 10, Power: 0.5, DualFactor: 1, Radius: math.Inf(1), DualRadius: math.Inf(1)}
}

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

// fill is settings.Fill, for functions with a parameter of that package's name.
func fill(s, defaults *Settings) *Settings { return settings.Fill(s, defaults) }

// resolve returns the settings in effect, None as 0.
func (s *Settings) resolve() *Settings {
	out := s.WithDefaults()
	settings.Clear(&out.Shift, &out.Power)
	return out
}

func (s *Settings) check() error {
	for _, v := range []struct {
		name string
		x    float64
		ok   bool
	}{
		{"eta", s.Eta, s.Eta > 0 && !math.IsInf(s.Eta, 1)},
		{"factor of the dual step", s.DualFactor, s.DualFactor > 0 && !math.IsInf(s.DualFactor, 1)},
		{"radius", s.Radius, s.Radius > 0},
		{"dual radius", s.DualRadius, s.DualRadius > 0},
	} {
		if !v.ok {
			return fmt.Errorf("embedding: %s is %v, must be positive", v.name, v.x)
		}
	}
	for _, v := range []struct {
		name string
		x    float64
	}{{"shift", s.Shift}, {"power", s.Power}, {"penalty", s.Penalty}, {"dual penalty", s.DualPenalty}, {"number of steps before the mean", float64(s.AverageFrom)}} {
		if !(v.x >= 0) || math.IsInf(v.x, 1) {
			return fmt.Errorf("embedding: %s is %v, must be finite and not negative", v.name, v.x)
		}
	}
	return nil
}

// StepSize returns gamma_t, t = 1, 2, ...
func (s *Settings) StepSize(t int) float64 { return s.resolve().stepSize(t) }

// stepSize is StepSize of resolved settings.
func (s *Settings) stepSize(t int) float64 {
	if s.Power == 0.5 {
		return s.Eta / (s.Shift + math.Sqrt(float64(t)))
	}
	return s.Eta / (s.Shift + vec.Pow1(float64(t), s.Power))
}

// Diverged says that a residual grew without bound: the step size is too large for the
// features of the two functions.
type Diverged struct {
	Step   int     // at which a value was too large
	Size   float64 // the step size then
	Output float64 // a residual, or a value of u
}

func (e *Diverged) Error() string {
	return fmt.Sprintf("embedding: a residual is %.3g before step %d: the step size, %.3g there, is too large; make it smaller, or batches larger",
		e.Output, e.Step, e.Size)
}

// divergedAt is the residual from which a solver counts as diverged.
const divergedAt = 1e8

func diverged(t int, gamma float64, x ...[]float64) error {
	for _, x := range x {
		for _, v := range x {
			if !(math.Abs(v) <= divergedAt) {
				return &Diverged{t, gamma, v}
			}
		}
	}
	return nil
}

// A Solver is Embedding-SGD (Dai 2018, Algorithm 4; 6 to 8 with doubly stochastic
// functions): stochastic gradients for the saddle point
//
//	min_f max_u  E[ r(f) u(x, y) - l*_y(u(x, y)) ]
//
// in both functions at once, r the residual of a [Batch] and l* the conjugate of the loss.
// With f and u of a sample at their old values, a step is
//
//	f <- (1 - gamma lambda_1) f - gamma u dr/df
//	u <- (1 - gamma DualFactor lambda_2) u + gamma DualFactor (r - l*'_y(u)) phi(x, y),
//
// averaged over the samples of the batch. With steps of order 1/sqrt t in balls the gap of
// the mean functions falls as 1/sqrt t (theorem 22). u tends to the derivative of the loss at
// the conditional expectation of r: the noise-free residual for the square loss.
type Solver struct {
	loss     *conjugate
	settings Settings
	f, u     Function
	primal   measured
	t        int
	cut      []float64
	rise     []float64
}

// NewSolver returns a solver that moves f and u, which must not be the same value, though
// they may share features. The default settings serve nil.
func NewSolver(loss kernelmachine.DualLoss, f, u Function, settings *Settings) (*Solver, error) {
	c, err := newConjugate(loss)
	if err != nil {
		return nil, err
	}
	settings = settings.resolve()
	if err := settings.check(); err != nil {
		return nil, err
	}
	if f == nil || u == nil || f == u {
		return nil, fmt.Errorf("embedding: f and u are %T and %T, must be two functions", f, u)
	}
	if err := checkBall(f, settings.Radius); err != nil {
		return nil, err
	}
	if err := checkBall(u, settings.DualRadius); err != nil {
		return nil, err
	}
	return &Solver{loss: c, settings: *settings, f: f, u: u, primal: measured{f: f}}, nil
}

func checkBall(f Function, radius float64) error {
	if !math.IsInf(radius, 1) && math.IsNaN(f.Norm()) {
		return fmt.Errorf("embedding: radius is %v for a %T, must be infinite: it has no norm", radius, f)
	}
	return nil
}

// project brings f back into the ball.
func project(f Function, radius float64) {
	if math.IsInf(radius, 1) {
		return
	}
	if norm := f.Norm(); norm > radius {
		f.Scale(radius / norm)
	}
}

// Steps returns the number of steps taken.
func (s *Solver) Steps() int { return s.t }

// Step takes a step with a batch. On an error of the batch nothing has changed. Cost: that
// of a step of each function.
func (s *Solver) Step(ctx context.Context, b *Batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.checkDual(b); err != nil {
		return err
	}
	if err := s.primal.forward(ctx, b); err != nil {
		return err
	}
	u, err := s.u.Forward(ctx, b.Dual)
	if err != nil {
		return err
	}
	g := s.settings.stepSize(s.t + 1)
	if err := diverged(s.t+1, g, s.primal.residual, u); err != nil {
		return err
	}
	gu := g * s.settings.DualFactor
	s.cut, s.rise = grow(s.cut, b.N), grow(s.rise, b.N)
	for i, r := range s.primal.residual {
		y := 0.0
		if b.Y != nil {
			y = b.Y[i]
		}
		rise, cut := s.loss.rise(r, u[i], y)
		s.cut[i], s.rise[i] = -g*cut/float64(b.N), gu*rise/float64(b.N)
	}
	if err := s.primal.move(ctx, b, 1-g*s.settings.Penalty, s.cut); err != nil {
		return err
	}
	if err := s.u.Move(ctx, 1-gu*s.settings.DualPenalty, s.rise); err != nil {
		return err
	}
	project(s.f, s.settings.Radius)
	project(s.u, s.settings.DualRadius)
	if s.t++; s.t > s.settings.AverageFrom {
		s.f.Count(g)
		s.u.Count(g)
	}
	return nil
}

func (s *Solver) checkDual(b *Batch) error {
	if b == nil {
		return errNoBatch
	}
	if b.Dual == nil {
		return fmt.Errorf("embedding: a batch has no Dual, must have %d rows", b.N)
	}
	if n, _ := b.Dual.Dims(); n != b.N {
		return fmt.Errorf("embedding: Dual has %d rows for %d samples", n, b.N)
	}
	if i, j := notFiniteAt(b.Dual); i >= 0 {
		return fmt.Errorf("embedding: Dual[%d,%d] is %v, must be finite", i, j, b.Dual.At(i, j))
	}
	if b.Y != nil && len(b.Y) != b.N {
		return fmt.Errorf("embedding: %d targets for %d samples", len(b.Y), b.N)
	}
	return s.loss.check(b.Y, b.N)
}

// Run takes a number of steps with the batches that next returns, given the index of the
// step from 0 on.
func (s *Solver) Run(ctx context.Context, steps int, next func(step int) (*Batch, error)) error {
	return run(ctx, steps, next, s.Step)
}

func run(ctx context.Context, steps int, next func(int) (*Batch, error), step func(context.Context, *Batch) error) error {
	if next == nil {
		return fmt.Errorf("embedding: the function that returns batches is nil")
	}
	for i := range steps {
		b, err := next(i)
		if err != nil {
			return err
		}
		if err := step(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// Residuals returns the residuals of the batch at f as it is, or at its mean.
func Residuals(ctx context.Context, f Function, b *Batch, mean bool) ([]float64, error) {
	if f == nil {
		return nil, fmt.Errorf("embedding: the function is nil")
	}
	rows, d, err := b.check()
	if err != nil {
		return nil, err
	}
	values := f.Values
	if mean {
		values = f.Mean
	}
	m := measured{f: f}
	at, err := values(ctx, m.stack(b, rows, d))
	if err != nil {
		return nil, err
	}
	return b.residuals(make([]float64, b.N), at), nil
}
