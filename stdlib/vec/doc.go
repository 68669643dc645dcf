// Package vec computes elementary functions, sums, products and random numbers
// over slices of float64 at the speed of the machine.
//
//	x := []float64{0, 1, 2}
//	y := make([]float64, len(x))
//	vec.Exp(y, x)      // y[i] = e^x[i]
//	vec.Exp(x, x)      // in place
//	s := vec.Sum(y)
//	z := vec.Exp1(0.5) // one number
//
// A function of slices takes the destination first; dst may be src, but must
// not overlap it otherwise. Lengths that differ panic, before anything is
// written. The function of one number has the same name with a 1 at its end.
//
// # Same bits
//
// Equal inputs give equal bits on every machine: with AVX-512, with AVX2, in
// portable Go, at any place in a slice, for Exp and Exp1, on any number of
// cores. (Only the sign and payload of a NaN may differ.) math.Exp, which asks
// the processor whether it has FMA, does not.
//
// # Accuracy
//
// In units in the last place (ulp), tested against multiple precision: at most
// 1 for Exp, Log, Sin, Cos and Sqrt, at most 1.5 for Expm1, Log1p, Tanh, Erf
// and Logistic. All are right at the edges (zeros, infinities, subnormals,
// overflow).
//
// Slices of more than 65,536 elements are divided over GOMAXPROCS goroutines.
package vec
