// Command table is the Go side of the benchmark of package table; bench.py runs it beside pandas and polars.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gaucho/bench/side"
	"gaucho/stdlib/table"
	"gaucho/stdlib/table/parquet"
)

const rows = 1_000_000

func main() {
	log.SetFlags(0)
	log.SetPrefix("table: ")
	dir := flag.String("data", ".", "directory that the data are written to")
	flag.Parse()
	file := filepath.Join(*dir, "million.csv")
	if err := write(file); err != nil {
		log.Fatal(err)
	}
	t, err := table.Load(file)
	if err != nil {
		log.Fatal(err)
	}
	packed := filepath.Join(*dir, "million.parquet")
	if err := parquet.Write(packed, t); err != nil {
		log.Fatal(err)
	}
	other := t.GroupBy("group").Summarise(table.Mean("x").As("m"))
	// Made when they are needed: what the collector has to look at would count against the cases before.
	many := sync.OnceValues(func() (t2, customers *table.Table) {
		t2 = different(t)
		return t2, t2.GroupBy("customer").Summarise(table.Mean("x").As("m"))
	})
	side.Serve(func(name string) (*side.Answer, error) {
		switch name {
		case "group many", "join many", "sort by time":
			t, other := many()
			return run(name, file, packed, t, other)
		}
		return run(name, file, packed, t, other)
	})
}

// different returns the table with two columns more of which most values differ: the texts of half a million customers, and times.
func different(t *table.Table) *table.Table {
	customers, times := make([]string, rows), make([]time.Time, rows)
	for i := range rows {
		customers[i] = fmt.Sprintf("customer-%d", i*7919%500_000)
		times[i] = time.Unix(int64(i)*611_953%1_000_000_007, 0).UTC()
	}
	return t.Select("id", "x", "y").With("customer", customers).With("at", times)
}

// write writes an integer, a string of 500 values, two floats, a date and a bool in each row.
func write(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	rng := rand.New(rand.NewPCG(1, 2))
	day := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	fmt.Fprintln(w, "id,group,x,y,day,active")
	for i := range rows {
		fmt.Fprintf(w, "%d,g%03d,%.6f,%.3f,%s,%t\n", i, rng.IntN(500), rng.NormFloat64(), 1000*rng.Float64(),
			day.AddDate(0, 0, rng.IntN(1000)).Format(time.DateOnly), rng.IntN(2) == 0)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// A record is a row of the file.
type record struct {
	ID     int       `csv:"id"`
	Group  string    `csv:"group"`
	X      float64   `csv:"x"`
	Y      float64   `csv:"y"`
	Day    time.Time `csv:"day"`
	Active bool      `csv:"active"`
}

// run does one case. Its values are sums over the result, in which each row has a weight.
func run(name, file, packed string, t, other *table.Table) (*side.Answer, error) {
	began := time.Now()
	var out *table.Table
	var records []record
	var err error
	switch name {
	case "load":
		out, err = table.Load(file)
	case "read":
		records, err = table.Read[record](file)
	case "parquet":
		out, err = parquet.Load(packed)
	case "group":
		out = t.GroupBy("group").Summarise(table.Mean("x"), table.Sum("y"), table.Count())
	case "group many":
		out = t.GroupBy("customer").Summarise(table.Mean("x"), table.Sum("y"), table.Count())
	case "join":
		out = t.Join(other, "group")
	case "join many":
		out = t.Join(other, "customer")
	case "sort":
		out = t.SortBy("x")
	case "sort by time":
		out = t.SortBy("at")
	case "sort by two":
		out = t.SortBy("group", "-day")
	default:
		err = fmt.Errorf("no such case")
	}
	seconds := time.Since(began).Seconds()
	if err == nil && out == nil {
		out, err = table.From(records)
	}
	if err != nil {
		return nil, err
	}
	a := &side.Answer{Seconds: seconds, Values: []float64{float64(out.Len())}}
	for _, name := range []string{"id", "x", "y", "active", "m", "x_mean", "y_sum", "count"} {
		if !out.Has(name) {
			continue
		}
		sum := 0.0
		for i, v := range out.Floats(name) {
			sum += v * float64(1+i%97)
		}
		a.Values = append(a.Values, sum)
	}
	return a, nil
}
