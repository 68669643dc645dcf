package table_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

// TestGroups compares groups over several blocks of rows with maps, by keys of each type, missing ones among them. The sums
// have the same bits: both add in the order of the rows.
func TestGroups(t *testing.T) {
	const n = 200_000
	rng := rand.New(rand.NewPCG(3, 4))
	ints, floats, bools := make([]int, n), make([]float64, n), make([]bool, n)
	times, strings, x := make([]time.Time, n), make([]string, n), make([]float64, n)
	short, long := make([]string, n), make([]string, n)
	instants, reals := make([]time.Time, n), make([]float64, n) // most of them differ
	valid := make([]bool, n)
	zone := time.FixedZone("east", 3600)
	for i := range n {
		ints[i] = rng.IntN(1000) - 500
		floats[i] = []float64{0, math.Copysign(0, -1), math.NaN(), 1.5, math.Inf(1)}[rng.IntN(5)]
		bools[i] = rng.IntN(2) == 0
		times[i] = time.Unix(int64(rng.IntN(5)), int64(rng.IntN(2))).UTC()
		if rng.IntN(2) == 0 {
			times[i] = times[i].In(zone) // the same instant
		}
		strings[i] = fmt.Sprint("k", rng.IntN(100_000))
		short[i] = []string{"", "\x00", "\x00\x00", "a", "a\x00", "1234567", "123456"}[rng.IntN(7)]
		if i == n-1 {
			long[i] = "12345678" // in the last block alone
		} else {
			long[i] = short[i]
		}
		instants[i], reals[i] = time.Unix(0, rng.Int64N(1e5)).UTC(), float64(rng.IntN(1e5)-5e4)
		x[i] = rng.NormFloat64()
		if valid[i] = rng.IntN(10) > 0; rng.IntN(20) == 0 {
			x[i] = math.NaN()
		}
	}
	all, err := table.From(map[string][]float64{"f": floats, "x": x})
	if err != nil {
		t.Fatal(err)
	}
	all = all.WithValid("i", ints, valid).WithValid("b", bools, valid).WithValid("t", times, valid).WithValid("s", strings, valid).
		With("short", short).With("long", long).WithValid("instant", instants, valid).With("real", reals)
	text := func(name string, i int) string {
		switch v := all.Column(name).Value(i).(type) {
		case time.Time:
			return fmt.Sprint(v.UnixNano())
		case float64:
			return fmt.Sprint(v + 0) // one zero
		default:
			return fmt.Sprint(v)
		}
	}
	for _, by := range [][]string{{"i"}, {"f"}, {"b"}, {"t"}, {"s"}, {"short"}, {"long"}, {"instant"}, {"real"}, {"real", "instant"}, {"i", "t"}, {"s", "f", "b"}} {
		type total struct {
			sum         float64
			rows, valid int
		}
		want := map[string]total{}
		for i := range n {
			key := ""
			for _, name := range by {
				key += text(name, i) + "|"
			}
			w := want[key]
			w.rows++
			if x[i] == x[i] {
				w.sum += x[i]
				w.valid++
			}
			want[key] = w
		}
		got := all.GroupBy(by...).Summarise(table.Count(), table.Sum("x"), table.Mean("x"), table.Valid("x"))
		if got.Len() != len(want) {
			t.Fatalf("%v: %d groups, want %d", by, got.Len(), len(want))
		}
		for k := range got.Len() {
			key := ""
			for _, name := range by {
				switch v := got.Column(name).Value(k).(type) {
				case time.Time:
					key += fmt.Sprint(v.UnixNano()) + "|"
				case float64:
					key += fmt.Sprint(v+0) + "|"
				default:
					key += fmt.Sprint(v) + "|"
				}
			}
			w, row := want[key], got.Row(k)
			mean := w.sum / float64(w.valid)
			if row.Int("count") != w.rows || row.Float("x_sum") != w.sum || row.Int("x_valid") != w.valid ||
				row.Float("x_mean") != mean && w.valid > 0 {
				t.Fatalf("%v: group %s is %v, want %+v with mean %v", by, key, row, w, mean)
			}
		}
	}
}

// TestJoinBlocks compares a join over several blocks with nested maps.
func TestJoinBlocks(t *testing.T) {
	const n = 150_000
	rng := rand.New(rand.NewPCG(5, 6))
	left, right := make([]int, n), make([]float64, n)
	value := make([]int, n)
	rows := map[float64][]int{}
	for i := range n {
		left[i], right[i], value[i] = rng.IntN(n), float64(rng.IntN(n)), i
		rows[right[i]] = append(rows[right[i]], i)
	}
	a, err := table.From(map[string][]int{"k": left, "a": value})
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.From(map[string]any{"k": right, "b": value})
	if err != nil {
		t.Fatal(err)
	}
	var first, second []int
	for i, k := range left {
		for _, j := range rows[float64(k)] {
			first, second = append(first, i), append(second, j)
		}
	}
	got := a.Join(b, "k")
	if !slices.Equal(got.Ints("a"), first) || !slices.Equal(got.Ints("b"), second) {
		t.Errorf("%d rows, want %d, or in another order", got.Len(), len(first))
	}
}

// TestFromFields compares columns of structs with those of pointers to the same structs, which are read by reflection.
func TestFromFields(t *testing.T) {
	type Inner struct{ Y float64 }
	type Celsius float64
	type row struct {
		I int
		F float64
		B bool
		S string
		T time.Time
		C Celsius
		P *int
		Inner
	}
	seven, day := 7, time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)
	rows := []row{{1, 2.5, true, "x", day, 20, &seven, Inner{4}}, {}, {-1, math.NaN(), false, "", day, -3, nil, Inner{5}}}
	var pointers []*row
	for i := range rows {
		pointers = append(pointers, &rows[i])
	}
	a, err := table.From(rows)
	if err != nil {
		t.Fatal(err)
	}
	b, err := table.From(pointers)
	if err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() || !slices.Equal(a.Names(), []string{"I", "F", "B", "S", "T", "C", "P", "Y"}) {
		t.Errorf("\n%v\nand of pointers\n%v", a, b)
	}
	if c := a.Column("T"); c.Missing(0) || !c.Missing(1) || !slices.Equal(a.Floats("Y"), []float64{4, 0, 5}) {
		t.Errorf("%v", a)
	}
	if c := mustFrom(t, rows[1:2]).Column("T"); c.Kind() != mustFrom(t, pointers[1:2]).Column("T").Kind() {
		t.Errorf("a column without a time is of type %v", c.Kind())
	}
}

func mustFrom(t *testing.T, v any) *table.Table {
	t.Helper()
	out, err := table.From(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
