package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gaucho/stdlib/internal/parallel"
)

// A Grouping is a table whose rows are grouped by the values of some columns, as [Table.GroupBy] returns it.
type Grouping struct {
	t     *Table
	keys  []*Column
	group []uint32                          // of each row
	first []int                             // row of each group
	split func() (starts []int, rows []int) // the rows, group after group, and where in these a group starts
}

// GroupBy groups the rows by the values of the named columns. The groups are sorted by these values; missing values are a
// group of their own, the last.
func (t *Table) GroupBy(names ...string) *Grouping {
	if len(names) == 0 {
		panic(fmt.Errorf("table: GroupBy needs the name of a column"))
	}
	keys := t.columns(names)
	group, first := numberRows(keys)
	cols := newTable(t.rows, keys).pick(first).cols
	rank := make([]uint32, len(first))
	sorted := make([]int, len(first))
	for r, k := range sortedRows(len(first), cols, make([]bool, len(cols))) {
		rank[k], sorted[r] = uint32(r), first[k]
	}
	parallel.Blocks(len(group), numberBlock, func(_, from, to int) { renumber(group[from:to], rank) })
	return grouping(t, keys, group, sorted)
}

func grouping(t *Table, keys []*Column, group []uint32, first []int) *Grouping {
	g := &Grouping{t: t, keys: keys, group: group, first: first}
	g.split = sync.OnceValues(func() ([]int, []int) { return buckets(group, len(first)) })
	return g
}

// rows returns the rows of group k.
func (g *Grouping) rows(k int) []int {
	starts, rows := g.split()
	return rows[starts[k]:starts[k+1]]
}

// Len returns the number of groups.
func (g *Grouping) Len() int { return len(g.first) }

// String says how many rows and groups there are, and shows each group's key and number of rows.
func (g *Grouping) String() string {
	names := make([]string, len(g.keys))
	for i, c := range g.keys {
		names[i] = c.name
	}
	return fmt.Sprintf("%d rows in %d groups by %s\n%s", len(g.group), g.Len(), strings.Join(names, ", "), g.Summarise(Count()))
}

// Table returns the rows of group k.
func (g *Grouping) Table(k int) *Table {
	if k < 0 || k >= g.Len() {
		panic(fmt.Errorf("table: group %d of %d", k, g.Len()))
	}
	return g.t.pick(g.rows(k))
}

// Each calls f with the key of each group and its rows; the key is a row of the columns that the table is grouped by.
func (g *Grouping) Each(f func(key Row, rows *Table)) {
	keys := g.keyTable()
	for k := range g.Len() {
		f(Row{keys, k}, g.Table(k))
	}
}

// keyTable has a row of keys for each group.
func (g *Grouping) keyTable() *Table { return newTable(g.t.rows, g.keys).pick(g.first) }

// A Summary says how the values of a column in a group become one: [Mean], [Sum], [Count] and others return one.
type Summary struct {
	name   string
	column string                                   // "" for Count
	of     func(g *Grouping, x []float64) []float64 // for each group; x are the values of the column
	whole  bool                                     // the result is a count
	own    bool                                     // of calls a function of the program
}

// As returns the summary under a name of its own.
func (s Summary) As(name string) Summary {
	s.name = name
	return s
}

// Apply returns a summary by a function of one's own, named column_name. The function gets the values of a group that are not
// missing, which may be none, and may change the slice, but not keep it. If it returns NaN, the result is missing.
func Apply(name, column string, f func(values []float64) float64) Summary {
	s := apply(name, column, f)
	s.own = true
	return s
}

// apply is Apply for a function that may run in parallel with others.
func apply(name, column string, f func(values []float64) float64) Summary {
	return summary(name, column, func(g *Grouping, values []float64) []float64 {
		result := make([]float64, g.Len())
		var x []float64
		for k := range result {
			x = x[:0]
			for _, i := range g.rows(k) {
				if v := values[i]; v == v {
					x = append(x, v)
				}
			}
			result[k] = f(x)
		}
		return result
	})
}

func summary(name, column string, of func(g *Grouping, x []float64) []float64) Summary {
	return Summary{name: column + "_" + name, column: column, of: of}
}

// Count returns the number of rows of a group, under the name count.
func Count() Summary {
	return Summary{name: "count", whole: true, of: func(g *Grouping, _ []float64) []float64 { return g.counts() }}
}

func (g *Grouping) counts() []float64 {
	n := make([]float64, g.Len())
	for _, k := range g.group {
		n[k]++
	}
	return n
}

// Valid returns the number of values that are not missing.
func Valid(column string) Summary {
	s := summary("valid", column, func(g *Grouping, x []float64) []float64 {
		_, n := g.sums(x)
		return n
	})
	s.whole = true
	return s
}

// Sum returns the sum of the values, 0 where there are none.
func Sum(column string) Summary {
	return summary("sum", column, func(g *Grouping, x []float64) []float64 {
		sum, _ := g.sums(x)
		return sum
	})
}

// Mean returns the mean of the values.
func Mean(column string) Summary {
	return summary("mean", column, func(g *Grouping, x []float64) []float64 {
		sum, n := g.sums(x)
		for k := range sum {
			sum[k] /= n[k] // NaN where there are none
		}
		return sum
	})
}

// sums returns the sum and the number of the values of each group that are not missing. It goes by rows, not by groups: the
// column is read in order, and a group's values are added in the order of its rows. It is not inlined: cells that inline
// Sum and Mean call it.
//
//go:noinline
func (g *Grouping) sums(x []float64) (sum, n []float64) {
	sum, n = make([]float64, g.Len()), make([]float64, g.Len())
	for i, k := range g.group {
		if v := x[i]; v == v {
			sum[k] += v
			n[k]++
		}
	}
	return sum, n
}

// SD returns the standard deviation of the values, with n-1 in the denominator; missing for fewer than two.
func SD(column string) Summary { return apply("sd", column, deviation) }

// Min returns the least value.
func Min(column string) Summary {
	return apply("min", column, func(x []float64) float64 { return quantile(x, 0) })
}

// Max returns the greatest value.
func Max(column string) Summary {
	return apply("max", column, func(x []float64) float64 { return quantile(x, 1) })
}

// Median returns the median of the values.
func Median(column string) Summary {
	return apply("median", column, func(x []float64) float64 { return quantile(x, 0.5) })
}

// Quantile returns the quantile of order p in [0, 1], interpolated linearly between the two values next to place (n-1)p
// (Hyndman and Fan 1996, definition 7), under a name such as height_q0.25.
func Quantile(column string, p float64) Summary {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Errorf("table: Quantile: p is %v, must be in [0, 1]", p))
	}
	return apply("q"+strconv.FormatFloat(p, 'g', -1, 64), column, func(x []float64) float64 { return quantile(x, p) })
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

func mean(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return sum(x) / float64(len(x))
}

func deviation(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	m, s := mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return math.Sqrt(s / float64(len(x)-1))
}

// quantile sorts x.
func quantile(x []float64, p float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	at := p * float64(len(x)-1)
	low := int(at)
	if high := low + 1; high < len(x) && at > float64(low) {
		return x[low] + (at-float64(low))*(x[high]-x[low])
	}
	return x[low]
}

// Summarise returns a table with a row for each group: its key and the summaries. Missing values are left out. Columns that
// are summarised hold numbers, or bools, which count as 1 and 0. The cost is O(rows) for each summary, and that of its
// function.
func (g *Grouping) Summarise(summaries ...Summary) *Table {
	out := g.keyTable()
	values := make([][]float64, len(summaries))
	columns := make([]*Column, len(summaries))
	for k, s := range summaries {
		if out.Has(s.name) {
			panic(fmt.Errorf("table: Summarise: two columns called %s; name one by As", s.name))
		}
		if s.column != "" {
			values[k] = g.t.Floats(s.column)
		}
		out = out.with(&Column{name: s.name, kind: Float, floats: make([]float64, g.Len())})
	}
	parallel.Team(len(summaries), func(k, _ int) {
		if s := summaries[k]; !s.own {
			columns[k] = g.summary(s, values[k])
		}
	})
	for k, s := range summaries {
		if s.own { // functions of the program may share what they like
			columns[k] = g.summary(s, values[k])
		}
		out = out.with(columns[k])
	}
	return out
}

func (g *Grouping) summary(s Summary, values []float64) *Column {
	result := s.of(g, values)
	if !s.whole {
		return &Column{name: s.name, kind: Float, floats: result}
	}
	counts := make([]int, len(result))
	for k, v := range result {
		counts[k] = int(v)
	}
	return &Column{name: s.name, kind: Int, ints: counts}
}
