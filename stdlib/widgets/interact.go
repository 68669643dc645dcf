package widgets

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"

	"gaucho/stdlib/display"
)

// An Interactive is a function with a control for each parameter, and what it shows.
type Interactive struct {
	*VBox
	controls []Widget
	out      *Output
	f        function
	dirty    atomic.Bool // a control has moved since the function was called
}

// Interact calls a function and shows what it returns, prints and shows, and does so again whenever a control is moved.
// Each parameter has one: a slider for a number, a box to tick for a bool, a field for a string. What is given after the
// function says more about them, in the order of the parameters:
//
//	widgets.Interact(density, widgets.Range(0.1, 10), 50)
//
// an interval, [Range], [LogRange] or [Steps]; a value to begin with; texts to choose from, as []string (for a string, or
// for a whole number, which is then that of the text); or any widget with a value that the parameter can take, such as one
// that is also used elsewhere. Nil says nothing. A slider whose range is not given goes from 0 to 10 for a float64, from 0
// to 100 for an int, or to three times the value to begin with.
//
// Controls are named after the parameters. A cell knows their names; a program says them by [Names] as one more argument.
//
// While the function runs, only the newest of the values that come meanwhile is kept: when it has ended it is called
// once, for that. It runs as a callback does, between cells, and is stopped as a cell is. What it fails with is shown in
// place of its result, whether it is a panic or an error as its last result.
//
// No value is turned into another one for a parameter: a slider goes as far as the parameter's type does, and on a logarithmic
// scale a whole number is the one that the slider shows. Interact panics if f is no function, or if something given does not
// go with its parameter: 2.7 or a FloatSlider with an int, 300 or an IntSlider up to 1000 with a uint8. A value that comes
// later and that the parameter cannot hold is shown as an error in place of the result.
func Interact(f any, with ...any) *Interactive {
	iv := &Interactive{f: functionOf(f), out: NewOutput()}
	with, names := takeNames(with)
	n := len(iv.f.in)
	if len(with) > n {
		panic(fmt.Sprintf("widgets: Interact has %d controls for %d parameters", len(with), n))
	}
	children := []Widget{}
	for i, t := range iv.f.in {
		var given any
		if i < len(with) {
			given = with[i]
		}
		c := parameter{i + 1, t, append(slices.Clone(names), make([]string, n)...)[i]}.control(given)
		if m := c.model(); i < len(names) && m.class.attr("description") >= 0 && orZero[string](m.get("description")) == "" {
			m.set("description", names[i])
		}
		iv.watch(c)
		iv.controls = append(iv.controls, c)
		children = append(children, c)
	}
	iv.VBox = NewVBox(append(children, iv.out)...)
	iv.Draw()
	return iv
}

// Controls returns the widgets that stand for the parameters.
func (iv *Interactive) Controls() []Widget { return iv.controls }

// Output returns what shows the function's results.
func (iv *Interactive) Output() *Output { return iv.out }

// watch calls the function when a control moves.
func (iv *Interactive) watch(c Widget) {
	m := c.model()
	hub.Lock()
	m.touched = append(m.touched, &iv.dirty)
	hub.Unlock()
	attr := "value"
	if m.class.attr(attr) < 0 {
		attr = "index"
	}
	m.Observe(attr, func() {
		if iv.dirty.Load() {
			iv.Draw()
		}
	})
}

// Draw calls the function and shows what it gives.
func (iv *Interactive) Draw() {
	iv.dirty.Store(false)
	iv.out.list.take(map[string]any{"output_type": "clear_output", "wait": true})
	iv.out.Capture(func() {
		args := make([]any, len(iv.controls))
		for i, c := range iv.controls {
			args[i] = argument(c, iv.f.in[i])
		}
		results := iv.f.call(args)
		if n := len(results) - 1; n >= 0 && iv.f.fails {
			if results[n] != nil {
				panic(results[n])
			}
			results = results[:n]
		}
		for _, r := range results {
			if r != nil {
				display.ShowAll(r)
			}
		}
	})
	iv.out.list.end()
}

// A function is one that Interact calls.
type function struct {
	in    []reflect.Type
	call  func(args []any) []any
	fails bool // the last result is an error
}

func functionOf(f any) function {
	v, results := reflect.ValueOf(f), func(i int, v any) any { return v }
	if c, ok := f.(display.Callable); ok {
		v, results = c.Func()
	}
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().IsVariadic() {
		panic(fmt.Sprintf("widgets: Interact got a %T, must be a function with a fixed number of parameters", f))
	}
	t := v.Type()
	fn := function{}
	for i := range t.NumIn() {
		fn.in = append(fn.in, t.In(i))
	}
	fn.fails = t.NumOut() > 0 && t.Out(t.NumOut()-1) == reflect.TypeFor[error]()
	fn.call = func(args []any) []any {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = reflect.ValueOf(a).Convert(t.In(i))
		}
		var out []any
		for i, r := range v.Call(in) {
			out = append(out, results(i, r.Interface()))
		}
		return out
	}
	return fn
}
