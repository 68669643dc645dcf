package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gaucho/internal/scale"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestSpreadWork: a pivot of which nearly all cells are empty takes little more memory than its result, 8 bytes a cell and 9 of
// integers. The result is what going through the rows gives.
func TestSpreadWork(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, rows, columns = 1200, 700, 150
	r, c, x, k := make([]int, n), make([]int, n), make([]float64, n), make([]int, n)
	for i := range n {
		r[i], c[i], x[i], k[i] = rng.IntN(rows), rng.IntN(columns), rng.NormFloat64(), rng.IntN(9)
	}
	tab, err := From(map[string]any{"r": r, "c": c, "x": x, "k": k})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Summary{Mean("x"), Sum("k"), Count(), Valid("x"), Max("x"), Median("x")} {
		var out *Table
		bytes := allocated(func() { out = tab.Pivot("r", "c", s) })
		cells := out.Len() * (len(out.cols) - 1)
		if per := float64(bytes) / float64(cells); per > 20 {
			t.Errorf("%s: %.1f bytes a cell", s.name, per)
		}
		want := map[[2]string]*Column{}
		for pair, of := range pairs(r, c) {
			all := []*Table{tab.Pick(of)}
			want[pair] = all[0].GroupBy("r").Summarise(s).Column(s.name)
		}
		seen := 0
		for i := range out.Len() {
			for _, col := range out.cols[1:] {
				w := want[[2]string{out.cols[0].text(i), col.name}]
				switch {
				case w != nil:
					seen++
					if w.Value(0) != col.Value(i) {
						t.Fatalf("%s of row %s, column %s is %v, want %v", s.name, out.cols[0].text(i), col.name, col.Value(i), w.Value(0))
					}
				case s.count && col.Value(i) != 0, !s.count && !col.Missing(i):
					t.Fatalf("%s of no rows is %v", s.name, col.Value(i))
				}
			}
		}
		if seen != len(want) {
			t.Errorf("%s: %d cells have rows, want %d", s.name, seen, len(want))
		}
	}
}

// pairs are the rows of each pair of values.
func pairs(a, b []int) map[[2]string][]int {
	out := map[[2]string][]int{}
	for i := range a {
		k := [2]string{fmt.Sprint(a[i]), fmt.Sprint(b[i])}
		out[k] = append(out[k], i)
	}
	return out
}

// TestConcatWork: sixteen times as many tables take about as many times the memory.
func TestConcatWork(t *testing.T) {
	one, err := From(map[string]any{"x": []float64{1}, "y": []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	of := func(n int) int {
		return allocated(func() {
			if got := Concat(slices.Repeat([]*Table{one}, n)...); got.Len() != n {
				t.Errorf("%d rows, want %d", got.Len(), n)
			}
		})
	}
	if small, big := of(100), of(1600); big > 25*small {
		t.Errorf("1600 tables take %d times the memory of 100", big/small)
	}
}

// TestQuantileAndSort compare with sorting by comparison, for values in many orders.
func TestQuantileAndSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 16, 17, 100, 1000, 3 * numberBlock} {
		for kind, value := range map[string]func(i int) float64{
			"random":   func(int) float64 { return rng.NormFloat64() * math.Exp(50*rng.NormFloat64()) },
			"few":      func(int) float64 { return float64(rng.IntN(4) - 2) },
			"upwards":  func(i int) float64 { return float64(i) },
			"down":     func(i int) float64 { return -float64(i) },
			"organ":    func(i int) float64 { return float64(min(i, n-i)) },
			"infinite": func(i int) float64 { return math.Inf(rng.IntN(2)*2 - 1) },
			"extremes": func(i int) float64 {
				return []float64{math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, 0}[rng.IntN(5)]
			},
		} {
			x := make([]float64, n)
			for i := range x {
				x[i] = value(i)
			}
			want := slices.Sorted(slices.Values(x))
			for _, p := range []float64{0, 0.1, 0.25, 0.5, 0.75, 0.999, 1} {
				got, want := quantile(slices.Clone(x), p), scale.Quantile(want, p)
				if got != want && got == got {
					t.Errorf("%s: quantile %v of %d is %v, want %v", kind, p, n, got, want)
				}
			}
			sortFloats(x)
			if !slices.Equal(x, want) {
				t.Errorf("%s: %d values are not sorted", kind, n)
			}
		}
	}
}

// TestDescribeDistinct: numbers that are the same float, and all others, are told apart.
func TestDescribeDistinct(t *testing.T) {
	tab, err := From(map[string]any{
		"large": []int{1<<53 + 1, 1 << 53, 1 << 53, 3}, "small": []int{3, 1, 3, -1}, "zero": []float64{0, math.Copysign(0, -1), math.NaN(), 1},
		"text": []string{"a", "b", "a", "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	d := tab.Describe()
	for name, want := range map[string][2]int{"large": {3, 0}, "small": {3, 0}, "zero": {2, 1}, "text": {2, 0}} {
		i := slices.Index(d.Strings("column"), name)
		if got := [2]int{d.Row(i).Int("distinct"), d.Row(i).Int("missing")}; got != want {
			t.Errorf("%s: distinct and missing are %v, want %v", name, got, want)
		}
	}
}

// TestLateTypes: the types of a file's columns are those of its first rows, and a later value of another type is seen.
func TestLateTypes(t *testing.T) {
	var text strings.Builder
	const rows, columns = 500, 40
	for j := range columns {
		fmt.Fprintf(&text, "%sc%d", strings.Repeat(",", min(j, 1)), j)
	}
	for i := range rows {
		for j := range columns {
			cell := fmt.Sprint(1000 + i)
			if i == 400 && j%3 > 0 {
				cell = []string{"", "0.5", "a"}[j%3]
			}
			text.WriteString(map[bool]string{true: "\n", false: ","}[j == 0] + cell)
		}
	}
	got, err := Parse(strings.NewReader(text.String()), "wide.csv")
	if err != nil {
		t.Fatal(err)
	}
	for j, c := range got.cols {
		if want := []Kind{Int, Float, String}[j%3]; c.kind != want || c.Len() != rows || c.text(399) != "1399" {
			t.Fatalf("column %d is of type %v with %d rows, want %v", j, c.kind, c.Len(), want)
		}
	}
}
