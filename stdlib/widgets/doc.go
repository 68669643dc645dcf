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
// cell runs: a loop may read a slider, and a ToggleButton may stop it. Callbacks run between cells, one at a time, in the order of
// what caused them; those of a change that the program makes itself run before the setter returns. A callback that waits is
// called once, whatever comes meanwhile, and reads the newest value; one for a button is called for each click. A callback may set
// other widgets, whose callbacks come next; a chain of 500 panics. What a callback prints and shows appears under the cell that
// installed it.
//
// A widget has the value that the page shows. SetValue brings a number, a day or an interval between Min and Max. Other than that no
// value is changed into another one: constructors and setters panic, with the widget's name, for what the page cannot hold or what
// contradicts another attribute, such as NaN, a whole number beyond 2^53, a step of 0, an unknown colour, or a min above max; and what a page
// says that is none of the widget's values is taken back there.
//
// The types are generated from a table of the front end's attributes, gen/widgets.txt. In a program without a notebook
// widgets hold their state, call their callbacks, and do nothing else.
package widgets

//go:generate go run ./gen .
