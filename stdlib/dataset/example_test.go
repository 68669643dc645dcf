package dataset_test

import (
	"fmt"
	"math/rand/v2"

	"gaucho/stdlib/dataset"
)

func ExampleRandomMixture() {
	p, err := dataset.RandomMixture(100, 2, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Len(), "Gaussians in dimension", p.Dim())
	// Output: 100 Gaussians in dimension 2
}
