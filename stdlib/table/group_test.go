package table_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

// TestWholeNumbers: sums, least and greatest values of integers, which have more digits than a float64, are exact.
func TestWholeNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	const n, groups = 1000, 7
	group, id, valid := make([]int, n), make([]int, n), make([]bool, n)
	sum := make([]big.Int, groups)
	least, greatest := make([]int, groups), make([]int, groups)
	for k := range groups {
		least[k], greatest[k] = math.MaxInt, math.MinInt
	}
	for i := range n {
		k, v := rng.IntN(groups), int(rng.Int64()>>8)-1<<54
		group[i], id[i], valid[i] = k, v, rng.IntN(5) > 0
		if valid[i] {
			sum[k].Add(&sum[k], big.NewInt(int64(v)))
			least[k], greatest[k] = min(least[k], v), max(greatest[k], v)
		}
	}
	data := from(t, map[string][]int{"group": group}).WithValid("id", id, valid)
	got := data.GroupBy("group").Summarise(table.Sum("id"), table.Min("id"), table.Max("id"))
	for k := range groups {
		if r := got.Row(k); int64(r.Int("id_sum")) != sum[k].Int64() || r.Int("id_min") != least[k] || r.Int("id_max") != greatest[k] {
			t.Errorf("group %d: sum %d, %d to %d, want %v, %d to %d", k, r.Int("id_sum"), r.Int("id_min"), r.Int("id_max"), &sum[k], least[k], greatest[k])
		}
	}
	for _, v := range []int{math.MaxInt, math.MinInt} {
		large := from(t, map[string][]int{"g": {1, 1}, "v": {v, v}}).GroupBy("g").Summarise(table.Sum("v"))
		if x := large.Floats("v_sum")[0]; x != 2*float64(v) {
			t.Errorf("the sum of two %d is %v", v, x)
		}
	}
}

func from(t *testing.T, data any) *table.Table {
	t.Helper()
	got, err := table.From(data)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestExtremesOfAllTypes: least and greatest values have the type of their column, and those of a group without any are missing.
func TestExtremesOfAllTypes(t *testing.T) {
	data := parse(t, "g,day,name,ok,x,n\n1,2024-03-01,b,true,2.5,3\n1,2023-01-01,a,false,-1,7\n1,,c,,,\n2,,,,,\n")
	day := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, want := range []struct {
		column          string
		least, greatest any
	}{
		{"day", day("2023-01-01"), day("2024-03-01")}, {"name", "a", "c"}, {"ok", false, true}, {"x", -1.0, 2.5}, {"n", 3, 7},
	} {
		got := data.GroupBy("g").Summarise(table.Min(want.column), table.Max(want.column), table.Valid(want.column))
		if r := got.Row(0); r.Value(want.column+"_min") != want.least || r.Value(want.column+"_max") != want.greatest {
			t.Errorf("%s: %v to %v", want.column, r.Value(want.column+"_min"), r.Value(want.column+"_max"))
		}
		if r := got.Row(1); !r.Missing(want.column+"_min") || !r.Missing(want.column+"_max") || r.Int(want.column+"_valid") != 0 {
			t.Errorf("%s of a group without any: %v to %v", want.column, r.Value(want.column+"_min"), r.Value(want.column+"_max"))
		}
	}
}

// TestGroupFloats: the samples of the groups, without what is missing.
func TestGroupFloats(t *testing.T) {
	tab, err := table.From(map[string]any{"bed": []string{"A", "B", "A", "B", "C"}, "height": []float64{1, 2, math.NaN(), 4, math.NaN()}, "count": []int{1, 2, 3, 4, 5}})
	if err != nil {
		t.Fatal(err)
	}
	g := tab.GroupBy("bed")
	for column, want := range map[string][][]float64{"height": {{1}, {2, 4}, nil}, "count": {{1, 3}, {2, 4}, {5}}} {
		if got := g.Floats(column); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", column, got, want)
		}
	}
}
