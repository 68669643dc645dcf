package main

import (
	"fmt"

	"github.com/Knetic/govaluate"
)

func main() {
	x, err := govaluate.NewEvaluableExpression("(a + 2) * b > 10 && name =~ '^g'")
	fmt.Println(err)
	r, err := x.Evaluate(map[string]any{"a": 3, "b": 4, "name": "go"})
	fmt.Println(r, err)
}
