package table_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

// TestSortBy compares with a stable sort by comparison, over values at the ends of their ranges, ties and missing ones.
func TestSortBy(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pick := func(n int) int { return rng.IntN(n) }
	const n = 3000
	ints, floats, texts, times, bools, mask := make([]int, n), make([]float64, n), make([]string, n), make([]time.Time, n), make([]bool, n), make([]bool, n)
	someInts := []int{math.MinInt, math.MaxInt, -1, 0, 1, 2047, 2048, -2048, 1 << 40}
	someFloats := []float64{math.Inf(-1), math.Inf(1), math.Copysign(0, -1), 0, -1e-300, 1e300, -5, 2.5, math.NaN()}
	for i := range n {
		ints[i], floats[i], texts[i] = someInts[pick(9)], someFloats[pick(9)], []string{"", "a", "ab", "ü", "Z"}[pick(5)]
		times[i] = time.Unix(int64(pick(3))-1, int64(pick(3))).UTC().AddDate(pick(2)*3000, 0, 0)
		bools[i], mask[i] = pick(2) == 0, pick(5) > 0
	}
	near, days, names, paths := make([]time.Time, n), make([]time.Time, n), make([]string, n), make([]string, n)
	for i := range n {
		near[i] = time.Unix(int64(pick(3))-1, int64(pick(3))).In(time.FixedZone("", pick(2)*3600))
		days[i] = time.Date(1970, 1, pick(40)-20, 0, 0, 0, 0, time.UTC)
		for range pick(12) {
			names[i] += string("\x00a\xff"[pick(3)])
		}
		paths[i] = "/home/" + strings.Repeat("b", pick(9)) + names[i]
	}
	data, err := table.From(map[string]any{"f": floats})
	if err != nil {
		t.Fatal(err)
	}
	data = data.WithValid("near", near, mask).WithValid("day", days, mask).WithValid("name", names, mask).WithValid("path", paths, mask)
	data = data.WithValid("i", ints, mask).WithValid("s", texts, mask).WithValid("t", times, mask).With("b", bools).With("row", numbers(n))
	for _, by := range [][]string{{"i"}, {"-i"}, {"f"}, {"-f"}, {"s"}, {"-s"}, {"t"}, {"-t"}, {"b"}, {"-b"}, {"near"}, {"-near"}, {"day"}, {"-day"}, {"name"}, {"-name"}, {"path"}, {"-path"}, {"s", "-f", "b"}, {"day", "name", "-near"}, {"-b", "i", "-t"}} {
		want := numbers(n)
		slices.SortStableFunc(want, func(a, b int) int {
			for _, name := range by {
				if d := compare(data, strings.TrimPrefix(name, "-"), name[0] == '-', a, b); d != 0 {
					return d
				}
			}
			return 0
		})
		if got := data.SortBy(by...).Ints("row"); !slices.Equal(got, want) {
			t.Errorf("by %v: not as by comparison", by)
		}
	}
}

// TestSortByMany compares as TestSortBy does where most of a hundred thousand values differ.
func TestSortByMany(t *testing.T) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(7, 9))
	texts, paths, times, mask := make([]string, n), make([]string, n), make([]time.Time, n), make([]bool, n)
	for i := range n {
		texts[i] = "customer " + strconv.Itoa(rng.IntN(n)) + strings.Repeat("0", rng.IntN(9))
		paths[i] = "/home/" + []string{"a", "b/data", "b/data/of/a/day"}[rng.IntN(3)] + texts[i]
		times[i] = time.Date(2500, 1, 1, 0, 0, rng.IntN(n), rng.IntN(3), time.UTC)
		if mask[i] = rng.IntN(20) > 0; !mask[i] {
			paths[i] = "a text that does not count" // however often
		}
	}
	data := mustFrom(t, map[string]any{"text": texts}).WithValid("some", texts, mask).WithValid("path", paths, mask).WithValid("time", times, mask)
	for _, name := range []string{"text", "some", "path", "time"} {
		got := data.SortBy(name).Column(name)
		want := numbers(n)
		slices.SortStableFunc(want, func(a, b int) int { return compare(data, name, false, a, b) })
		for i, row := range want {
			if got.Value(i) != data.Column(name).Value(row) {
				t.Fatalf("by %s: row %d is %v, want %v", name, i, got.Value(i), data.Column(name).Value(row))
			}
		}
	}
}

// TestMedianOfMany compares with a sorted copy.
func TestMedianOfMany(t *testing.T) {
	const n = 100_001
	rng := rand.New(rand.NewPCG(7, 10))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	data := mustFrom(t, map[string]any{"x": x})
	sorted := slices.Sorted(slices.Values(x))
	if got := data.Describe().Row(0); got.Float("median") != sorted[n/2] || got.Float("min") != sorted[0] || got.Float("q25") != sorted[n/4] {
		t.Errorf("%v, want median %v, least %v, quartile %v", got, sorted[n/2], sorted[0], sorted[n/4])
	}
}

func numbers(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// compare compares two rows, the missing ones last.
func compare(data *table.Table, name string, down bool, a, b int) int {
	x, y := data.Column(name).Value(a), data.Column(name).Value(b)
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return 1
	case y == nil:
		return -1
	}
	d := 0
	switch x := x.(type) {
	case int:
		d = map[bool]int{true: -1}[x < y.(int)] + map[bool]int{true: 1}[x > y.(int)]
	case float64:
		d = map[bool]int{true: -1}[x < y.(float64)] + map[bool]int{true: 1}[x > y.(float64)]
	case string:
		d = strings.Compare(x, y.(string))
	case time.Time:
		d = x.Compare(y.(time.Time))
	case bool:
		d = map[bool]int{true: 1}[x] - map[bool]int{true: 1}[y.(bool)]
	}
	if down {
		return -d
	}
	return d
}
