package table_test

import (
	"math"
	"testing"

	"gaucho/stdlib/table"
)

func load(t *testing.T, name string) *table.Table {
	t.Helper()
	out, err := table.Load("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// same compares tables: the names and values, floats to twelve digits, which sums in another order change.
func same(t *testing.T, got, want *table.Table) {
	t.Helper()
	if got.Len() != want.Len() || got.Len() == 0 {
		t.Fatalf("%d rows, want %d", got.Len(), want.Len())
	}
	for _, name := range want.Names() {
		a, b := got.Column(name), want.Column(name)
		for i := range b.Len() {
			x, y := a.Value(i), b.Value(i)
			if u, ok := x.(int); ok && b.Kind() == table.Float { // an integer that the other writes as 3.0
				x = float64(u)
			}
			u, isFloat := x.(float64)
			v, _ := y.(float64)
			if w, ok := y.(int); ok {
				v = float64(w)
			}
			if isFloat && y != nil && math.Abs(u-v) <= 1e-12*math.Abs(v) {
				continue
			}
			if x != y {
				t.Fatalf("%s[%d] = %v, want %v", name, i, x, y)
			}
		}
	}
	if len(got.Names()) != len(want.Names()) {
		t.Errorf("columns %v, want %v", got.Names(), want.Names())
	}
}

// TestPandas compares with what pandas computes; testdata/pandas.py has the commands.
func TestPandas(t *testing.T) {
	visits, wards := load(t, "visits.csv"), load(t, "wards.csv")
	t.Run("summary", func(t *testing.T) {
		g := visits.GroupBy("ward", "year")
		same(t, g.Summarise(table.Count(), table.Mean("weight"), table.SD("weight"), table.Sum("weight"), table.Valid("weight"),
			table.Min("weight"), table.Max("weight"), table.Median("weight"), table.Quantile("weight", 0.9), table.Sum("days"), table.Mean("days"),
			table.Apply("range", "weight", func(x []float64) float64 {
				low, high := math.Inf(1), math.Inf(-1)
				for _, v := range x {
					low, high = min(low, v), max(high, v)
				}
				return high - low
			})), load(t, "summary.csv"))
	})
	t.Run("sorted", func(t *testing.T) { same(t, visits.SortBy("ward", "-weight", "day"), load(t, "sorted.csv")) })
	t.Run("inner", func(t *testing.T) { same(t, visits.Join(wards, "ward"), load(t, "inner.csv")) })
	t.Run("left", func(t *testing.T) { same(t, visits.LeftJoin(wards, "ward"), load(t, "left.csv")) })
	t.Run("describe", func(t *testing.T) {
		want := load(t, "describe.csv").Rename("std", "sd").Rename("25%", "q25").Rename("50%", "median").Rename("75%", "q75")
		same(t, visits.Select("year", "weight", "days").Describe().Drop("type", "missing"), want)
	})
}
