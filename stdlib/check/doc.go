// Package check tests values in notebooks: in assignments above all, where a test must fail as an error and show nothing when
// it passes.
//
//	check.Equal(Fibonacci(10), 55)
//	check.Near(Mean(xs), 2.5, 1e-12)
//	check.Between(estimate, 3.1, 3.2)
//	check.Fails(err)
//
// A last argument, a string, is a hint that is shown when the test does not hold:
//
//	check.Near(SD(xs), 3.6, 1e-12, "is it n - 1?")
//
// A test that does not hold panics with a [*Failure], which a cell shows as its error. None returns a value, because
// nbgrader takes a number that a test shows for its points.
//
// Values are compared by what they hold: numbers by their exact values whatever their types (3, 3.0 and 3+0i are equal; 1<<53 + 1
// is not the float64 nearest to it), lists and matrices element by element, structs by the names of their fields, unexported
// ones too. NaN equals NaN. Functions and channels cannot be compared, nor values of more than two million parts or 4,000
// levels, as a linked list of more nodes: a test of one fails and says so.
//
// The same comparisons work on values that were written to bytes in another process, which is how "gaucho grade" keeps expected
// values out of the process that runs a student's code: [Encode] writes a value, [Decode] reads it, [Judge] compares.
package check
