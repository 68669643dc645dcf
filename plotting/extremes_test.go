package plotting

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"
)

// TestExtremeNumbers: whatever the numbers are, a figure of them is drawn in a moment.
func TestExtremeNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, v := range [][]float64{
		{}, {0}, {1e18}, {nan}, {inf}, {-inf, inf}, {1, inf}, {1, nan, 2}, {1e18, 1e18}, {1e15, 1}, {0, 0, 1e-300}, {1e-300, 1e300},
		{1.7e18, 1.7e18 + 4096}, {1e17, 1e17 + 64}, {1e16, 1e16 + 2}, {1, math.Nextafter(1, 2)}, {1 << 53, 1<<53 + 2, 1<<53 + 4},
		{-1e300, 1e300}, {1e308, 1.7e308}, {-1.7e308, 0, 1.7e308}, {0, 5e-324}, {1e-320, 1e-310},
	} {
		labels, times := make([]string, len(v)), make([]time.Time, len(v))
		for i, x := range v {
			labels[i] = fmt.Sprint(i)
			if math.Abs(x) < 9e18 {
				times[i] = time.Unix(0, int64(x))
			}
		}
		for kind, draw := range map[string]func() *Figure{
			"line":         func() *Figure { return Lines(v, v) },
			"times":        func() *Figure { return Lines(times, v) },
			"points":       func() *Figure { return Scatter(v, v, ColorBy(v)) },
			"logarithms":   func() *Figure { return Scatter(v, v).LogLog() },
			"histogram":    func() *Figure { return Hist(v) },
			"density":      func() *Figure { return New("", "", "").Histogram("", v, 20, true) },
			"boxes":        func() *Figure { return Box(v) },
			"violins":      func() *Figure { return Violin(v) },
			"bars":         func() *Figure { return Bar(labels, v) },
			"error bars":   func() *Figure { return New("", "", "").ErrorBars("", v, v, v).Band("", v, v, v) },
			"logarithmic":  func() *Figure { return Hist(v).LogX() },
			"logarithmic2": func() *Figure { return Box(v).LogY() },
		} {
			done := make(chan any, 1)
			go func() {
				defer func() { done <- recover() }()
				w, err := draw().WriterTo(0, 0, "svg")
				if err == nil {
					_, err = w.WriteTo(io.Discard)
				}
				if err != nil {
					panic(err)
				}
			}()
			select {
			case r := <-done:
				if r != nil {
					t.Errorf("%s of %v: %v", kind, v, r)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s of %v is not drawn after a minute", kind, v)
			}
		}
	}
}

// TestTickLabels: on random axes each label is the number at which it stands, no two are the same, and there are two at least.
func TestTickLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(kind string, lo, hi float64, ticks []plot.Tick) {
		seen := map[string]bool{}
		for _, tick := range ticks {
			if tick.Label == "" {
				continue
			}
			v, err := labelled(tick.Label)
			if off := math.Abs(v - tick.Value); err != nil || off > 1e-6*(hi-lo) && off > 1e-9*math.Abs(tick.Value) || seen[tick.Label] {
				t.Fatalf("%s from %v to %v: %q at %v", kind, lo, hi, tick.Label, tick.Value)
			}
			seen[tick.Label] = true
		}
		if len(seen) < 2 {
			t.Fatalf("%s from %v to %v: %d labels of %d ticks", kind, lo, hi, len(seen), len(ticks))
		}
	}
	for range 5000 {
		width := math.Pow(10, -12+24*rng.Float64())
		centre := float64(rng.IntN(2)) * (2*rng.Float64() - 1) * width * math.Pow(10, 10*rng.Float64())
		lo, hi := centre-width*float64(rng.IntN(3))/2, centre+width*(.5+rng.Float64())
		check("linear", lo, hi, Ticks{N: 4 + rng.IntN(5)}.Ticks(lo, hi))
		check("whole", lo, lo+2+width, wholeTicks{}.Ticks(lo, lo+2+width))
		lo = math.Pow(10, -12+24*rng.Float64())
		hi = lo * math.Pow(10, math.Pow(10, -1.5+2.8*rng.Float64()))
		check("logarithmic", lo, hi, LogTicks{powers: rng.IntN(2) == 0}.Ticks(lo, hi))
	}
}

// labelled reads the number in a label.
func labelled(label string) (float64, error) {
	label = strings.NewReplacer("−", "-", "\u2009", "", "$", "", "{×}", "").Replace(label)
	if factor, exponent, ok := strings.Cut(label, "10^{"); ok {
		if factor == "" {
			factor = "1"
		}
		label = factor + "e" + strings.TrimSuffix(exponent, "}")
	}
	return strconv.ParseFloat(label, 64)
}

// TestCountAtEdges: values with a decimal or two, which lie on edges, are in the bins whose edges are around them.
func TestCountAtEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		x := make([]float64, 100)
		unit, first := []float64{10, 100, 3}[rng.IntN(3)], rng.IntN(50)
		for i := range x {
			x[i] = float64(first+rng.IntN(40)) / unit
		}
		b := Count(x, 1+rng.IntN(60), false)
		for i, h := range b.Heights {
			want := 0.0
			for _, v := range x {
				if v >= b.Edges[i] && (v < b.Edges[i+1] || i == len(b.Heights)-1) {
					want++
				}
			}
			if h != want {
				t.Fatalf("%g values from %v to %v, want %g: %v", h, b.Edges[i], b.Edges[i+1], want, x)
			}
		}
	}
}

// TestExtremes: quantiles beside infinite values and bins of the largest numbers.
func TestExtremes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		x       []float64
		p, want float64
	}{{[]float64{1, 2, 3, inf, inf}, 0.5, 3}, {[]float64{-1.7e308, 1.7e308}, 0.5, 0}, {[]float64{-inf, 5}, 0.5, -inf}} {
		if got := Quantile(c.x, c.p); got != c.want {
			t.Errorf("quantile %v of %v is %v, want %v", c.p, c.x, got, c.want)
		}
	}
	b := Count([]float64{-1.7e308, 1.7e308}, 3, false)
	for i, want := range []float64{-1.7e308, -1.7e308 / 3, 1.7e308 / 3, 1.7e308} {
		if math.Abs(b.Edges[i]/1e308-want/1e308) > 1e-14 {
			t.Errorf("edge %d is %v, want %v", i, b.Edges[i], want)
		}
	}
	if !slices.Equal(b.Heights, []float64{1, 0, 1}) {
		t.Errorf("heights are %v, want 1, 0, 1", b.Heights)
	}
}
