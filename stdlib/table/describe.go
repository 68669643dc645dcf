package table

import (
	"math"
	"slices"
)

// Describe returns a table with a row for each column: its name and type, the numbers of its values and of those missing, how
// many of them are distinct; of numbers the mean, standard deviation (n-1 in the denominator), minimum, quartiles (as
// [Quantile]) and maximum.
func (t *Table) Describe() *Table {
	n := len(t.cols)
	names, kinds := make([]string, n), make([]string, n)
	valid, missing, distinct := make([]int, n), make([]int, n), make([]int, n)
	figures := make([][]float64, 7)
	for k := range figures {
		figures[k] = make([]float64, n)
	}
	for j, c := range t.cols {
		names[j], kinds[j] = c.name, c.kind.String()
		for i := range t.rows {
			missing[j] += truth(c.Missing(i))
		}
		valid[j] = t.rows - missing[j]
		_, values := number(c)
		distinct[j] = len(values) - truth(missing[j] > 0)
		for k, x := range c.figures() {
			figures[k][j] = x
		}
	}
	out := newTable(n, nil).with(&Column{name: "column", kind: String, strings: names}).
		with(&Column{name: "type", kind: String, strings: kinds}).with(&Column{name: "count", kind: Int, ints: valid}).
		with(&Column{name: "missing", kind: Int, ints: missing}).with(&Column{name: "distinct", kind: Int, ints: distinct})
	for k, name := range []string{"mean", "sd", "min", "q25", "median", "q75", "max"} {
		out = out.with(&Column{name: name, kind: Float, floats: figures[k]})
	}
	return out
}

// figures returns mean, standard deviation, minimum, quartiles and maximum of a column of numbers, NaN for others.
func (c *Column) figures() [7]float64 {
	none := math.NaN()
	if !c.numeric() {
		return [7]float64{none, none, none, none, none, none, none}
	}
	x := slices.DeleteFunc(slices.Clone(c.Floats()), math.IsNaN)
	m, s := mean(x), deviation(x)
	return [7]float64{m, s, quantile(x, 0), quantile(x, 0.25), quantile(x, 0.5), quantile(x, 0.75), quantile(x, 1)}
}

// Counts returns the distinct combinations of values of the named columns with the number of rows of each in a column count,
// the most frequent first.
func (t *Table) Counts(names ...string) *Table {
	name := "count"
	for slices.Contains(names, name) {
		name += "_"
	}
	return t.GroupBy(names...).Summarise(Count().As(name)).SortBy("-" + name)
}

// Unique returns the distinct combinations of values of the named columns, sorted.
func (t *Table) Unique(names ...string) *Table { return t.GroupBy(names...).keyTable() }
