package rl

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"

	"gaucho/internal/atomicfile"
	"gaucho/stdlib/internal/settings"
)

// Progress describes an iteration.
type Progress struct {
	Iteration int // from 1
	Steps     int // of the environment, from the start
	// Return is the mean undiscounted return of the episodes of the iteration, with
	// the noise by which the learner explores.
	Return float64
	// Evaluated is the mean return of episodes apart by mean or likeliest actions,
	// where [Train] has played them after the iteration; NaN elsewhere.
	Evaluated float64
	// Loss is the mean over updates of what the method makes small, Divergence the KL
	// divergence of the new from the old policy, where the method knows it.
	Loss, Divergence float64
}

// TrainSettings say what [Train] does besides learning. Fields that are zero have the
// values of [DefaultTrainSettings].
type TrainSettings struct {
	// Observe, if not nil, is called after each iteration.
	Observe func(Progress)
	// Every is the number of environment steps from one evaluation to the next; 0 is
	// no evaluation. Steps of evaluations are not counted, and the learner does not
	// see them. An evaluation plays Episodes episodes of System, nil for the learner's,
	// from the same starts each time, which Seed chooses.
	Every, Episodes int
	System          System
	Seed            uint64
	// Stop, if not nil, ends training early after an iteration for which it is true,
	// such as one with Evaluated >= 475.
	Stop func(Progress) bool
	// Checkpoint, if not empty, is a file that holds learner and curve after each
	// evaluation, and at the end. Where it exists Train goes on from it, with the same
	// bits as if it had never stopped.
	Checkpoint string
}

// DefaultTrainSettings returns the settings that nil stands for: no evaluation, which
// otherwise has ten episodes.
func DefaultTrainSettings() *TrainSettings { return &TrainSettings{Episodes: 10} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *TrainSettings) WithDefaults() *TrainSettings {
	return settings.Fill(s, DefaultTrainSettings())
}

// Train does iterations until the learner has seen the given number of environment
// steps in all, and returns their progress. nil settings are the defaults. After an
// error the curve up to it is returned too.
func Train(ctx context.Context, l Learner, steps int, settings *TrainSettings) (Curve, error) {
	if l == nil {
		return nil, fmt.Errorf("rl: learner is nil")
	}
	settings = settings.WithDefaults()
	switch {
	case steps < 1:
		return nil, fmt.Errorf("rl: steps is %d, must be at least 1", steps)
	case settings.Every < 0:
		return nil, fmt.Errorf("rl: every is %d steps, must be at least 0", settings.Every)
	case settings.Episodes < 1:
		return nil, fmt.Errorf("rl: episodes is %d, must be at least 1", settings.Episodes)
	}
	system := settings.System
	if known, ok := l.(interface{ System() System }); ok && system == nil {
		system = known.System()
	}
	if system == nil && settings.Every > 0 {
		return nil, fmt.Errorf("rl: system is nil, must be what evaluations are played in for a learner without a method System")
	}
	c, err := readCheckpoint(settings.Checkpoint, l)
	if err != nil {
		return nil, err
	}
	for len(c) == 0 || c[len(c)-1].Steps < steps {
		before := 0
		if len(c) > 0 {
			before = c[len(c)-1].Steps
		}
		p, err := l.Iterate(ctx)
		if err != nil {
			return c, err
		}
		p.Evaluated = math.NaN()
		due := settings.Every > 0 && (p.Steps/settings.Every > before/settings.Every || p.Steps >= steps)
		if due {
			rng := rand.New(rand.NewPCG(settings.Seed, 0))
			if p.Evaluated, err = Evaluate(ctx, system, l.Actor(), settings.Episodes, rng); err != nil {
				return c, err
			}
		}
		c = append(c, p)
		if settings.Observe != nil {
			settings.Observe(p)
		}
		stop := settings.Stop != nil && settings.Stop(p)
		if due || stop || p.Steps >= steps {
			if err := writeCheckpoint(settings.Checkpoint, l, c); err != nil {
				return c, err
			}
		}
		if stop {
			break
		}
	}
	return c, nil
}

// A checkpoint is what Train writes into a file.
type checkpoint struct {
	Learner []byte
	Curve   Curve
}

func readCheckpoint(path string, l Learner) (Curve, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("rl: checkpoint: %w", err)
	}
	defer file.Close()
	var c checkpoint
	if err := gob.NewDecoder(file).Decode(&c); err != nil {
		return nil, fmt.Errorf("rl: %s is no checkpoint of Train: %w", path, err)
	}
	if err := l.UnmarshalBinary(c.Learner); err != nil {
		return nil, fmt.Errorf("%w; %s belongs to another learner", err, path)
	}
	return c.Curve, nil
}

// writeCheckpoint replaces the file only once the new one is whole.
func writeCheckpoint(path string, l Learner, c Curve) error {
	if path == "" {
		return nil
	}
	data, err := l.MarshalBinary()
	if err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error { return gob.NewEncoder(w).Encode(checkpoint{data, c}) })
	if err != nil {
		return fmt.Errorf("rl: checkpoint: %w", err)
	}
	return nil
}

// A Curve is the progress of a learner, an entry an iteration.
type Curve []Progress

// Evaluations returns the curve of evaluations: the iterations that were followed by
// one, with Evaluated for their Return.
func (c Curve) Evaluations() Curve {
	var out Curve
	for _, p := range c {
		if p.Evaluated == p.Evaluated {
			p.Return = p.Evaluated
			out = append(out, p)
		}
	}
	return out
}

// Len and Curve let package plotting draw a curve in a line,
//
//	plotting.New("Pendulum", "steps", "return").Curves(curve)
//
// as one of returns while learning and, where there are evaluations, one of these.
func (c Curve) Len() int {
	if len(c.Evaluations()) > 0 {
		return 2
	}
	return 1
}

// Curve returns name, steps and returns of one of the two; its band has no width.
func (c Curve) Curve(i int) (name string, steps, returns, low, high []float64) {
	name = "while learning"
	if i == 1 {
		name, c = "mean actions", c.Evaluations()
	}
	for _, p := range c {
		steps, returns = append(steps, float64(p.Steps)), append(returns, p.Return)
	}
	return name, steps, returns, returns, returns
}

// At returns the return at the given numbers of environment steps: the mean over the
// iterations that ended in the window before each, or the last one before that. Where
// there is none it is the first iteration's. So curves of methods that iterate at
// different times are on one grid, as bands over seeds need them.
func (c Curve) At(steps []int, window int) []float64 {
	out := make([]float64, len(steps))
	for i, s := range steps {
		sum, n, last := 0.0, 0, 0
		for j, p := range c {
			if p.Steps > s {
				break
			}
			last = j
			if p.Steps > s-window {
				sum += p.Return
				n++
			}
		}
		if n == 0 && len(c) > 0 {
			sum, n = c[last].Return, 1
		}
		out[i] = sum / float64(n)
	}
	return out
}

// Final returns the mean return of the last n iterations.
func (c Curve) Final(n int) float64 {
	sum := 0.0
	last := c[max(0, len(c)-n):]
	for _, p := range last {
		sum += p.Return
	}
	return sum / float64(len(last))
}
