package main

import (
	"fmt"

	"github.com/google/btree"
)

func main() {
	t := btree.NewOrderedG[int](3)
	for i := range 20 {
		t.ReplaceOrInsert(i * 7 % 20)
	}
	t.AscendRange(5, 9, func(x int) bool { fmt.Print(x, " "); return true })
	fmt.Println(t.Len())
}
