package worker

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/interp/rt/run"
	"gaucho/stdlib/hypothesis"
)

// setBenchTime makes package testing's benchmarks last that long.
func setBenchTime(text string) error {
	parseFlags()
	return setFlag("test.benchtime", text)
}

// timedit prints what a benchmark gave, without what the one before it with an empty body did.
func timedit(values []any) error {
	setBenchTime("1s")
	var results []testing.BenchmarkResult
	if len(values) == 1 {
		results, _ = values[0].([]testing.BenchmarkResult)
	}
	if len(results) != 2 || results[1].N == 0 {
		return errors.New("the statement failed")
	}
	r := without(results[0], results[1])
	fmt.Fprintf(run.Stdout, "%8d\t%s\t%s\n", r.N, nanoseconds(r), r.MemString())
	return nil
}

// without takes the cost of a benchmark's loop off what it gave.
func without(loop, r testing.BenchmarkResult) testing.BenchmarkResult {
	if loop.N == 0 {
		return r
	}
	own := float64(r.N) / float64(loop.N)
	r.T = max(0, r.T-time.Duration(own*float64(loop.T)))
	r.MemAllocs -= min(r.MemAllocs, uint64(own*float64(loop.MemAllocs)))
	r.MemBytes -= min(r.MemBytes, uint64(own*float64(loop.MemBytes)))
	return r
}

// nanoseconds is the time of an operation as [testing.BenchmarkResult.String] writes it; that leaves 0 out.
func nanoseconds(r testing.BenchmarkResult) string {
	if r.T == 0 {
		return "         0 ns/op"
	}
	_, text, _ := strings.Cut(r.String(), "\t")
	return text
}

// A series is what the repetitions of a benchmark gave.
type series struct{ sec, bytes, allocs []float64 }

// benched prints what a benchmark's repetitions gave, and how they compare with the last ones under that name.
func (w *server) benched(name string, values []any) error {
	setBenchTime("1s")
	if len(values) != 1 {
		return fmt.Errorf("the benchmark did not end")
	}
	results, _ := values[0].([]testing.BenchmarkResult)
	var now series
	for _, r := range results {
		if r.N == 0 {
			return fmt.Errorf("the benchmark failed")
		}
		now.sec = append(now.sec, r.T.Seconds()/float64(r.N))
		now.bytes = append(now.bytes, float64(r.AllocedBytesPerOp()))
		now.allocs = append(now.allocs, float64(r.AllocsPerOp()))
	}
	last, again := w.benchmarks[name]
	fmt.Fprint(run.Stdout, compare(last, now, again))
	if w.benchmarks == nil {
		w.benchmarks = map[string]series{}
	}
	w.benchmarks[name] = now
	return nil
}

// compare is a table in benchstat's words.
func compare(last, now series, again bool) string {
	var b strings.Builder
	head := fmt.Sprintf("%-10s %14s", "", "now")
	if again {
		head += fmt.Sprintf(" %14s   vs last", "last")
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for _, row := range []struct {
		unit      string
		last, now []float64
	}{{"sec/op", last.sec, now.sec}, {"B/op", last.bytes, now.bytes}, {"allocs/op", last.allocs, now.allocs}} {
		fmt.Fprintf(&b, "%-10s %14s", row.unit, summary(row.now))
		if again {
			fmt.Fprintf(&b, " %14s   %s", summary(row.last), difference(row.last, row.now))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// summary is the median with the half width of its confidence interval at 95%, in percent.
func summary(values []float64) string {
	v := slices.Sorted(slices.Values(values))
	m := median(v)
	lo, hi, ok := medianInterval(len(v), 0.95)
	if !ok {
		return scaled(m) + " ± ∞"
	}
	spread := 0.0
	if m != 0 {
		spread = 100 * max(v[hi]-m, m-v[lo]) / math.Abs(m)
	}
	return fmt.Sprintf("%s ± %.0f%%", scaled(m), spread)
}

// median is the median of sorted values.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// difference says by how much the median changed, or ~ when chance would explain it: the Mann-Whitney test at 0.05.
func difference(last, now []float64) string {
	a, b := slices.Sorted(slices.Values(last)), slices.Sorted(slices.Values(now))
	p := chance(a, b)
	n := fmt.Sprint("n=", len(a))
	if len(a) != len(b) {
		n = fmt.Sprintf("n=%d+%d", len(a), len(b))
	}
	x, y := median(a), median(b)
	if p > 0.05 || x == y {
		return fmt.Sprintf("~ (p=%.3f %s)", p, n)
	}
	if x == 0 {
		return fmt.Sprintf("? (p=%.3f %s)", p, n)
	}
	return fmt.Sprintf("%+.2f%% (p=%.3f %s)", 100*(y-x)/x, p, n)
}

// chance is the p-value of the Mann-Whitney test; 1 where all values are the same, or a sample has none, which say nothing.
func chance(a, b []float64) float64 {
	r, err := hypothesis.MannWhitney(a, b)
	if err != nil {
		return 1
	}
	return r.P
}

// medianInterval returns the positions, from 0, in n sorted values of a confidence interval for the median at a level. ok is
// false when there are too few values for it. Source: H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, section 7.1.
func medianInterval(n int, level float64) (lo, hi int, ok bool) {
	tail, c := 0.0, math.Pow(0.5, float64(n)) // of fewer than k values below the median; binomial(n, k) / 2^n
	for k := 0; 2*k < n; k++ {
		tail += c
		if 1-2*tail < level {
			break
		}
		lo, hi, ok = k, n-1-k, true
		c *= float64(n-k) / float64(k+1)
	}
	return lo, hi, ok
}

// scaled is a number with four digits and a prefix.
func scaled(x float64) string {
	for _, s := range []struct {
		from, by float64
		unit     string
	}{{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {1, 1, ""}, {1e-3, 1e-3, "m"}, {1e-6, 1e-6, "µ"}, {0, 1e-9, "n"}} {
		if math.Abs(x) >= s.from && x != 0 {
			return fmt.Sprintf("%.4g%s", x/s.by, s.unit)
		}
	}
	return fmt.Sprintf("%.4g", x)
}
