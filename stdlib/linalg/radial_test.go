package linalg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkGram(b *testing.B) {
	for _, d := range []int{2, 20, 100} {
		rng := rand.New(rand.NewPCG(1, 1))
		x := mat.NewDense(4096, d, randSlice(rng, 4096*d))
		r := Radial{Gaussian, 1.5, 0}
		b.Run(fmt.Sprint("fresh d=", d), func(b *testing.B) {
			for b.Loop() {
				r.Gram(context.Background(), nil, x, NewPoints(x))
			}
		})
		dst := mat.NewDense(4096, 4096, nil)
		b.Run(fmt.Sprint("given d=", d), func(b *testing.B) {
			for b.Loop() {
				r.Gram(context.Background(), dst, x, NewPoints(x))
			}
		})
		b.Run(fmt.Sprint("means d=", d), func(b *testing.B) {
			for b.Loop() {
				r.RowMeans(context.Background(), nil, x, NewPoints(x))
			}
		})
	}
}

func BenchmarkFeatures(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	n, d, count := 1<<16, 20, 1<<10
	x := mat.NewDense(n, d, randSlice(rng, n*d))
	f, _ := NewFeatures(mat.NewDense(d, count, randSlice(rng, d*count)), randSlice(rng, count), 0)
	theta := randSlice(rng, count)
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			f.MulVec(context.Background(), nil, x, theta)
		}
	})
	r := randSlice(rng, n)
	b.Run("adjoint", func(b *testing.B) {
		for b.Loop() {
			f.TransMulVec(context.Background(), nil, x, r)
		}
	})
}
