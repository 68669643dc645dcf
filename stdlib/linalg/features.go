package linalg

import (
	"context"
	"fmt"
	"math"

	"gaucho/stdlib/internal/asm"
	"gaucho/stdlib/internal/parallel"

	"gonum.org/v1/gonum/mat"
)

// Features are random Fourier features phi_j(x) = c cos(w_j'x + b_j), j < D, of
// Rahimi and Recht 2007: with c = sqrt(2/D) and frequencies w_j drawn from a
// kernel's spectral measure, phi(x)'phi(y) estimates k(x, y).
//
// Products with the n x D matrix of features never store it: blocks of it are
// made in cache and used.
type Features struct {
	w     *mat.Dense // d x D, a frequency a column
	phase []float64
	scale float64
}

// NewFeatures returns the features with the frequencies in the columns of w,
// d x D, the phases b and the factor c = scale; 0 means sqrt(2/D). w and b are
// kept, not copied.
func NewFeatures(w *mat.Dense, phase []float64, scale float64) (*Features, error) {
	if w == nil || w.IsEmpty() {
		return nil, fmt.Errorf("linalg: NewFeatures: there are no frequencies")
	}
	_, count := w.Dims()
	if len(phase) != count {
		return nil, fmt.Errorf("linalg: %d phases for %d frequencies", len(phase), count)
	}
	if scale == 0 {
		scale = math.Sqrt(2 / float64(count))
	}
	return &Features{w, phase, scale}, nil
}

// Dims returns the dimension of points and the number of features.
func (f *Features) Dims() (d, count int) { return f.w.Dims() }

// Blocks of the feature matrix: 64 x 256 numbers, 128 KB. featureBlock divides
// sums, so it is the same everywhere.
const featureBlock = 256

// fill sets tile, rows x n with row length featureBlock, to the features from
// onwards of the rows of x, without the factor.
func (f *Features) fill(tile []float64, x view, rows, d, from, n int) {
	for i := range rows {
		copy(tile[i*featureBlock:i*featureBlock+n], f.phase[from:from+n])
	}
	r := f.w.RawMatrix()
	gemmStrip(rows, 0, n, d, 1, x, view{r.Data[from:], r.Stride, 1}, 1, tile, featureBlock, full)
	if n == featureBlock {
		asm.Cos(tile[:rows*n], tile[:rows*n])
		return
	}
	for i := range rows {
		row := tile[i*featureBlock : i*featureBlock+n]
		asm.Cos(row, row)
	}
}

func (f *Features) check(x *mat.Dense) error {
	_, d := x.Dims()
	if want, _ := f.w.Dims(); d != want {
		return fmt.Errorf("linalg: x has points of dimension %d, the features of %d, must be equal", d, want)
	}
	return nil
}

// Map sets dst to the feature matrix of the points in the rows of x, n x D, and
// returns it; nil is allocated.
func (f *Features) Map(ctx context.Context, dst, x *mat.Dense) (*mat.Dense, error) {
	if err := f.check(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	_, count := f.w.Dims()
	dst = shape("Map", dst, n, count)
	o := dst.RawMatrix()
	err := f.blocks(ctx, x, func(tile []float64, lo, hi, from, to int) {
		for i := lo; i < hi; i++ {
			asm.Scale(o.Data[i*o.Stride+from:i*o.Stride+to], f.scale, tile[(i-lo)*featureBlock:(i-lo)*featureBlock+to-from])
		}
	})
	return dst, err
}

// blocks calls use for blocks of the feature matrix, without the factor: for
// each block of rows, blocks of features in order.
func (f *Features) blocks(ctx context.Context, x *mat.Dense, use func(tile []float64, lo, hi, from, to int)) error {
	n, d := x.Dims()
	_, count := f.w.Dims()
	r := x.RawMatrix()
	return eachBlock(ctx, n, float64(n)*float64(count), func(lo, hi int, s *scratch) {
		tile := s.room(rowBlock * featureBlock)
		for from := 0; from < count; from += featureBlock {
			to := min(from+featureBlock, count)
			f.fill(tile, view{r.Data[lo*r.Stride:], r.Stride, 1}, hi-lo, d, from, to-from)
			use(tile, lo, hi, from, to)
		}
	})
}

// MulVec sets dst[i] = phi(x_i)'theta for the n points of x and returns it; nil
// is allocated. Cost n*D*(2d + one cosine).
func (f *Features) MulVec(ctx context.Context, dst []float64, x *mat.Dense, theta []float64) ([]float64, error) {
	if err := f.check(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if len(theta) != len(f.phase) {
		return nil, fmt.Errorf("linalg: %d coefficients for %d features", len(theta), len(f.phase))
	}
	dst = vector("MulVec", dst, n)
	clear(dst)
	err := f.blocks(ctx, x, func(tile []float64, lo, hi, from, to int) {
		var part [rowBlock]float64
		asm.Dots(part[:hi-lo], tile, featureBlock, theta[from:to])
		asm.Add(dst[lo:hi], dst[lo:hi], part[:hi-lo])
	})
	asm.Scale(dst, f.scale, dst)
	return dst, err
}

// Mul sets dst = Phi theta, n x p, for theta D x p, and returns it; nil is
// allocated.
func (f *Features) Mul(ctx context.Context, dst, x, theta *mat.Dense) (*mat.Dense, error) {
	if err := f.check(x); err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	rows, p := theta.Dims()
	if rows != len(f.phase) {
		return nil, fmt.Errorf("linalg: %d rows of coefficients for %d features", rows, len(f.phase))
	}
	dst = shape("Mul", dst, n, p)
	o, t := dst.RawMatrix(), theta.RawMatrix()
	apart("Mul", o.Data, t.Data)
	err := f.blocks(ctx, x, func(tile []float64, lo, hi, from, to int) {
		beta := 1.0
		if from == 0 {
			beta = 0
		}
		gemmStrip(hi-lo, 0, p, to-from, f.scale, view{tile, featureBlock, 1}, view{t.Data[from*t.Stride:], t.Stride, 1},
			beta, o.Data[lo*o.Stride:], o.Stride, full)
	})
	return dst, err
}

// TransMulVec sets dst[j] = sum_i phi_j(x_i) r[i], the adjoint of MulVec, and
// returns it; nil is allocated.
func (f *Features) TransMulVec(ctx context.Context, dst []float64, x *mat.Dense, r []float64) ([]float64, error) {
	n, _ := x.Dims()
	if len(r) != n {
		return nil, fmt.Errorf("linalg: %d numbers for %d points", len(r), n)
	}
	dst = vector("TransMulVec", dst, len(f.phase))
	err := f.adjoint(ctx, x, func(tile []float64, lo, hi, from, to int) {
		asm.AxpyRows(dst[from:to], r[lo:hi], tile, featureBlock)
	}, func() { clear(dst) })
	asm.Scale(dst, f.scale, dst)
	return dst, err
}

// TransMul sets dst = Phi' r, D x p, for r n x p, the adjoint of Mul, and
// returns it; nil is allocated.
func (f *Features) TransMul(ctx context.Context, dst, x, r *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	rows, p := r.Dims()
	if rows != n {
		return nil, fmt.Errorf("linalg: %d rows of numbers for %d points", rows, n)
	}
	dst = shape("TransMul", dst, len(f.phase), p)
	o, b := dst.RawMatrix(), r.RawMatrix()
	apart("TransMul", o.Data, b.Data)
	err := f.adjoint(ctx, x, func(tile []float64, lo, hi, from, to int) {
		gemmStrip(to-from, 0, p, hi-lo, f.scale, view{tile, 1, featureBlock}, view{b.Data[lo*b.Stride:], b.Stride, 1},
			1, o.Data[from*o.Stride:], o.Stride, full)
	}, func() { scalePart(o.Rows, o.Cols, 0, o.Data, o.Stride, full) })
	return dst, err
}

// adjoint calls use for blocks of the feature matrix: blocks of features on
// several goroutines, for each the blocks of rows in order, so that sums over
// rows do not depend on the goroutines.
func (f *Features) adjoint(ctx context.Context, x *mat.Dense, use func(tile []float64, lo, hi, from, to int), start func()) error {
	if err := f.check(x); err != nil {
		return err
	}
	start()
	n, d := x.Dims()
	_, count := f.w.Dims()
	r := x.RawMatrix()
	// Narrower blocks where there are few features, one for each goroutine; the
	// sums do not depend on the width.
	width := featureBlock
	for width > 64 && count/width < 4 {
		width /= 2
	}
	blocks := (count + width - 1) / width
	workers := workersFor(int(min(float64(n)*float64(count), float64(serialArea))), blocks)
	parallel.Team(workers, func(w, of int) {
		s := scratches.Get().(*scratch)
		defer scratches.Put(s)
		tile := s.room(rowBlock * featureBlock)
		for b := w; b < blocks; b += of {
			from, to := b*width, min((b+1)*width, count)
			for lo := 0; lo < n && ctx.Err() == nil; lo += rowBlock {
				hi := min(lo+rowBlock, n)
				f.fill(tile, view{r.Data[lo*r.Stride:], r.Stride, 1}, hi-lo, d, from, to-from)
				use(tile, lo, hi, from, to)
			}
		}
	})
	return ctx.Err()
}
