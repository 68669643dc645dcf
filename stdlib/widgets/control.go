package widgets

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"gaucho/stdlib/vec"
)

// names are those of a function's parameters.
type names []string

// Names is one more argument of [Interact] and says the names of the function's parameters.
func Names(list ...string) any { return names(list) }

// takeNames returns the controls without the names, and the first names.
func takeNames(with []any) (controls []any, found []string) {
	for _, w := range with {
		list, ok := w.(names)
		if !ok {
			controls = append(controls, w)
		} else if found == nil {
			found = list
		}
	}
	return controls, found
}

// An Interval is what a slider of [Interact] can be moved over.
type Interval struct {
	Min, Max float64
	Step     float64 // distance between values, in decades for a logarithmic slider; 0 for about a hundredth of the range
	Start    float64 // value to begin with; NaN for one in the middle
	Log      bool    // in equal steps of the logarithm
}

// Range returns the interval from lo to hi.
func Range(lo, hi float64) Interval { return Interval{Min: lo, Max: hi, Start: math.NaN()} }

// LogRange returns the interval from lo to hi, both positive, on a logarithmic scale.
func LogRange(lo, hi float64) Interval {
	return Interval{Min: lo, Max: hi, Start: math.NaN(), Log: true}
}

// Steps returns the interval from lo to hi, of which only every step is taken.
func Steps(lo, hi, step float64) Interval {
	return Interval{Min: lo, Max: hi, Step: step, Start: math.NaN()}
}

// At returns the interval with a value to begin with.
func (r Interval) At(start float64) Interval {
	r.Start = start
	return r
}

// control returns the widget for parameter i, of type t, of which given says something.
func control(t reflect.Type, given any, i int) Widget {
	mismatch := func() string {
		return fmt.Sprintf("widgets: control %d is a %T, which does not go with a parameter of type %v", i+1, given, t)
	}
	if w, ok := given.(Widget); ok {
		if w.model().class.attr("value") < 0 && w.model().class.attr("index") < 0 || !takes(w, t) {
			panic(mismatch())
		}
		return w
	}
	if list, ok := given.([]string); ok {
		if t.Kind() != reflect.String && !isInt(t) || len(list) == 0 {
			panic(mismatch())
		}
		return NewDropdown("", list...)
	}
	if r, ok := given.(Interval); ok {
		if isFloat(t) || isInt(t) {
			return r.slider(isInt(t))
		}
		panic(mismatch())
	}
	v := reflect.ValueOf(given)
	if given == nil {
		v = reflect.Zero(t)
	} else if isNumber(v.Type()) != isNumber(t) || !v.CanConvert(t) {
		panic(mismatch())
	} else {
		v = v.Convert(t)
	}
	switch {
	case isFloat(t) && given == nil:
		return Range(0, 10).At(1).slider(false)
	case isFloat(t):
		lo, hi := around(v.Float())
		return Range(lo, hi).At(v.Float()).slider(false)
	case isInt(t) && given == nil:
		return NewIntSlider("", 0, 100, 10)
	case isInt(t):
		n := number64(v)
		lo, hi := around(n)
		return Steps(lo, hi, 1).At(n).slider(true)
	case t.Kind() == reflect.Bool:
		return NewCheckbox("", v.Bool())
	case t.Kind() == reflect.String:
		return NewText("", v.String())
	}
	panic(fmt.Sprintf("widgets: parameter %d has type %v, for which a widget must be given", i+1, t))
}

// around returns the range of a slider that begins at v.
func around(v float64) (lo, hi float64) {
	switch {
	case v > 0:
		return 0, 3 * v
	case v < 0:
		return 3 * v, -3 * v
	}
	return 0, 1
}

func isFloat(t reflect.Type) bool  { return t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 }
func isInt(t reflect.Type) bool    { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr }
func isNumber(t reflect.Type) bool { return isFloat(t) || isInt(t) }

func number64(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return float64(v.Uint())
}

// slider returns a slider over the interval.
func (r Interval) slider(whole bool) Widget {
	if !(r.Max > r.Min) || math.IsInf(r.Min, 0) || math.IsInf(r.Max, 0) || r.Log && r.Min <= 0 || r.Step < 0 {
		panic(fmt.Sprintf("widgets: an interval goes from %v to %v by %v, must rise, be finite, and be positive for logarithms", r.Min, r.Max, r.Step))
	}
	if whole && !r.Log {
		start := r.Start
		if math.IsNaN(start) {
			start = (r.Min + r.Max) / 2
		}
		return NewIntSlider("", int(math.Round(r.Min)), int(math.Round(r.Max)), int(math.Round(start))).SetStep(max(1, int(math.Round(r.Step))))
	}
	if r.Log {
		lo, hi := decades(r.Min), decades(r.Max)
		start := r.Start
		if math.IsNaN(start) {
			start = vec.Pow1(10, (lo+hi)/2)
		}
		return NewFloatLogSlider("", lo, hi, start).SetStep(orStep(r.Step, hi-lo))
	}
	start := r.Start
	if math.IsNaN(start) {
		start = (r.Min + r.Max) / 2
	}
	step := orStep(r.Step, r.Max-r.Min)
	return NewFloatSlider("", r.Min, r.Max, start).SetStep(step).SetReadoutFormat(fixedFormat(step))
}

// fixedFormat returns the format of d3 for multiples of a step, with two decimals at least.
func fixedFormat(step float64) string {
	return "." + strconv.Itoa(max(2, decimals(step))) + "f"
}

// decimals returns the place of the first digit of a step after the point, negative before it.
func decimals(step float64) int { return -int(math.Floor(decades(step) + 1e-9)) }

// decades returns the decimal logarithm, exact for powers of ten.
func decades(x float64) float64 { return math.Round(vec.Log1(x)/math.Ln10*1e12) / 1e12 }

// orStep returns a step, or where it is 0 a round one of about a hundredth of a range.
func orStep(step, width float64) float64 {
	if step > 0 {
		return step
	}
	raw := width / 100
	base := vec.Pow1(10, math.Floor(decades(raw)+1e-9))
	for _, m := range []float64{1, 2, 5} {
		if m*base >= raw*(1-1e-9) {
			return m * base
		}
	}
	return 10 * base
}

// takes reports whether a widget's value can be an argument of type t.
func takes(w Widget, t reflect.Type) bool {
	v := reflect.TypeOf(value(w, t))
	return v != nil && v.ConvertibleTo(t) && isNumber(v) == isNumber(t)
}

// value returns a widget's value; of a choice the text, or for a number its place among the options.
func value(w Widget, t reflect.Type) any {
	m := w.model()
	if m.class.attr("_options_labels") >= 0 {
		list := m.class.attrs[m.class.attr("index")].kind
		switch {
		case list != "index":
			return m.chosenAll()
		case isNumber(t):
			return orBelow0[int](m.get("index"))
		}
		return m.chosen()
	}
	name := "value"
	if m.class.attr(name) < 0 {
		name = "selected_index"
	}
	v := m.get(name)
	if v == nil { // a date that is not set
		return reflect.Zero(t).Interface()
	}
	return v
}

// argument returns a widget's value as a parameter takes it.
func argument(w Widget, t reflect.Type) any {
	return reflect.ValueOf(value(w, t)).Convert(t).Interface()
}
