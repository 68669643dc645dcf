package widgets

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

// safeInt is the greatest whole number that is exact in a page.
const safeInt = 1<<53 - 1

// positive are the attributes of whole numbers and floats that must be above 0.
var positive = []string{"step", "interval", "rows"}

// name returns what messages call the widget.
func (m *Model) name() string {
	if i := m.class.attr("description"); i >= 0 && m.values[i] != "" {
		return fmt.Sprintf("%s %q", m.class.name, m.values[i])
	}
	return m.class.name
}

// fault says what is wrong with an attribute, "" for nothing.
func (m *Model) fault(i int) string {
	a, v := &m.class.attrs[i], m.values[i]
	if what := a.fault(v); what != "" {
		return a.label() + " " + what
	}
	switch a.name {
	case "min", "max":
		lo, hi := m.values[m.class.attr("min")], m.values[m.class.attr("max")]
		if lo != nil && hi != nil && compare(lo, hi) > 0 {
			return fmt.Sprintf("min is %v, must not be above max, %v", lo, hi)
		}
		return m.tooWide()
	case "base":
		if !(v.(float64) > 1) {
			return fmt.Sprintf("base is %v, must be above 1", v)
		}
		return m.tooWide()
	case "_options_labels":
		if m.class.attr("readout") >= 0 && len(v.([]string)) == 0 {
			return "there are no options, must be one at least"
		}
	case "selected_index":
		if n := len(m.values[m.class.attr("children")].([]Widget)); v != nil && v.(int) >= n {
			return fmt.Sprintf("selected_index is %v, must be below the number of children, %d", v, n)
		}
	}
	return m.untaggable(i)
}

// tooWide says that a float64 cannot hold the range of the widget's values.
func (m *Model) tooWide() string {
	lo, hi := m.limits()
	a, float := lo.(float64)
	b, _ := hi.(float64)
	if !float || !math.IsInf(b-a, 0) && (a > 0 || m.class.attr("base") < 0) {
		return ""
	}
	return fmt.Sprintf("the range from %v to %v is too wide", a, b)
}

// label returns what messages call an attribute.
func (a *attribute) label() string {
	return strings.TrimSuffix(strings.TrimPrefix(a.name, "_"), "_labels")
}

// fault says what is wrong with a value of an attribute, whatever the others are.
func (a *attribute) fault(v any) string {
	switch v := v.(type) {
	case int:
		return a.wrongInt(v)
	case []int:
		for _, x := range v {
			if what := a.wrongInt(x); what != "" {
				return "holds one that " + what
			}
		}
	case float64:
		return a.wrongFloat(v)
	case []float64:
		for _, x := range v {
			if what := a.wrongFloat(x); what != "" {
				return "holds one that " + what
			}
		}
	case string:
		switch {
		case a.enum != nil && !slices.Contains(a.enum, v):
			return fmt.Sprintf("is %q, must be one of %q", v, a.enum)
		case a.kind == "color" && !isColor(v):
			return fmt.Sprintf("is %q, must be a colour of CSS: a name, #rgb, #rrggbb, rgb(...) or hsl(...)", v)
		}
	case []string:
		if i := slices.IndexFunc(v, func(s string) bool { return a.kind == "colors" && !isColor(s) }); i >= 0 {
			return fmt.Sprintf("holds %q, must hold colours of CSS: names, #rgb, #rrggbb, rgb(...) or hsl(...)", v[i])
		}
	case time.Time:
		if v.Year() < 1 || v.Year() > 9999 {
			return fmt.Sprintf("is in the year %d, must be in 1 to 9999", v.Year())
		}
	case time.Duration:
		if v < 0 || v >= 24*time.Hour {
			return fmt.Sprintf("is %v, must be below 24h", v)
		}
	}
	return ""
}

func (a *attribute) wrongInt(x int) string {
	switch {
	case x > safeInt || x < -safeInt:
		return fmt.Sprintf("is %d, must be within ±%d for a page to hold it", x, safeInt)
	case slices.Contains(positive, a.name) && x < 1:
		return fmt.Sprintf("is %d, must be at least 1", x)
	}
	return ""
}

func (a *attribute) wrongFloat(x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return fmt.Sprintf("is %v, must be finite", x)
	case slices.Contains(positive, a.name) && x <= 0:
		return fmt.Sprintf("is %v, must be above 0", x)
	}
	return ""
}

// untaggable says which value of a list of tags, or text of a Combobox, is none that may be chosen.
func (m *Model) untaggable(i int) string {
	c := m.class
	v := c.attr("value")
	if i != v || v < 0 {
		return ""
	}
	if o := c.attr("ensure_option"); o >= 0 && m.values[o] == true {
		options := m.values[c.attr("options")].([]string)
		if text := m.values[v].(string); text != "" && !slices.Contains(options, text) {
			return fmt.Sprintf("value is %q, must be one of %q", text, options)
		}
	}
	if c.attr("allowed_tags") < 0 {
		return ""
	}
	single := m.values[c.attr("allow_duplicates")] == false
	switch tags := m.values[v].(type) {
	case []string:
		return wrongTag(tags, m.values[c.attr("allowed_tags")].([]string), single, func(s string) bool { return s != "" })
	case []int:
		return wrongTag(tags, m.values[c.attr("allowed_tags")].([]int), single, func(x int) bool { return m.between(x) })
	case []float64:
		return wrongTag(tags, m.values[c.attr("allowed_tags")].([]float64), single, func(x float64) bool { return m.between(x) })
	}
	return ""
}

// between reports whether a number is within the widget's bounds.
func (m *Model) between(x any) bool {
	lo, hi := m.values[m.class.attr("min")], m.values[m.class.attr("max")]
	return (lo == nil || compare(x, lo) >= 0) && (hi == nil || compare(x, hi) <= 0)
}

func wrongTag[T comparable](tags, allowed []T, single bool, may func(T) bool) string {
	for k, t := range tags {
		if !may(t) || len(allowed) > 0 && !slices.Contains(allowed, t) {
			return fmt.Sprintf("value holds %#v, which is not allowed", t)
		}
		if single && slices.Contains(tags[:k], t) {
			return fmt.Sprintf("value holds %#v twice", t)
		}
	}
	return ""
}

// compare compares two values of one of the types that have bounds.
func compare(a, b any) int {
	switch a := a.(type) {
	case int:
		return cmp.Compare(a, b.(int))
	case float64:
		return cmp.Compare(a, b.(float64))
	case time.Time:
		return a.Compare(b.(time.Time))
	case time.Duration:
		return cmp.Compare(a, b.(time.Duration))
	}
	return 0
}

// css are the colours that have names.
var css = strings.Fields(`aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey
darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey
darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite
gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue
lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid
mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin
navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff
peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver
skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat white
whitesmoke yellow yellowgreen`)

// cssForm is a colour in numbers, or one that the page's theme names.
var cssForm = regexp.MustCompile(`^(#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|(rgb|rgba|hsl|hsla)\([-0-9.,%/ a-z]+\)|var\(--[-\w]+\))$`)

func isColor(s string) bool {
	_, named := slices.BinarySearch(css, strings.ToLower(s))
	return named || cssForm.MatchString(s)
}
