package table

import (
	"math"
	"slices"

	"gaucho/internal/scale"
	"gaucho/stdlib/internal/parallel"
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
	parallel.Team(n, func(j, _ int) {
		c := t.cols[j]
		names[j], kinds[j] = c.name, c.kind.String()
		var of [7]float64
		missing[j], distinct[j], of = c.described()
		valid[j] = t.rows - missing[j]
		for k, x := range of {
			figures[k][j] = x
		}
	})
	out := newTable(n, nil).with(&Column{name: "column", kind: String, strings: names}).
		with(&Column{name: "type", kind: String, strings: kinds}).with(&Column{name: "count", kind: Int, ints: valid}).
		with(&Column{name: "missing", kind: Int, ints: missing}).with(&Column{name: "distinct", kind: Int, ints: distinct})
	for k, name := range []string{"mean", "sd", "min", "q25", "median", "q75", "max"} {
		out = out.with(&Column{name: name, kind: Float, floats: figures[k]})
	}
	return out
}

// described returns how many values are missing, how many of the others are distinct, and mean, standard deviation, minimum,
// quartiles and maximum of a column of numbers, NaN for others. Numbers are sorted once, which also counts the distinct ones.
func (c *Column) described() (missing, distinct int, figures [7]float64) {
	if !c.numeric() {
		for k := range figures {
			figures[k] = math.NaN()
		}
		for _, m := range c.missing {
			missing += truth(m)
		}
		return missing, c.distinct(missing), figures
	}
	x := slices.DeleteFunc(slices.Clone(c.Floats()), math.IsNaN)
	missing = c.Len() - len(x)
	figures[0], figures[1] = mean(x), deviation(x)
	sortFloats(x)
	for k, p := range []float64{0, 0.25, 0.5, 0.75, 1} {
		figures[2+k] = scale.Quantile(x, p)
	}
	const whole = 1 << 53
	if c.kind == Int && len(x) > 0 && (x[0] <= -whole || x[len(x)-1] >= whole) {
		return missing, c.distinct(missing), figures // some are the same float
	}
	for i, v := range x {
		distinct += truth(i == 0 || v != x[i-1])
	}
	return missing, distinct, figures
}

// distinct returns how many values there are besides so many missing ones, by numbering them.
func (c *Column) distinct(missing int) int {
	_, values := number(c)
	return len(values) - truth(missing > 0)
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
