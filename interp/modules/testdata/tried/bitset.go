package main

import (
	"fmt"

	"github.com/bits-and-blooms/bitset"
)

func main() {
	var b bitset.BitSet
	b.Set(10).Set(100).Flip(3)
	fmt.Println(b.Count(), b.String(), b.Test(100), b.Intersection(bitset.New(8).Set(3)))
}
