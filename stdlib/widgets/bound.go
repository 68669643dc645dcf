package widgets

import (
	"math"
	"slices"
	"strconv"

	"gaucho/stdlib/vec"
)

// bound brings values that depend on others in order: a value between its bounds, an index among its options.
func (m *Model) bound() {
	c := m.class
	if lo, hi, v := c.attr("min"), c.attr("max"), c.attr("value"); lo >= 0 && v >= 0 {
		switch c.attrs[lo].kind {
		case "int":
			if !c.attrs[lo].null {
				boundInt(m.values, lo, hi, v)
			}
		case "float":
			if !c.attrs[lo].null {
				m.boundFloat(lo, hi, v)
			}
		}
	}
	if o, i := c.attr("_options_labels"), c.attr("index"); o >= 0 {
		n := len(m.values[o].([]string))
		switch x := m.values[i].(type) {
		case int:
			if x >= n {
				m.values[i] = nil
			}
		case []int:
			x = slices.Clone(x)
			if c.attrs[i].kind == "pair" {
				m.values[i] = within(x, 0, max(n-1, 0))
			} else {
				m.values[i] = slices.DeleteFunc(x, func(k int) bool { return k < 0 || k >= n })
			}
		}
	}
}

func boundInt(values []any, lo, hi, v int) {
	a, b := values[lo].(int), values[hi].(int)
	if b < a {
		b = a
		values[hi] = b
	}
	switch x := values[v].(type) {
	case int:
		values[v] = min(max(x, a), b)
	case []int:
		values[v] = within(slices.Clone(x), a, b)
	}
}

func (m *Model) boundFloat(lo, hi, v int) {
	a, b := m.values[lo].(float64), m.values[hi].(float64)
	if b < a {
		b = a
		m.values[hi] = b
	}
	if i := m.class.attr("base"); i >= 0 {
		base := m.values[i].(float64)
		a, b = vec.Pow1(base, a), vec.Pow1(base, b)
	}
	switch x := m.values[v].(type) {
	case float64:
		m.values[v] = min(max(x, a), b)
	case []float64:
		m.values[v] = within(slices.Clone(x), a, b)
	}
}

// within brings the ends of an interval between bounds and in order.
func within[T int | float64](ends []T, lo, hi T) []T {
	for k := range ends {
		ends[k] = min(max(ends[k], lo), hi)
	}
	slices.Sort(ends)
	return ends
}

// onGrid takes the rounding errors out of a slider's value. The page computes min + k step in floating point and so says
// 0.4999999999999999 where the slider is at 0.5.
func (m *Model) onGrid() {
	c := m.class
	s, v := c.attr("step"), c.attr("value")
	if s < 0 || v < 0 || c.attr("base") >= 0 {
		return
	}
	step, _ := m.values[s].(float64)
	switch x := m.values[v].(type) {
	case float64:
		m.values[v] = shortest(x, step)
	case []float64:
		x = slices.Clone(x)
		for i := range x {
			x[i] = shortest(x[i], step)
		}
		m.values[v] = x
	}
}

// shortest returns x with three decimals more than a step has, if that is x but for rounding errors, else x.
func shortest(x, step float64) float64 {
	if !(step > 0) || math.IsInf(step, 0) {
		return x
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', max(0, 3+decimals(step)), 64), 64)
	if err != nil || math.Abs(r-x) > 1e-6*step {
		return x
	}
	return r
}
