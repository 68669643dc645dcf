package table_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gaucho/stdlib/table"
)

// Record is a row of the benchmarks' file.
type Record struct {
	ID     int
	Group  string
	X, Y   float64
	Day    time.Time
	Active bool
}

// million writes a file of a million rows and six columns.
func million(tb testing.TB) string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "million.csv")
	if keep := os.Getenv("TABLE_BENCH_FILE"); keep != "" { // for a comparison with others
		file = keep
	}
	f, err := os.Create(file)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(1, 2))
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	fmt.Fprintln(w, "id,group,x,y,day,active")
	for i := range 1_000_000 {
		fmt.Fprintf(w, "%d,g%03d,%.6f,%.3f,%s,%t\n", i, rng.IntN(500), rng.NormFloat64(), 1000*rng.Float64(),
			day.AddDate(0, 0, rng.IntN(1000)).Format(time.DateOnly), rng.IntN(2) == 0)
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return file
}

// BenchmarkMillion measures a million rows of six columns: an integer, a string of 500 values, two floats, a date, a bool.
func BenchmarkMillion(b *testing.B) {
	file := million(b)
	t, err := table.Load(file)
	if err != nil {
		b.Fatal(err)
	}
	other := t.GroupBy("group").Summarise(table.Mean("x"))
	b.Run("Load", func(b *testing.B) {
		for b.Loop() {
			if _, err := table.Load(file); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Read", func(b *testing.B) {
		for b.Loop() {
			if _, err := table.Read[Record](file); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("GroupBy", func(b *testing.B) {
		for b.Loop() {
			t.GroupBy("group").Summarise(table.Mean("x"), table.Sum("y"), table.Count())
		}
	})
	b.Run("Join", func(b *testing.B) {
		for b.Loop() {
			t.Join(other, "group")
		}
	})
	b.Run("SortBy", func(b *testing.B) {
		for b.Loop() {
			t.SortBy("x")
		}
	})
	b.Run("WriteCSV", func(b *testing.B) {
		out := filepath.Join(b.TempDir(), "out.csv")
		for b.Loop() {
			if err := t.WriteCSV(out); err != nil {
				b.Fatal(err)
			}
		}
	})
}
