package render_test

import (
	"fmt"

	"gaucho/render"
)

func ExampleLiteral() {
	fmt.Println(render.Literal(map[string][]float64{"b": {1, 2.5}, "a": nil}))
	// Output: map[string][]float64{"a": []float64(nil), "b": {1, 2.5}}
}

func ExampleBundle() {
	type city struct {
		Name   string
		Height float64
	}
	fmt.Println(render.Bundle([]city{{"Bern", 540}, {"Aarau", 384.5}})["text/plain"])
	// Output:
	//    Name   Height
	// 0  Bern    540
	// 1  Aarau   384.5
	// []render_test.city, 2 rows
}
