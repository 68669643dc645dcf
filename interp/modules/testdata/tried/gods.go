package main

import (
	"fmt"

	"github.com/emirpasic/gods/maps/treemap"
)

func main() {
	m := treemap.NewWithStringComparator()
	for i, w := range []string{"c", "a", "b"} {
		m.Put(w, i)
	}
	k, v := m.Min()
	fmt.Println(m, k, v, m.Keys())
}
