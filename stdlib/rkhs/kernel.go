package rkhs

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Kernel is a symmetric positive-definite function of two points. x and y
// have the same length; Eval must not keep or change them. Kernels are used
// from several goroutines at once.
type Kernel interface {
	Eval(x, y []float64) float64
}

// A BatchKernel also fills a whole column of a Gram matrix in one call:
// dst[i] = k(x_i, y) for each row x_i of X. A kernel whose Eval is a slow call
// (a function defined in a notebook cell) should have it.
type BatchKernel interface {
	Kernel
	Column(dst []float64, X *mat.Dense, y []float64)
}

// A DifferentiableKernel has a gradient in its first argument:
// dst[j] = dk(x, y)/dx_j.
type DifferentiableKernel interface {
	Kernel
	Gradient(dst, x, y []float64)
}

// Func makes a kernel of an ordinary function. That it is positive definite is
// the caller's word.
type Func func(x, y []float64) float64

// Eval calls f.
func (f Func) Eval(x, y []float64) float64 { return f(x, y) }

// ColumnFunc makes a kernel of a function that fills a whole column
// (see [BatchKernel]).
type ColumnFunc func(dst []float64, X *mat.Dense, y []float64)

// Eval calls f for the single row x.
func (f ColumnFunc) Eval(x, y []float64) float64 {
	var dst [1]float64
	f(dst[:], mat.NewDense(1, len(x), x), y)
	return dst[0]
}

// Column calls f.
func (f ColumnFunc) Column(dst []float64, X *mat.Dense, y []float64) { f(dst, X, y) }

// Validate reports what is wrong with the kernel's parameters, if anything:
// a bandwidth that is not positive, an even number where an odd one is due, a
// nil member of a sum. Kernels of other packages are valid if they are not nil.
func Validate(k Kernel) error {
	if k == nil {
		return fmt.Errorf("rkhs: kernel is nil")
	}
	if v, ok := k.(interface{ validate() error }); ok {
		return v.validate()
	}
	return nil
}

// positive returns an error unless v is a positive finite number.
func positive(name string, v float64) error {
	if v > 0 && !math.IsInf(v, 1) {
		return nil
	}
	return fmt.Errorf("rkhs: %s is %v, must be positive and finite", name, v)
}

// validBandwidth returns an error unless v is positive and finite, and so are its square and
// the inverse of that.
func validBandwidth(v float64) error {
	if err := positive("bandwidth", v); err != nil {
		return err
	}
	if v < 1e-150 || v > 1e150 {
		return fmt.Errorf("rkhs: bandwidth is %v, must be from 1e-150 to 1e150", v)
	}
	return nil
}

// notNegative returns an error unless v is a finite number of at least 0.
func notNegative(name string, v float64) error {
	if v >= 0 && !math.IsInf(v, 1) {
		return nil
	}
	return fmt.Errorf("rkhs: %s is %v, must be finite and not negative", name, v)
}

// finite returns an error if X has no element, or one that is NaN or infinite.
func finite(name string, X *mat.Dense) error {
	if X == nil || X.IsEmpty() {
		return fmt.Errorf("rkhs: %s is empty", name)
	}
	rows, _ := X.Dims()
	for i := range rows {
		for j, v := range X.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("rkhs: %s[%d,%d] is %v, must be finite", name, i, j, v)
			}
		}
	}
	return nil
}
