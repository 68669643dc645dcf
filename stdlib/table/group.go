package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gaucho/internal/scale"
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
	for r, k := range sortRows(numbersTo[uint32](len(first)), cols, make([]bool, len(cols))) {
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

// Floats returns the values of a column of numbers in each group, in the order of [Grouping.Each], as samples for a test or a
// figure: missing ones are left out.
func (g *Grouping) Floats(column string) [][]float64 {
	x := g.t.Floats(column)
	out := make([][]float64, g.Len())
	for i, k := range g.group {
		if v := x[i]; v == v {
			out[k] = append(out[k], v)
		}
	}
	return out
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
	column string                               // "" for Count
	of     func(g *Grouping, c *Column) *Column // returns a value for each group; c is nil for Count
	any    bool                                 // of takes values of every type, not only numbers and bools
	count  bool                                 // the value of a group without rows is 0
	own    bool                                 // of calls a function of the program
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
	return summary(name, column, func(g *Grouping, c *Column) *Column {
		values, result := c.Floats(), make([]float64, g.Len())
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
		return floatColumn(result)
	})
}

func summary(name, column string, of func(g *Grouping, c *Column) *Column) Summary {
	return Summary{name: column + "_" + name, column: column, of: of}
}

func floatColumn(x []float64) *Column { return &Column{kind: Float, floats: x} }

func intColumn(x []int) *Column { return &Column{kind: Int, ints: x} }

// Count returns the number of rows of a group, under the name count.
func Count() Summary { return Summary{name: "count", count: true, of: counts} }

func counts(g *Grouping, _ *Column) *Column { return intColumn(g.counts()) }

func (g *Grouping) counts() []int {
	n := make([]int, g.Len())
	for _, k := range g.group {
		n[k]++
	}
	return n
}

// Valid returns the number of values that are not missing. The column may be of any type.
func Valid(column string) Summary {
	s := summary("valid", column, valid)
	s.any, s.count = true, true
	return s
}

func valid(g *Grouping, c *Column) *Column {
	n := make([]int, g.Len())
	for i, k := range g.group {
		n[k] += truth(!c.Missing(i))
	}
	return intColumn(n)
}

// Sum returns the sum of the values, 0 where there are none. Sums of integers and of bools are ints, unless one of them is too
// large.
func Sum(column string) Summary { return summary("sum", column, sums) }

func sums(g *Grouping, c *Column) *Column {
	if c.kind != Float {
		return g.wholeSums(c)
	}
	sum, _ := g.sums(c.floats)
	return floatColumn(sum)
}

// Mean returns the mean of the values.
func Mean(column string) Summary { return summary("mean", column, means) }

func means(g *Grouping, c *Column) *Column {
	x := c.Floats()
	sum, n := g.sums(x)
	large := false
	for k := range sum {
		sum[k] /= n[k] // NaN where there are none
		large = large || math.IsInf(sum[k], 0)
	}
	if large {
		return apply("mean", c.name, mean).of(g, c)
	}
	return floatColumn(sum)
}

// sums returns the sum and the number of the values of each group that are not missing. It goes by rows, not by groups: the
// column is read in order, and a group's values are added in the order of its rows.
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

// wholeSums returns the sums of a column of integers or bools, as floats if one does not fit into an int.
func (g *Grouping) wholeSums(c *Column) *Column {
	// The sum of group k is high[k] 2^64 + low[k]: sums that come back into range are ints in any order of the rows.
	low, high := make([]int, g.Len()), make([]int, g.Len())
	for i, k := range g.group {
		v := 0
		switch {
		case c.Missing(i):
		case c.kind == Int:
			v = c.ints[i]
		default:
			v = truth(c.bools[i])
		}
		next := low[k] + v
		if next < low[k] != (v < 0) {
			high[k] += 1 - 2*truth(v < 0)
		}
		low[k] = next
	}
	if !slices.ContainsFunc(high, func(h int) bool { return h != 0 }) {
		return intColumn(low)
	}
	sum := make([]float64, len(low))
	for k, l := range low {
		sum[k] = float64(high[k])*0x1p64 + float64(l)
	}
	return floatColumn(sum)
}

// SD returns the standard deviation of the values, with n-1 in the denominator; missing for fewer than two.
func SD(column string) Summary { return apply("sd", column, deviation) }

// Min returns the least value. The column may be of any type, which is that of the result.
func Min(column string) Summary {
	s := summary("min", column, least)
	s.any = true
	return s
}

// Max returns the greatest value. The column may be of any type, which is that of the result.
func Max(column string) Summary {
	s := summary("max", column, greatest)
	s.any = true
	return s
}

func least(g *Grouping, c *Column) *Column    { return g.foremost(c, false) }
func greatest(g *Grouping, c *Column) *Column { return g.foremost(c, true) }

// foremost returns the value of each group that comes first in the order of the column, upwards or downwards.
func (g *Grouping) foremost(c *Column, down bool) *Column {
	order, at := c.order(down), make([]int, g.Len())
	for k := range at {
		at[k] = -1
	}
	for i, k := range g.group {
		if !c.Missing(i) && (at[k] < 0 || order(i, at[k]) < 0) {
			at[k] = i
		}
	}
	return c.pick(at)
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
	n := float64(len(x))
	if s := sum(x); !math.IsInf(s, 0) {
		return s / n
	}
	m := 0.0 // the sum is too large
	for _, v := range x {
		m += v / n
	}
	return m
}

func deviation(x []float64) float64 {
	if len(x) < 2 {
		return math.NaN()
	}
	unit := scale.Of(x)
	x = scale.Divided(x, unit)
	m, s := mean(x), 0.0
	for _, v := range x {
		s += (v - m) * (v - m)
	}
	return math.Sqrt(s/float64(len(x)-1)) * unit
}

// quantile is [scale.Quantile] of values that are not sorted. It changes their order, and costs O(len(x)).
func quantile(x []float64, p float64) float64 {
	if len(x) > 0 {
		i := int(p * float64(len(x)-1))
		nth(x, i)
		if rest := x[i+1:]; len(rest) > 0 {
			j := 0
			for k, v := range rest {
				if v < rest[j] {
					j = k
				}
			}
			rest[0], rest[j] = rest[j], rest[0]
		}
	}
	return scale.Quantile(x, p)
}

// Summarise returns a table with a row for each group: its key and the summaries. Missing values are left out. Columns that
// are summarised hold numbers, or bools, which count as 1 and 0, unless a summary says that it takes others. The cost is
// O(rows) for each summary, and that of its function.
func (g *Grouping) Summarise(summaries ...Summary) *Table {
	out := g.keyTable()
	from := make([]*Column, len(summaries))
	columns := make([]*Column, len(summaries))
	for k, s := range summaries {
		if out.Has(s.name) {
			panic(fmt.Errorf("table: Summarise: two columns called %s; name one by As", s.name))
		}
		from[k] = g.summarised(s)
		out = out.with(floatColumn(make([]float64, g.Len())).renamed(s.name))
	}
	parallel.Team(len(summaries), func(k, _ int) {
		if s := summaries[k]; !s.own {
			columns[k] = s.of(g, from[k])
		}
	})
	for k, s := range summaries {
		if s.own { // functions of the program may share what they like
			columns[k] = s.of(g, from[k])
		}
		out = out.with(columns[k].renamed(s.name))
	}
	return out
}

// summarised returns the column that a summary is of, nil for Count.
func (g *Grouping) summarised(s Summary) *Column {
	if s.column == "" {
		return nil
	}
	c := g.t.Column(s.column)
	if !s.any && c.kind > Bool {
		panic(c.not("numbers"))
	}
	return c
}
