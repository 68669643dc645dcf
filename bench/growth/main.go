//go:build unix

// Command growth is the Go side of bench/growth: it runs an algorithm on a problem of a size, and answers with the processor time.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"

	"gonum.org/v1/gonum/mat"

	"gaucho/bench/side"
	"gaucho/plotting"
	"gaucho/stdlib/em"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/regression"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/table"
)

var ctx = context.Background()

func main() {
	side.Serve(func(line string) (*side.Answer, error) {
		size, name, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(size)
		if err != nil {
			return nil, err
		}
		prepare := cases[name]
		if prepare == nil {
			return nil, fmt.Errorf("there is no case %s", name)
		}
		run := prepare(n, rand.New(rand.NewPCG(1, 2)))
		run() // warms up
		return &side.Answer{Seconds: least(run)}, nil
	})
}

// least is the least processor time of some runs: of three, and of more where they are short.
func least(run func()) float64 {
	best, begun := 0.0, processor()
	for i := 0; i < 3 || processor()-begun < 0.1; i++ {
		before := processor()
		run()
		if t := processor() - before; i == 0 || t < best {
			best = t
		}
	}
	return best
}

// processor returns the processor seconds of this process.
func processor() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64(used.Utime.Sec+used.Stime.Sec) + float64(used.Utime.Usec+used.Stime.Usec)/1e6
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// cases prepare a problem of size n and return what solves it.
var cases = map[string]func(n int, rng *rand.Rand) func(){
	"LORD++": online(fdr.LORDPlusPlus), "SAFFRON": online(fdr.SAFFRON), "ADDIS": online(fdr.ADDIS),
	"fixed": quadrature(herding.Fixed), "line search": quadrature(herding.LineSearch),
	"variables": func(n int, rng *rand.Rand) func() { return regress(5000, n, rng) },
	"rows":      func(n int, rng *rand.Rand) func() { return regress(n, 10, rng) },
	"describe":  tables(func(t *table.Table) { t.Describe() }),
	"where":     tables(func(t *table.Table) { t.Where(func(r table.Row) bool { return r.Float("x") > 0 }) }),
	"unique":    tables(func(t *table.Table) { t.Unique("id") }),
	"median":    tables(func(t *table.Table) { t.GroupBy("k").Summarise(table.Median("x")) }),
	"join":      tables(func(t *table.Table) { t.Select("id", "x").Join(t.Select("id", "k"), "id") }),
	"pivot":     pivot, "wide": wide, "long": long, "concat": concat, "with": with,
	"sorted":   func(n int, rng *rand.Rand) func() { return line(n, rng, true) },
	"unsorted": func(n int, rng *rand.Rand) func() { return line(n, rng, false) },
	"smooth":   smooth, "filter": filter,
}

// online tests n p-values, one in ten of them a signal.
func online(m fdr.Method) func(n int, rng *rand.Rand) func() {
	return func(n int, rng *rand.Rand) func() {
		p := make([]float64, n)
		for i := range p {
			if p[i] = rng.Float64(); i%10 == 0 {
				p[i] *= 1e-4
			}
		}
		return func() { must(fdr.Run(m, 0.1, nil, p)) }
	}
}

func normals(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// quadrature takes n steps on a pool of 5,000 candidates.
func quadrature(step herding.Step) func(n int, rng *rand.Rand) func() {
	return func(n int, rng *rand.Rand) func() {
		sample := rkhs.Measure{X: mat.NewDense(100, 2, normals(200, rng)), W: make([]float64, 100)}
		for i := range sample.W {
			sample.W[i] = 0.01
		}
		target := must(rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, sample))
		pool := must(herding.NewPool(ctx, target, mat.NewDense(5000, 2, normals(10_000, rng))))
		return func() { must(herding.FrankWolfe(ctx, pool, n, &herding.Settings{Step: step})) }
	}
}

func regress(n, p int, rng *rand.Rand) func() {
	columns := map[string]any{"y": normals(n, rng)}
	for j := range p {
		columns[fmt.Sprint("x", j)] = normals(n, rng)
	}
	data := must(table.From(columns))
	return func() { must(regression.Fit(data, "y ~ .")) }
}

// tables runs f on a table of n rows: floats x, ids of n, keys of 1,000.
func tables(f func(*table.Table)) func(n int, rng *rand.Rand) func() {
	return func(n int, rng *rand.Rand) func() {
		id, k := make([]int, n), make([]int, n)
		for i := range n {
			id[i], k[i] = rng.IntN(n), rng.IntN(1000)
		}
		t := must(table.From(map[string]any{"x": normals(n, rng), "y": normals(n, rng), "id": id, "k": k}))
		return func() { f(t) }
	}
}

// pivot spreads 100,000 rows to about 63,000 rows and n columns.
func pivot(n int, rng *rand.Rand) func() {
	const rows = 100_000
	id, k := make([]int, rows), make([]int, rows)
	for i := range rows {
		id[i], k[i] = rng.IntN(rows), rng.IntN(n)
	}
	t := must(table.From(map[string]any{"id": id, "k": k, "x": normals(rows, rng)}))
	return func() { t.Pivot("id", "k", table.Mean("x")) }
}

func wide(n int, rng *rand.Rand) func() { return csv(500, n, rng) }
func long(n int, rng *rand.Rand) func() { return csv(n, 4, rng) }

func csv(rows, columns int, rng *rand.Rand) func() {
	var b strings.Builder
	for i := -1; i < rows; i++ {
		for j := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			if i < 0 {
				fmt.Fprintf(&b, "c%d", j)
			} else {
				fmt.Fprintf(&b, "%.4f", rng.Float64())
			}
		}
		b.WriteByte('\n')
	}
	text := b.String()
	return func() { must(table.Parse(strings.NewReader(text), "growth.csv")) }
}

func concat(n int, _ *rand.Rand) func() {
	one := must(table.From(map[string]any{"x": []float64{1}, "y": []string{"a"}}))
	list := make([]*table.Table, n)
	for i := range list {
		list[i] = one
	}
	return func() { table.Concat(list...) }
}

func with(n int, _ *rand.Rand) func() {
	x := make([]float64, 10)
	return func() {
		t := must(table.From(map[string]any{"x": x}))
		for j := range n {
			t = t.With(fmt.Sprint("x", j), x)
		}
	}
}

func line(n int, rng *rand.Rand, sorted bool) func() {
	x, y := normals(n, rng), normals(n, rng)
	for i := range x {
		if sorted {
			x[i] = float64(i)
		}
	}
	return func() { plotting.Lines(x, y).MIMEBundle() }
}

func smooth(n int, rng *rand.Rand) func() {
	const states = 5
	g := &em.Gaussian{Means: mat.NewDense(states, 1, normals(states, rng)), Kind: em.Diagonal, Variances: mat.NewDense(states, 1, nil)}
	m := &em.Model{Start: make([]float64, states), Transition: mat.NewDense(states, states, nil), Output: g}
	for j := range states {
		m.Start[j] = 1.0 / states
		g.Variances.Set(j, 0, 1)
		for k := range states {
			m.Transition.Set(j, k, 1.0/states)
		}
	}
	x := mat.NewDense(n, 1, normals(n, rng))
	return func() { must(m.Smooth(x)) }
}

func filter(n int, rng *rand.Rand) func() {
	m := must(filtering.StochasticVolatility(0, 0.9, 0.3))
	y := mat.NewDense(50, 1, normals(50, rng))
	return func() { must(filtering.Run(ctx, m, y, &filtering.Settings{Particles: n}, rng)) }
}
