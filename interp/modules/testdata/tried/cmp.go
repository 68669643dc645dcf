package main

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
)

type point struct {
	X int
	M map[string]int
}

func main() {
	a, b := point{1, map[string]int{"k": 1}}, point{1, map[string]int{"k": 2}}
	fmt.Println(cmp.Equal(a, a), cmp.Equal(a, b), strings.Contains(cmp.Diff(a, b), `"k":`))
}
