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
	if !(step > 0) {
		panic(fmt.Sprintf("widgets: Steps from %v to %v: step is %v, must be above 0", lo, hi, step))
	}
	return Interval{Min: lo, Max: hi, Step: step, Start: math.NaN()}
}

// At returns the interval with a value to begin with.
func (r Interval) At(start float64) Interval {
	r.Start = start
	return r
}

// A parameter is one of Interact's function: its number from 1, its type, and its name if that is known.
type parameter struct {
	n    int
	t    reflect.Type
	name string
}

// refuse panics with what is wrong with what was given for the parameter.
func (p parameter) refuse(format string, args ...any) {
	name := ""
	if p.name != "" {
		name = " (" + p.name + ")"
	}
	panic(fmt.Sprintf("widgets: control %d%s ", p.n, name) + fmt.Sprintf(format, args...))
}

// hold returns a value as the parameter's type, and panics if that cannot hold it.
func (p parameter) hold(what string, v any) reflect.Value {
	to, ok := convert(v, p.t)
	if !ok {
		p.refuse("%s %v, which a parameter of type %v cannot hold", what, v, p.t)
	}
	return to
}

// control returns the widget for the parameter, as given says.
func (p parameter) control(given any) Widget {
	switch given := given.(type) {
	case nil:
		return p.unsaid()
	case Widget:
		p.suits(given)
		return given
	case []string:
		if p.t.Kind() == reflect.String || isInt(p.t) && len(given) > 0 {
			return NewDropdown("", given...)
		}
	case Interval:
		if isFloat(p.t) || isInt(p.t) {
			return p.slider(given)
		}
	default:
		from := reflect.TypeOf(given)
		if isNumber(from) == isNumber(p.t) && from.ConvertibleTo(p.t) {
			return p.from(p.hold("is", given))
		}
	}
	p.refuse("is a %T, which does not go with a parameter of type %v", given, p.t)
	return nil
}

// unsaid returns the widget for a parameter without anything given.
func (p parameter) unsaid() Widget {
	switch {
	case isFloat(p.t):
		return p.slider(Range(0, 10).At(1))
	case isInt(p.t):
		return NewIntSlider("", 0, 100, 10)
	}
	return p.from(reflect.Zero(p.t))
}

// from returns the widget that begins with a value of the parameter's type.
func (p parameter) from(v reflect.Value) Widget {
	switch {
	case isFloat(p.t):
		return p.slider(p.around(v.Float()))
	case isInt(p.t):
		r := p.around(v.Convert(reflect.TypeFor[float64]()).Float())
		r.Step = 1
		return p.slider(r)
	case p.t.Kind() == reflect.Bool:
		return NewCheckbox("", v.Bool())
	case p.t.Kind() == reflect.String:
		return NewText("", v.String())
	}
	panic(fmt.Sprintf("widgets: parameter %d has type %v, for which a widget must be given", p.n, p.t))
}

// around returns the range of a slider that begins at v: three times that, as far as the type goes.
func (p parameter) around(v float64) Interval {
	lo, hi := 0.0, 1.0
	switch {
	case v > 0:
		lo, hi = 0, 3*v
	case v < 0:
		lo, hi = 3*v, -3*v
	}
	least, most := p.limits()
	return Range(max(lo, least), min(hi, most)).At(v)
}

// limits returns the least and the greatest number that the parameter's type and a page can hold.
func (p parameter) limits() (lo, hi float64) {
	switch kind := p.t.Kind(); {
	case kind == reflect.Float32:
		return -math.MaxFloat32, math.MaxFloat32
	case kind == reflect.Float64:
		return -math.MaxFloat64 / 2, math.MaxFloat64 / 2 // the width of a range is finite too
	case kind >= reflect.Uint:
		return 0, min(math.Ldexp(1, p.t.Bits())-1, safeInt)
	}
	half := math.Ldexp(1, p.t.Bits()-1)
	return max(-half, -safeInt), min(half-1, safeInt)
}

// suits panics if a widget's values are not all the parameter's.
func (p parameter) suits(w Widget) {
	m := w.model()
	if m.class.attr("value") >= 0 || m.class.attr("index") >= 0 || m.class.attr("selected_index") >= 0 {
		v := value(w, p.t)
		from := reflect.TypeOf(v)
		if from != nil && from.ConvertibleTo(p.t) && isNumber(from) == isNumber(p.t) && !(isFloat(from) && isInt(p.t)) {
			if isNumber(p.t) && m.class.attr("value") >= 0 && m.class.attr("min") >= 0 {
				lo, hi := m.limits()
				p.hold("begins at", lo)
				p.hold("goes up to", hi)
			}
			p.hold("is", v)
			return
		}
	}
	p.refuse("is a %T, which does not go with a parameter of type %v", w, p.t)
}

func isFloat(t reflect.Type) bool  { return t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 }
func isInt(t reflect.Type) bool    { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr }
func isNumber(t reflect.Type) bool { return isFloat(t) || isInt(t) }

// convert returns a value as one of another type, and false if that is another number; a float may be rounded to a float32.
func convert(v any, t reflect.Type) (reflect.Value, bool) {
	from := reflect.ValueOf(v)
	if !from.IsValid() || !from.CanConvert(t) {
		return reflect.Value{}, false
	}
	to := from.Convert(t)
	if !isNumber(t) || !isNumber(from.Type()) {
		return to, true
	}
	if from.CanFloat() {
		x := from.Float()
		if math.IsNaN(x) || math.IsInf(x, 0) || isInt(t) && math.Abs(x) > safeInt {
			return to, false
		}
		if isFloat(t) {
			return to, !math.IsInf(to.Float(), 0)
		}
	}
	return to, to.Convert(from.Type()).Equal(from) && negative(to) == negative(from)
}

func negative(v reflect.Value) bool {
	return v.CanInt() && v.Int() < 0 || v.CanFloat() && v.Float() < 0
}

// slider returns a slider over the interval.
func (p parameter) slider(r Interval) Widget {
	if !(r.Max > r.Min) || math.IsInf(r.Max-r.Min, 0) || r.Log && r.Min <= 0 || !(r.Step >= 0) || math.IsInf(r.Step, 0) {
		p.refuse("has an interval from %v to %v by %v, must rise, be finite, and be positive for logarithms", r.Min, r.Max, r.Step)
	}
	if least, most := p.limits(); r.Min < least || r.Max > most {
		p.refuse("has an interval from %v to %v, must be within %v and %v for a parameter of type %v", r.Min, r.Max, least, most, p.t)
	}
	whole, start := isInt(p.t), r.Start
	if math.IsNaN(start) {
		start = (r.Min + r.Max) / 2
		if r.Log {
			start = vec.Pow1(10, (decades(r.Min)+decades(r.Max))/2)
		} else if whole {
			start = math.Round(start)
		}
	} else if start < r.Min || start > r.Max {
		p.refuse("begins at %v, must be within the interval from %v to %v", start, r.Min, r.Max)
	}
	switch {
	case r.Log:
		lo, hi := decades(r.Min), decades(r.Max)
		// A power need not come back to the last digit.
		s := NewFloatLogSlider("", lo, hi, min(max(start, vec.Pow1(10, lo)), vec.Pow1(10, hi))).SetStep(orStep(r.Step, hi-lo))
		if whole {
			s.SetReadoutFormat("d")
		}
		return s
	case whole:
		for _, x := range []float64{r.Min, r.Max, r.Step, start} {
			if x != math.Trunc(x) {
				p.refuse("has an interval from %v to %v by %v that begins at %v, must be of whole numbers for a parameter of type %v", r.Min, r.Max, r.Step, start, p.t)
			}
		}
		return NewIntSlider("", int(r.Min), int(r.Max), int(start)).SetStep(max(1, int(r.Step)))
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

// argument returns a widget's value as a parameter takes it. It panics if the parameter's type cannot hold it.
func argument(w Widget, t reflect.Type) any {
	v := value(w, t)
	if x, ok := v.(float64); ok && isInt(t) { // of a slider that shows whole numbers
		v = math.Round(x)
	}
	to, ok := convert(v, t)
	if !ok {
		hub.Lock()
		defer hub.Unlock()
		panic(fmt.Sprintf("widgets: %s is %v, which a parameter of type %v cannot hold", w.model().name(), v, t))
	}
	return to.Interface()
}
