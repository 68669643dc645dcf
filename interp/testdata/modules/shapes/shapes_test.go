package shapes_test

import (
	"fmt"

	"example.org/shapes"
)

func ExampleCheck() {
	fmt.Println(shapes.Check(nil))
	// Output: shapes: there is none
}
