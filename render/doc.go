// Package render turns values into what a notebook shows.
//
// [Bundle] returns the forms of any value by MIME type. A value that has methods for it shows itself as they say (see
// package gaucho/stdlib/display); plots are drawn as SVG and PNG, images as PNG, matrices and vectors become aligned text,
// HTML and LaTeX, slices of structs, maps and structs become tables, and everything has a text form as a Go programmer
// would write it: [Literal]. What is large is cut before it is rendered, and says so: [SetLimits], [SetPrecision], [Whole].
//
// A program that imports this package has the text of these forms wherever it shows a value by package display.
package render
