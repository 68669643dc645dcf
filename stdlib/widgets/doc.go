// Package widgets makes controls that are shown below a cell and talk to it: sliders, buttons, fields, boxes of them. They are
// the standard Jupyter widgets, so they work in JupyterLab, Notebook, VS Code and Voilà as far as those know
// ipywidgets, and a notebook can be saved with them.
//
// The quickest use is a function whose parameters get controls of their own, called again whenever one is moved:
//
//	widgets.Interact(func(bandwidth float64, n int) any {
//		f := plotting.New("density", "x", "")
//		...
//		return f
//	})
//
// All else is made of widgets:
//
//	n := widgets.NewIntSlider("n", 1, 100, 10)
//	out := widgets.NewOutput()
//	run := widgets.NewButton("Run")
//	run.OnClick(func() { out.Capture(func() { fmt.Println("n is", n.Value()) }) })
//	widgets.NewVBox(widgets.NewHBox(n, run), out)
//
// A widget shows itself as the value of a cell's last expression, or by display.Show. Its attributes have a getter and a
// setter each; setters return the widget, so that calls can be chained. What the user does is known at once, also while a
// cell runs: a loop may read a slider. Callbacks run between cells, one at a time, in the order of what caused them; those
// of a change that the program makes itself run before the setter returns. What a callback prints and shows appears
// under the cell that installed it.
//
// The types are generated from a table of the front end's attributes, gen/widgets.txt. In a program without a notebook
// widgets hold their state, call their callbacks, and do nothing else.
package widgets

//go:generate go run ./gen .
