package kernelmachine

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// state is what a machine has learned: after step t the function is
//
//	f_t = scale sum_{s<=t} u_s . phi_s,
//
// so that shrinking it is one multiplication. The mean of f_i over the averaged
// steps i has the coefficients
//
//	(past_s + u_s (sum - entry_s)) / averaged,
//
// where sum is that of the scales of averaged steps, entry_s what it was before
// step s, and past_s what was when the scale was last set to 1.
type state struct {
	per, width, outputs int // blocks in a panel, functions in a block

	t        int
	drawn    int     // evaluations of basis functions in training
	offset   float64 // r of Novelty
	scale    float64
	folds    int          // how often the scale was set to 1 again
	u        []*mat.Dense // panels of coefficients, per*width x outputs
	averaged int
	sum      float64
	offsets  float64      // sum of the offsets after averaged steps
	entry    []float64    // of a machine that averages
	past     []*mat.Dense // the same
}

// shrink multiplies the function by factor.
func (s *state) shrink(factor float64) {
	s.scale *= factor
	if a := math.Abs(s.scale); a < 1e-100 || a > 1e100 {
		s.fold()
	}
}

// fold sets the scale to 1.
func (s *state) fold() {
	for p, panel := range s.u {
		if s.past != nil {
			s.addMeans(s.past[p], p)
		}
		panel.Scale(s.scale, panel)
	}
	clear(s.entry)
	s.sum, s.scale = 0, 1
	s.folds++
}

// coefficients returns the coefficients of step b+1, before the scale.
func (s *state) coefficients(b int) *mat.Dense {
	lo := b % s.per * s.width
	return s.u[b/s.per].Slice(lo, lo+s.width, 0, s.outputs).(*mat.Dense)
}

// addMeans adds u_s (sum - entry_s) to dst for the blocks of a panel.
func (s *state) addMeans(dst *mat.Dense, panel int) {
	for b := panel * s.per; b < min((panel+1)*s.per, len(s.entry)); b++ {
		weight := s.sum - s.entry[b]
		lo := b % s.per * s.width * s.outputs
		to, u := dst.RawMatrix().Data[lo:], s.u[panel].RawMatrix().Data[lo:]
		for i := range s.width * s.outputs {
			to[i] += float64(weight * u[i])
		}
	}
}

// add appends the coefficients of a step.
func (s *state) add(a *mat.Dense, average bool) {
	panel := s.t / s.per
	if panel == len(s.u) {
		s.u = append(s.u, mat.NewDense(s.per*s.width, s.outputs, nil))
		if average {
			s.past = append(s.past, mat.NewDense(s.per*s.width, s.outputs, nil))
		}
	}
	if average {
		s.entry = append(s.entry, s.sum)
	}
	s.coefficients(s.t).Scale(1/s.scale, a)
	s.t++
}

// count takes the function as it is into the mean.
func (s *state) count() {
	s.sum += s.scale
	s.offsets += s.offset
	s.averaged++
}

// evaluate returns the function at points, or the mean of the averaged functions.
func (s *state) evaluate(ctx context.Context, basis basis, x *mat.Dense, mean bool) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, s.outputs, nil)
	for p, theta := range s.u {
		if mean {
			theta = mat.DenseCopyOf(s.past[p])
			s.addMeans(theta, p)
		}
		blocks := min(s.per, s.t-p*s.per)
		part := theta.Slice(0, blocks*s.width, 0, s.outputs).(*mat.Dense)
		if err := basis.addPanel(ctx, out, x, p, 0, blocks, part); err != nil {
			return nil, err
		}
	}
	factor := s.scale
	if mean {
		factor = 1 / float64(s.averaged)
	}
	out.Scale(factor, out)
	return out, nil
}

// A follower keeps the outputs of a state at fixed points while it learns, before the
// scale: sums over the steps in their order, so that a follower which starts late comes
// to the same bits.
type follower struct {
	x            *mat.Dense
	v            *mat.Dense // nil before the first step
	steps, folds int
}

// catchUp brings the outputs to the state's step. Cost n R (d + C) for each step.
func (f *follower) catchUp(ctx context.Context, s *state, basis basis) error {
	if f.v == nil || f.folds != s.folds {
		n, _ := f.x.Dims()
		f.v, f.steps, f.folds = mat.NewDense(n, s.outputs, nil), 0, s.folds
	}
	for f.steps < s.t {
		b := f.steps
		if err := basis.addPanel(ctx, f.v, f.x, b/s.per, b%s.per, b%s.per+1, s.coefficients(b)); err != nil {
			f.v = nil
			return err
		}
		f.steps++
	}
	return nil
}
