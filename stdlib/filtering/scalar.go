package filtering

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// NonlinearBenchmark returns the model
//
//	x_(t+1) = x_t/2 + 25 x_t/(1 + x_t^2) + 8 cos(1.2 t) + v_t,  y_t = x_t^2/20 + e_t
//
// with standard normal noises and x_1 ~ N(0, 1) (Lacoste-Julien et al. 2015,
// section 4.2; the usual variances elsewhere are 10 and 1).
func NonlinearBenchmark() *Model {
	one := mat.NewSymDense(1, []float64{1})
	initial, err := rkhs.NewNormal([]float64{0}, one)
	if err != nil {
		panic(err) // not with these numbers
	}
	return &Model{
		Initial:      initial,
		Observations: 1,
		Noise:        func(int) *mat.SymDense { return one },
		Mean: func(dst *mat.Dense, t int, X *mat.Dense) {
			out, c := column(dst), 8*vec.Cos1(1.2*float64(t))
			for i, x := range column(X) {
				out[i] = 0.5*x + 25*x/(1+x*x) + c
			}
		},
		LogLik: func(dst []float64, _ int, X *mat.Dense, y []float64) {
			const constant = -0.91893853320467274178 // -log(2 pi)/2
			for i, x := range column(X) {
				r := y[0] - 0.05*x*x
				dst[i] = constant - 0.5*r*r
			}
		},
	}
}

// StochasticVolatility returns the model of a log-variance and returns,
//
//	x_(t+1) = mu + rho (x_t - mu) + sigma v_t,  y_t = exp(x_t/2) e_t,
//
// with x_1 from the stationary distribution, |rho| < 1 and sigma > 0.
func StochasticVolatility(mu, rho, sigma float64) (*Model, error) {
	if !(math.Abs(rho) < 1) {
		return nil, fmt.Errorf("filtering: rho is %v, must be between -1 and 1", rho)
	}
	if !(sigma > 0) || math.IsInf(sigma, 1) {
		return nil, fmt.Errorf("filtering: sigma is %v, must be positive and finite", sigma)
	}
	if math.IsNaN(mu) || math.IsInf(mu, 0) {
		return nil, fmt.Errorf("filtering: mu is %v, must be finite", mu)
	}
	initial, err := rkhs.NewNormal([]float64{mu}, mat.NewSymDense(1, []float64{sigma * sigma / (1 - rho*rho)}))
	if err != nil {
		return nil, err
	}
	noise := mat.NewSymDense(1, []float64{sigma * sigma})
	return &Model{
		Initial:      initial,
		Observations: 1,
		Noise:        func(int) *mat.SymDense { return noise },
		Mean: func(dst *mat.Dense, _ int, X *mat.Dense) {
			out := column(dst)
			for i, x := range column(X) {
				out[i] = mu + rho*(x-mu)
			}
		},
		LogLik: func(dst []float64, _ int, X *mat.Dense, y []float64) {
			const constant = -0.91893853320467274178 // -log(2 pi)/2
			x := column(X)
			for i, v := range x {
				dst[i] = -v
			}
			vec.Exp(dst, dst)
			for i, v := range x {
				dst[i] = constant - 0.5*v - 0.5*y[0]*y[0]*dst[i]
			}
		},
	}, nil
}
