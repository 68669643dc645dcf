// Package linalg does dense linear algebra at the speed of the machine, in plain
// Go with generated assembly: products, triangular solves, factorizations,
// symmetric eigenvalues, and Gram matrices of radial kernels and random features
// that need not be stored.
//
//	g := linalg.MulTransB(nil, x, x)          // x x', allocated
//	c, err := linalg.NewCholeskyDense(g, 0.1) // of x x' + 0.1 I
//	if err != nil {
//		return err // linalg.NotPositiveDefinite, with the pivot
//	}
//	w := c.SolveVecTo(nil, y)
//
//	k := linalg.Radial{Profile: linalg.Gaussian, Scale: 0.5}
//	means, err := k.RowMeans(ctx, nil, x, linalg.NewPoints(y))
//
// Matrices are *mat.Dense of gonum, by rows. A destination comes first; nil is
// allocated. Shapes that do not fit panic, as in gonum's mat, before anything is
// written; what depends on the numbers (a matrix that is not positive definite)
// is an error.
//
// UseGonum puts the same code under gonum's own mat and lapack64.
//
// # Same bits
//
// Equal inputs give equal bits on any number of cores and with AVX-512, AVX2 or
// portable Go: every element of a product is one chain of fused operations in
// the order of k, in blocks of fixed size; goroutines divide rows and columns,
// never a sum.
//
// # Sources
//
// Goto and van de Geijn 2008 (products); Dongarra, Sorensen and Hammarling 1989
// (tridiagonal form); Cuppen 1981, Gu and Eisenstat 1995, Li 1993 (divide and
// conquer); Golub and Kahan 1965, Demmel and Kahan 1990 (singular values);
// Musco and Musco 2015 (block Krylov); Rahimi and Recht 2007 (random features).
package linalg
