package regression

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gaucho/stdlib/table"
)

// A variable is a variable of a formula with its values: numbers, or a factor with the numbers of its levels.
type variable struct {
	label  string
	x      []float64 // of numbers, NaN where missing
	codes  []int     // of a factor, -1 where missing
	levels []string  // of a factor; the first is the reference
}

func (v *variable) isFactor() bool { return v.codes != nil }

func (v *variable) missing(i int) bool {
	if v.isFactor() {
		return v.codes[i] < 0
	}
	return math.IsNaN(v.x[i])
}

// variableOf evaluates an expression. Strings and bools, and what factor() is put around, are factors.
func variableOf(t *table.Table, e *expr) (*variable, error) {
	v := &variable{label: e.String()}
	name := ""
	switch {
	case e.op == "name":
		name = e.name
	case e.op == "factor" && e.args[0].op == "name":
		name = e.args[0].name
	case e.op == "factor":
		return nil, fmt.Errorf("regression: %s: factor takes the name of a column", e)
	}
	if name == "" {
		var err error
		v.x, err = e.eval(t)
		return v, err
	}
	if !t.Has(name) {
		return nil, noColumn(t, name)
	}
	c := t.Column(name)
	if e.op == "name" && (c.Kind() == table.Int || c.Kind() == table.Float) {
		var err error
		v.x, err = numbersOf(t, name)
		return v, err
	}
	if c.Kind() == table.Time {
		return nil, fmt.Errorf("regression: column %s holds times; derive a number from them, such as the days since the first", name)
	}
	v.codes, v.levels = levelsOf(c)
	return v, nil
}

func noColumn(t *table.Table, name string) error {
	return fmt.Errorf("regression: there is no column %s (columns: %s)", name, strings.Join(t.Names(), ", "))
}

// numbersOf returns a column of numbers or bools, and an error if one is infinite.
func numbersOf(t *table.Table, name string) ([]float64, error) {
	if !t.Has(name) {
		return nil, noColumn(t, name)
	}
	c := t.Column(name)
	if c.Kind() > table.Bool {
		return nil, fmt.Errorf("regression: column %s is of type %s, must be numbers", name, c.Kind())
	}
	x := c.Floats()
	for i, v := range x {
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("regression: column %s, row %d: %g, must be finite", name, i, v)
		}
	}
	return x, nil
}

// levelsOf returns the distinct values of a column, sorted, and the number of each row's. Bools are written as R does, so
// that coefficients have the names that they have there.
func levelsOf(c *table.Column) (codes []int, levels []string) {
	type level struct {
		text  string
		order float64
	}
	number := map[any]int{}
	var all []level
	codes = make([]int, c.Len())
	for i := range codes {
		value := c.Value(i)
		k, ok := number[value]
		switch x := value.(type) {
		case nil:
			codes[i] = -1
			continue
		case string:
			if !ok {
				all = append(all, level{text: x})
			}
		case int:
			if !ok {
				all = append(all, level{strconv.Itoa(x), float64(x)})
			}
		case float64:
			if !ok {
				all = append(all, level{strconv.FormatFloat(x, 'g', 15, 64), x})
			}
		case bool:
			if !ok {
				all = append(all, level{strings.ToUpper(strconv.FormatBool(x)), 0})
			}
		}
		if !ok {
			k = len(number)
			number[value] = k
		}
		codes[i] = k
	}
	order := make([]int, len(all))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		if all[a].order != all[b].order {
			return int(math.Copysign(1, all[a].order-all[b].order))
		}
		return strings.Compare(all[a].text, all[b].text)
	})
	rank := make([]int, len(all))
	for r, k := range order {
		rank[k] = r
		levels = append(levels, all[k].text)
	}
	for i, k := range codes {
		if k >= 0 {
			codes[i] = rank[k]
		}
	}
	return codes, levels
}

// at returns the variable in some rows, a factor with the levels that occur there.
func (v *variable) at(rows []int) *variable {
	out := &variable{label: v.label}
	if !v.isFactor() {
		out.x = make([]float64, len(rows))
		for k, i := range rows {
			out.x[k] = v.x[i]
		}
		return out
	}
	used := make([]int, len(v.levels))
	for _, i := range rows {
		used[v.codes[i]] = 1
	}
	for k, name := range v.levels {
		if used[k] > 0 {
			used[k] = len(out.levels)
			out.levels = append(out.levels, name)
		}
	}
	out.codes = make([]int, len(rows))
	for k, i := range rows {
		out.codes[k] = used[v.codes[i]]
	}
	return out
}

// A column is a column of the design: a product of variables, each either numbers or the indicator of one level.
type column struct {
	name  string
	vars  []int // numbers of variables
	level []int // of each, -1 for numbers
}

// columns returns the columns of the design. The coding of factors is R's: a factor in a term is coded by contrasts to its
// first level if the rest of the term is contained in an earlier term, otherwise by an indicator of each level (Chambers and
// Hastie 1992, Statistical Models in S, page 38).
func (f *formula) columns(vars []*variable) []column {
	var all []column
	whole := !f.intercept() // the first factor has all its levels where there is no intercept
	for k, term := range f.terms {
		cols := []column{{}}
		if term == "" {
			all = append(all, column{name: "(Intercept)"})
			continue
		}
		for _, i := range term {
			i, v, first := int(i), vars[i], 0
			if v.isFactor() && !whole && f.margin(k, term.without(i)) {
				first = 1
			}
			whole = whole && !v.isFactor()
			cols = v.times(cols, i, first)
		}
		all = append(all, cols...)
	}
	return all
}

// margin reports whether the variables are empty or contained in one of the first k terms.
func (f *formula) margin(k int, rest term) bool {
	return rest == "" || slices.ContainsFunc(f.terms[:k], rest.within)
}

// times returns the products of columns with those of variable i, whose levels count from first.
func (v *variable) times(cols []column, i, first int) []column {
	levels := []int{-1}
	if v.isFactor() {
		levels = nil
		for l := first; l < len(v.levels); l++ {
			levels = append(levels, l)
		}
	}
	var out []column
	for _, l := range levels {
		name := v.label
		if l >= 0 {
			name += v.levels[l]
		}
		for _, c := range cols {
			next := column{name: name, vars: append(slices.Clone(c.vars), i), level: append(slices.Clone(c.level), l)}
			if c.name != "" {
				next.name = c.name + ":" + name
			}
			out = append(out, next)
		}
	}
	return out
}

// values returns the column for n rows of the variables.
func (c column) values(vars []*variable, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		x := 1.0
		for k, j := range c.vars {
			switch v := vars[j]; {
			case c.level[k] < 0:
				x *= v.x[i]
			case v.codes[i] < 0:
				x = math.NaN()
			case v.codes[i] != c.level[k]:
				x *= 0
			}
		}
		out[i] = x
	}
	return out
}
