package dataset

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

//go:embed data/digits.csv.gz
var digits []byte

// DigitSide is the number of pixels in a row and in a column of a digit.
const DigitSide = 8

// Digits returns 1,797 handwritten digits of 8 x 8 pixels between 0 and 1, row by row, with
// the digit as the target (Alpaydin and Kaynak 1998).
func Digits() (*Regression, error) {
	r, err := gzip.NewReader(bytes.NewReader(digits))
	if err != nil {
		return nil, fmt.Errorf("dataset: digits: %w", err)
	}
	for b, err := range StreamCSV(r, "digits", -1, 1797) {
		if err != nil {
			return nil, err
		}
		b.X.Scale(1./16, b.X)
		return &Regression{Name: "digits", X: b.X, Y: b.Y}, nil
	}
	return nil, fmt.Errorf("dataset: digits: no points")
}

// JitterDigits returns count digits, each one of those in the rows of d turned by up to 10
// degrees and moved by up to a pixel each way: the virtual examples of section 3.6.3 of
// Dai 2018. Pixels in between are interpolated, those from outside are 0.
func JitterDigits(d *Regression, count int, rng *rand.Rand) (*Regression, error) {
	if d == nil || d.X == nil || rng == nil {
		return nil, fmt.Errorf("dataset: digits or rng are nil, must be data and a source of random numbers")
	}
	n, pixels := d.X.Dims()
	if pixels != DigitSide*DigitSide {
		return nil, fmt.Errorf("dataset: digits have %d pixels, must have %d", pixels, DigitSide*DigitSide)
	}
	if count < 1 {
		return nil, fmt.Errorf("dataset: number of digits is %d, must be positive", count)
	}
	out := &Regression{Name: d.Name, X: mat.NewDense(count, pixels, nil), Y: make([]float64, count)}
	for i := range count {
		r := rng.IntN(n)
		out.Y[i] = d.Y[r]
		angle := (2*rng.Float64() - 1) * 10 * math.Pi / 180
		jitter(out.X.RawRowView(i), d.X.RawRowView(r), angle, float64(rng.IntN(3)-1), float64(rng.IntN(3)-1))
	}
	return out, nil
}

// jitter sets dst to an image turned about its centre and moved.
func jitter(dst, src []float64, angle, right, down float64) {
	const side, middle = DigitSide, (DigitSide - 1) / 2.
	sin, cos := vec.SinCos1(angle)
	at := func(x, y int) float64 {
		if x < 0 || y < 0 || x >= side || y >= side {
			return 0
		}
		return src[y*side+x]
	}
	for y := range side {
		for x := range side {
			u, v := float64(x)-right-middle, float64(y)-down-middle
			fx, fy := cos*u+sin*v+middle, cos*v-sin*u+middle
			x0, y0 := int(math.Floor(fx)), int(math.Floor(fy))
			a, b := fx-float64(x0), fy-float64(y0)
			dst[y*side+x] = (1-b)*((1-a)*at(x0, y0)+a*at(x0+1, y0)) + b*((1-a)*at(x0, y0+1)+a*at(x0+1, y0+1))
		}
	}
}

// ConvolveDigits returns features of the digits in the rows of X by one random layer:
// filters 3 x 3 with normal weights, max(0, .), and the largest of each 2 x 2: 9 numbers a
// filter. It stands for the trained layers below the kernel machine of section 3.6.4 of
// Dai 2018.
func ConvolveDigits(X *mat.Dense, filters int, rng *rand.Rand) (*mat.Dense, error) {
	if X == nil || rng == nil {
		return nil, fmt.Errorf("dataset: digits or rng are nil, must be a matrix and a source of random numbers")
	}
	n, pixels := X.Dims()
	if pixels != DigitSide*DigitSide || filters < 1 {
		return nil, fmt.Errorf("dataset: %d filters on digits of %d pixels, must be positive and %d", filters, pixels, DigitSide*DigitSide)
	}
	const reach, inner, pooled = 3, DigitSide - 2, (DigitSide - 2) / 2
	weights := mat.NewDense(filters, reach*reach, nil)
	for f := range filters {
		for k := range reach * reach {
			weights.Set(f, k, rng.NormFloat64()/reach)
		}
	}
	out := mat.NewDense(n, filters*pooled*pooled, nil)
	for i := range n {
		image, row := X.RawRowView(i), out.RawRowView(i)
		for f := range filters {
			w := weights.RawRowView(f)
			for y := range inner {
				for x := range inner {
					var s float64
					for k, v := range w {
						s += v * image[(y+k/reach)*DigitSide+x+k%reach]
					}
					at := &row[f*pooled*pooled+y/2*pooled+x/2]
					*at = max(*at, s)
				}
			}
		}
	}
	return out, nil
}
