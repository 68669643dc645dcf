// Package display is how a program shows things: values, HTML, Markdown, LaTeX, images, progress bars. In a notebook
// they appear under the cell; in an ordinary program their text form goes to standard output. The package renders
// nothing itself: it hands values to the [Sink] that its host installed.
//
//	h := display.Show(display.Markdown("computing **now**"))
//	bar := display.NewProgress(1000, "chains")
//	for range 1000 {
//		step()
//		bar.Add(1)
//	}
//	bar.Done()
//	h.Update(display.HTML("<b>done</b>"))
//
// # How a value shows itself
//
// By the shape of its methods, so that no package needs to import this one. A value that has any of
//
//	MIMEBundle() map[string]any   HTML() string       SVG() string         PNG() []byte     PDF() []byte
//	                              Markdown() string   LaTeX() string       JPEG() []byte    GIF() []byte
//	                              JSON() any          JavaScript() string
//
// is shown by all the forms it offers, and the front end takes the one it likes best; MIMEBundle, where there is one,
// has the last word on each form that it names. Each may also return an error as a second result. The same rule holds
// for a type that is declared in a cell. Plots, images, matrices, tables, structs and errors have forms of their own: see
// package gaucho/render, which makes them.
//
// The types of this package, from [HTML] to [JavaScript], are such values.
package display
