package widgets

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"gaucho/stdlib/vec"
)

// bound brings values that depend on others in order: a value between its bounds, an index among its options.
func (m *Model) bound() {
	c := m.class
	if v := c.attr("value"); v >= 0 && c.attr("min") >= 0 && !list(c.attrs[v].kind) {
		lo, hi := m.limits()
		m.values[v] = within(m.values[v], lo, hi)
	}
	if o, i := c.attr("_options_labels"), c.attr("index"); o >= 0 {
		n := len(m.values[o].([]string))
		switch x := m.values[i].(type) {
		case int:
			if x < 0 || x >= n {
				m.values[i] = nil
			}
		case []int:
			if c.attrs[i].kind == "pair" {
				m.values[i] = within(x, 0, max(n-1, 0))
			} else {
				m.values[i] = slices.DeleteFunc(slices.Clone(x), func(k int) bool { return k < 0 || k >= n })
			}
		}
	}
	if i := c.attr("selected_index"); i >= 0 {
		if k, ok := m.values[i].(int); ok && (k < 0 || k >= len(m.values[c.attr("children")].([]Widget))) {
			m.values[i] = nil
		}
	}
}

// list reports whether values of a kind are lists of any length.
func list(kind string) bool { return kind == "ints" || kind == "floats" }

// limits returns the bounds of the widget's value, nil for none.
func (m *Model) limits() (lo, hi any) {
	c := m.class
	lo, hi = m.values[c.attr("min")], m.values[c.attr("max")]
	if i := c.attr("base"); i >= 0 {
		base := m.values[i].(float64)
		return vec.Pow1(base, lo.(float64)), vec.Pow1(base, hi.(float64))
	}
	return lo, hi
}

// within brings a value, or the ends of an interval, between bounds of its type, and the ends in order.
func within(v, lo, hi any) any {
	switch x := v.(type) {
	case int:
		return clamp(x, lo, hi, cmp.Compare)
	case float64:
		return clamp(x, lo, hi, cmp.Compare)
	case time.Time:
		return clamp(x, lo, hi, time.Time.Compare)
	case time.Duration:
		return clamp(x, lo, hi, cmp.Compare)
	case []int:
		return ordered(x, lo, hi)
	case []float64:
		return ordered(x, lo, hi)
	}
	return v
}

func ordered[T int | float64](ends []T, lo, hi any) []T {
	ends = slices.Clone(ends)
	for k := range ends {
		ends[k] = clamp(ends[k], lo, hi, cmp.Compare)
	}
	slices.Sort(ends)
	return ends
}

func clamp[T any](x T, lo, hi any, compare func(a, b T) int) T {
	if a, ok := lo.(T); ok && compare(x, a) < 0 {
		return a
	}
	if b, ok := hi.(T); ok && compare(x, b) > 0 {
		return b
	}
	return x
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
