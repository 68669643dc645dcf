package check_test

import (
	"fmt"

	"gaucho/stdlib/check"
)

func ExampleNear() {
	defer func() { fmt.Println(recover()) }()
	check.Near(0.1+0.2, 0.3, 1e-12) // holds
	check.Near([]float64{1, 2.5}, []float64{1, 2}, 1e-12)
	// Output: [1]: got 2.5, want 2 to within 2e-12
}
