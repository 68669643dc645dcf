// Package grade marks assignments in Go: a directory of notebooks that students have handed in, against one source notebook
// with solutions and tests, into a table of points and a page of feedback for each student.
//
// A source is a notebook as nbgrader has it (its metadata says which cells are solutions, which are tests, and their points),
// and nbgrader can be used on it as well. Its tests are calls of package check:
//
//	xs := []float64{1, 2, 6}
//	check.Near(Mean(xs), 3.0, 1e-12)
//
// Code that students hand in is not to be trusted, so each submission runs in processes of its own behind a fence (package
// fence) and with limits. What a test expects is never there: those processes get what is called and with what, here xs and
// Mean(xs), and hand back what came out as bytes. What should have come out, 3.0, is worked out from the source in another
// process, and the two are compared in a third, this one, that runs no code of notebooks at all. So a submission that prints
// "passed", ends early, or replaces package check by its own has told nobody a right answer.
package grade
