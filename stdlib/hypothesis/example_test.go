package hypothesis_test

import (
	"fmt"

	"gaucho/stdlib/hypothesis"
)

// The hours that ten patients slept longer after each of two drugs (Student 1908).
func ExampleWelchT() {
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	test, err := hypothesis.WelchT(first, second)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(test)
	// Output:
	// Welch's t test
	// hypothesis: the means are the same
	// t = -1.8608 with 17.776 degrees of freedom, p = 0.07939
	// one-sided: less p = 0.0397, greater p = 0.9603
	// difference of means -1.58, 95% confidence interval from -3.3655 to 0.20548
	// n = 10, 10
}

// A lady tells of four cups out of eight that the milk was poured first, three of them rightly (Fisher 1935).
func ExampleFisher() {
	test, err := hypothesis.Fisher(3, 1, 1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p = %.4f, that she guesses: %.4f\n", test.P, test.Greater)
	// Output: p = 0.4857, that she guesses: 0.2429
}
