//go:build unix

package interp

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var age = flag.Int("age", 500, "cells that BenchmarkNativeAge runs before it measures")

// An aging session runs cells, each with another text.
type aging struct {
	testing.TB
	s *Session
	i int
}

func startAging(t testing.TB) *aging {
	worker := nativeProgram(t)
	s, err := Start(context.Background(), Options{Sink: &transcript{}, Engine: "native", Dir: t.TempDir(), Worker: worker})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	k := &aging{TB: t, s: s}
	k.cell("n := 0\nfunc used(x int) int { return x }")
	return k
}

func (k *aging) cell(src string) {
	k.i++
	if res := k.s.Execute(context.Background(), Cell{ID: "c", Number: k.i, NotebookID: fmt.Sprint("n", k.i), Source: src}); res.Err != nil {
		k.Fatal(res.Err, src)
	}
}

// line is a new one-line cell that uses a variable and a function.
func (k *aging) line() { k.cell(fmt.Sprintf("n += used(%d)", k.i)) }

// TestNativeAge: what the front end does for a new cell does not grow with what earlier cells declared. What it allocates stands for
// what it does: a copy or a list of all names would show.
func TestNativeAge(t *testing.T) {
	long(t)
	k := startAging(t)
	k.s.saves.at = time.Now().Add(time.Hour) // variables are not saved meanwhile
	young := k.allocated()
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "var v%d = %d\nfunc f%d() int { return used(v%d) }\n", i, i, i, i)
	}
	k.cell(b.String())
	old := k.allocated()
	t.Logf("a new cell allocates %d kB, with 6,000 names more %d kB", young>>10, old>>10)
	if old > young+young/4 {
		t.Errorf("a new cell allocates %d bytes in a session with few names and %d in one with 6,000", young, old)
	}
}

// allocated is the median of what a new cell allocates in this process.
func (k *aging) allocated() uint64 {
	var list []uint64
	for range 15 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		k.line()
		runtime.ReadMemStats(&after)
		list = append(list, after.TotalAlloc-before.TotalAlloc)
	}
	return slices.Sorted(slices.Values(list))[len(list)/2]
}

// BenchmarkNativeAge is a new cell in a session that has run many (-age), in turns with one in a session that has run few: milliseconds
// from its start to its end, and of processor time of the kernel, the compilers and the worker.
//
//	go test ./interp -run '^$' -bench NativeAge -benchtime 300x -age 5000
func BenchmarkNativeAge(b *testing.B) {
	fresh, old := startAging(b), startAging(b)
	for range *age {
		old.grow()
	}
	var young, aged []costs
	for b.Loop() {
		young = append(young, fresh.cost(fresh.line))
		aged = append(aged, old.cost(old.line))
	}
	report(b, young, "fresh-ms-")
	report(b, aged, "aged-ms-")
}

// BenchmarkNativeCell is what cells take, each after a moment in which the next compiler starts, as people leave it.
func BenchmarkNativeCell(b *testing.B) {
	k := startAging(b)
	for name, run := range map[string]func(){
		"line": k.line, "twenty": func() { k.cell(fmt.Sprintf(twentyNative, k.i)) }, "again": func() { k.cell("fmt.Sprint(1)") },
	} {
		b.Run(name, func(b *testing.B) {
			var list []costs
			for b.Loop() {
				list = append(list, k.cost(run))
			}
			report(b, list, "ms-")
		})
	}
}

// twentyNative is a cell of twenty lines with fmt, gonum and loops.
const twentyNative = `type sample%[1]d struct { name string; xs []float64 }
func (s sample%[1]d) mean() float64 { return stat.Mean(s.xs, nil) }
func (s sample%[1]d) String() string { return fmt.Sprintf("%%s: %%.2f", s.name, s.mean()) }
func walk%[1]d(n int, rng *rand.Rand) []float64 {
	xs := make([]float64, n)
	for i := 1; i < n; i++ {
		xs[i] = xs[i-1] + rng.NormFloat64()
	}
	return xs
}
rng%[1]d := rand.New(rand.NewPCG(1, %[1]d))
samples%[1]d := []sample%[1]d{}
for k := range 5 {
	samples%[1]d = append(samples%[1]d, sample%[1]d{fmt.Sprint("walk ", k), walk%[1]d(100, rng%[1]d)})
}
total%[1]d := mat.NewVecDense(100, nil)
for _, s := range samples%[1]d {
	total%[1]d.AddVec(total%[1]d, mat.NewVecDense(100, s.xs))
}
fmt.Println(samples%[1]d[0], mat.Norm(total%[1]d, 2))`

func report(b *testing.B, list []costs, unit string) {
	for i, name := range []string{"wall", "kernel", "compiler", "worker"} {
		b.ReportMetric(median(list, i), unit+name)
	}
}

// grow is a cell such as people write.
func (k *aging) grow() {
	i := k.i
	switch i % 4 {
	case 0:
		k.cell(fmt.Sprintf("v%[1]d := []float64{%[1]d, 2, 3}\nfmt.Sprint(len(v%[1]d))", i))
	case 1:
		k.cell(fmt.Sprintf("func f%[1]d(x int) int { return x + %[1]d }\nf%[1]d(1)", i))
	case 2:
		k.cell(fmt.Sprintf("type t%[1]d struct { a int; b map[string]*t%[1]d }\nfunc (t *t%[1]d) get() int { return t.a }\nu%[1]d := &t%[1]d{a: 1}\nu%[1]d.get()", i))
	case 3:
		k.cell(fmt.Sprintf("for i := range %d { n += i }\nn", i))
	}
}

// costs are wall time, and processor time of the kernel, of compilers that have ended, and of the worker.
type costs [4]time.Duration

func (k *aging) cost(run func()) (c costs) {
	before := k.clocks()
	run()
	for i, t := range k.clocks() {
		c[i] = t - before[i]
	}
	time.Sleep(30 * time.Millisecond) // the next compiler starts
	return c
}

func (k *aging) clocks() costs {
	var self, children syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	of := func(r *syscall.Rusage) time.Duration { return time.Duration(r.Utime.Nano() + r.Stime.Nano()) }
	dir := fmt.Sprintf("/proc/%d/task", k.s.worker.PID())
	threads, _ := os.ReadDir(dir)
	var worker time.Duration
	for _, t := range threads {
		b, _ := os.ReadFile(dir + "/" + t.Name() + "/schedstat")
		ran, _, _ := strings.Cut(string(b), " ")
		ns, _ := strconv.ParseInt(ran, 10, 64)
		worker += time.Duration(ns)
	}
	return costs{time.Duration(time.Now().UnixNano()), of(&self), of(&children), worker}
}

func median(list []costs, i int) float64 {
	slices.SortFunc(list, func(a, b costs) int { return int(a[i] - b[i]) })
	return list[len(list)/2][i].Seconds() * 1e3
}
