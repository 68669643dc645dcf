package main

import (
	"fmt"

	"github.com/samber/lo"
)

func main() {
	xs := lo.Map(lo.Range(6), func(x, _ int) string { return fmt.Sprint(x * x) })
	fmt.Println(xs, lo.Uniq([]int{1, 1, 2}), lo.Sum([]float64{1, 2}), lo.Chunk(xs, 4), lo.Reverse([]int{1, 2, 3}))
	fmt.Println(lo.GroupBy(lo.Range(7), func(x int) int { return x % 3 }))
}
