package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Grouping is a table whose rows are grouped by the values of some columns, as [Table.GroupBy] returns it.
type Grouping struct {
	t      *Table
	keys   []*Column
	starts []int // of the groups in rows, and their end
	rows   []int // of the table, group after group
}

// GroupBy groups the rows by the values of the named columns. The groups are sorted by these values; missing values are a
// group of their own, the last.
func (t *Table) GroupBy(names ...string) *Grouping {
	if len(names) == 0 {
		panic(fmt.Errorf("table: GroupBy needs the name of a column"))
	}
	g := &Grouping{t: t, keys: t.columns(names)}
	code, n := codes(g.keys, t.rows)
	g.starts, g.rows = buckets(code, n)
	g.sort()
	return g
}

// codes numbers the distinct rows of some columns, all of n rows, from 0 in the order in which they occur.
func codes(cols []*Column, n int) (code []int, groups int) {
	for k, c := range cols {
		next, m := c.codes()
		if k == 0 {
			code, groups = next, m
			continue
		}
		for i := range code {
			next[i] += m * code[i]
		}
		code, groups = number(next)
	}
	return code, groups
}

// number numbers distinct keys from 0 in the order in which they occur.
func number[K comparable](keys []K) (code []int, n int) {
	seen := map[K]int{}
	code = make([]int, len(keys))
	for i, k := range keys {
		id, ok := seen[k]
		if !ok {
			id = len(seen)
			seen[k] = id
		}
		code[i] = id
	}
	return code, len(seen)
}

// codes numbers the distinct values of a column in the order in which they occur; the missing ones have a number in common.
func (c *Column) codes() (code []int, n int) {
	switch c.kind {
	case Int:
		code, n = number(c.ints)
	case Float:
		return number(bitsOf(c.floats))
	case Bool:
		code, n = number(c.bools)
	case Time:
		instants := make([][2]int64, len(c.times))
		for i, t := range c.times {
			instants[i] = [2]int64{t.Unix(), int64(t.Nanosecond())}
		}
		code, n = number(instants)
	case String:
		code, n = number(c.strings)
	}
	if c.missing == nil {
		return code, n
	}
	for i, m := range c.missing {
		if m {
			code[i] = n
		}
	}
	return number(code) // again, without the number of what is in their place
}

// bitsOf returns equal bits for equal numbers; all NaN are equal here, and both zeros.
func bitsOf(x []float64) []uint64 {
	bits := make([]uint64, len(x))
	for i, v := range x {
		switch {
		case v == 0:
		case v != v:
			bits[i] = math.Float64bits(math.NaN())
		default:
			bits[i] = math.Float64bits(v)
		}
	}
	return bits
}

// buckets sorts row numbers by code, with those of code k at starts[k] to starts[k+1].
func buckets(code []int, n int) (starts, rows []int) {
	starts = make([]int, n+1)
	for _, k := range code {
		starts[k+1]++
	}
	for k := range n {
		starts[k+1] += starts[k]
	}
	next := slices.Clone(starts)
	rows = make([]int, len(code))
	for i, k := range code {
		rows[next[k]] = i
		next[k]++
	}
	return starts, rows
}

// sort puts the groups in the order of their keys and drops empty ones.
func (g *Grouping) sort() {
	var order []int
	for k := range len(g.starts) - 1 {
		if g.starts[k] < g.starts[k+1] {
			order = append(order, k)
		}
	}
	keys := make([]func(i, j int) int, len(g.keys))
	for k, c := range g.keys {
		keys[k] = c.order(false)
	}
	slices.SortFunc(order, func(a, b int) int {
		i, j := g.rows[g.starts[a]], g.rows[g.starts[b]]
		for _, key := range keys {
			if d := key(i, j); d != 0 {
				return d
			}
		}
		return 0
	})
	starts, rows := []int{0}, make([]int, 0, len(g.rows))
	for _, k := range order {
		rows = append(rows, g.rows[g.starts[k]:g.starts[k+1]]...)
		starts = append(starts, len(rows))
	}
	g.starts, g.rows = starts, rows
}

// Len returns the number of groups.
func (g *Grouping) Len() int { return len(g.starts) - 1 }

// String says how many rows and groups there are, and shows each group's key and number of rows.
func (g *Grouping) String() string {
	names := make([]string, len(g.keys))
	for i, c := range g.keys {
		names[i] = c.name
	}
	return fmt.Sprintf("%d rows in %d groups by %s\n%s", len(g.rows), g.Len(), strings.Join(names, ", "), g.Summarise(Count()))
}

// Table returns the rows of group k.
func (g *Grouping) Table(k int) *Table {
	if k < 0 || k >= g.Len() {
		panic(fmt.Errorf("table: group %d of %d", k, g.Len()))
	}
	return g.t.pick(g.rows[g.starts[k]:g.starts[k+1]])
}

// Each calls f with the key of each group and its rows; the key is a row of the columns that the table is grouped by.
func (g *Grouping) Each(f func(key Row, rows *Table)) {
	keys := g.keyTable()
	for k := range g.Len() {
		f(Row{keys, k}, g.Table(k))
	}
}

// keyTable has a row of keys for each group.
func (g *Grouping) keyTable() *Table {
	first := make([]int, g.Len())
	for k := range first {
		first[k] = g.rows[g.starts[k]]
	}
	cols := make([]*Column, len(g.keys))
	for j, c := range g.keys {
		cols[j] = c.pick(first)
	}
	return newTable(len(first), cols)
}

// A Summary says how the values of a column in a group become one: [Mean], [Sum], [Count] and others return one.
type Summary struct {
	name   string
	column string // "" for Count
	f      func(x []float64) float64
	whole  bool // the result is a count
}

// As returns the summary under a name of its own.
func (s Summary) As(name string) Summary {
	s.name = name
	return s
}

// Apply returns a summary by a function of one's own, named column_name. The function gets the values of a group that are not
// missing, which may be none, and may change the slice, but not keep it. If it returns NaN, the result is missing.
func Apply(name, column string, f func(values []float64) float64) Summary {
	return Summary{name: column + "_" + name, column: column, f: f}
}

// Count returns the number of rows of a group, under the name count.
func Count() Summary { return Summary{name: "count", whole: true} }

// Valid returns the number of values that are not missing.
func Valid(column string) Summary {
	s := Apply("valid", column, func(x []float64) float64 { return float64(len(x)) })
	s.whole = true
	return s
}

// Sum returns the sum of the values, 0 where there are none.
func Sum(column string) Summary { return Apply("sum", column, sum) }

// Mean returns the mean of the values.
func Mean(column string) Summary { return Apply("mean", column, mean) }

// SD returns the standard deviation of the values, with n-1 in the denominator; missing for fewer than two.
func SD(column string) Summary { return Apply("sd", column, deviation) }

// Min returns the least value.
func Min(column string) Summary {
	return Apply("min", column, func(x []float64) float64 { return quantile(x, 0) })
}

// Max returns the greatest value.
func Max(column string) Summary {
	return Apply("max", column, func(x []float64) float64 { return quantile(x, 1) })
}

// Median returns the median of the values.
func Median(column string) Summary {
	return Apply("median", column, func(x []float64) float64 { return quantile(x, 0.5) })
}

// Quantile returns the quantile of order p in [0, 1], interpolated linearly between the two values next to place (n-1)p
// (Hyndman and Fan 1996, definition 7), under a name such as height_q0.25.
func Quantile(column string, p float64) Summary {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Errorf("table: Quantile: p is %v, must be in [0, 1]", p))
	}
	return Apply("q"+strconv.FormatFloat(p, 'g', -1, 64), column, func(x []float64) float64 { return quantile(x, p) })
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
	values := map[string][]float64{}
	for _, s := range summaries {
		if out.Has(s.name) {
			panic(fmt.Errorf("table: Summarise: two columns called %s; name one by As", s.name))
		}
		if s.column != "" && values[s.column] == nil {
			values[s.column] = g.t.Floats(s.column)
		}
		out = out.with(g.summary(s, values[s.column]))
	}
	return out
}

func (g *Grouping) summary(s Summary, values []float64) *Column {
	result := make([]float64, g.Len())
	var x []float64
	for k := range result {
		rows := g.rows[g.starts[k]:g.starts[k+1]]
		if s.column == "" {
			result[k] = float64(len(rows))
			continue
		}
		x = x[:0]
		for _, i := range rows {
			if v := values[i]; v == v {
				x = append(x, v)
			}
		}
		result[k] = s.f(x)
	}
	if !s.whole {
		return &Column{name: s.name, kind: Float, floats: result}
	}
	counts := make([]int, len(result))
	for k, v := range result {
		counts[k] = int(v)
	}
	return &Column{name: s.name, kind: Int, ints: counts}
}
