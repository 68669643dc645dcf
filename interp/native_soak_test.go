package interp

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var soakCells = flag.Int("cells", 60, "cells of each session of TestNativeSoak")

// TestNativeSoak runs cells at random in two native sessions of the real program at once: one whose collector never rests, and
// one whose collector checks its own marks. Signals of a profile come all the time. Every cell is a package that is linked into the same
// worker, and none may crash it, get another result than Go gives, or lose what others hold.
//
// 5,000 cells in each session, as make soak has them, take some minutes of two cores.
func TestNativeSoak(t *testing.T) {
	worker := nativeProgram(t)
	for _, env := range sample([][2]string{{"1", ""}, {"50", "gccheckmark=1"}}, 2) {
		t.Run("GOGC="+env[0]+env[1], func(t *testing.T) {
			t.Parallel()
			command := append([]string{"/usr/bin/env", "GOGC=" + env[0], "GODEBUG=" + env[1]}, worker...)
			patience := nativePatience + time.Duration(*soakCells)*500*time.Millisecond
			s := newSessionFor(t, patience, Options{Sink: &transcript{}, Engine: "native", Dir: t.TempDir(), Worker: command})
			k := &soaker{T: t, s: s, rng: rand.New(rand.NewPCG(1, uint64(len(env[1])))), pid: s.worker.PID()}
			if env[1] != "" {
				// While the collector checks its marks, Go preempts by no signals (runtime.parsedebugvars), and a loop without a call that looks at
				// its stack would hold up the collector for ever, in any Go program.
				k.pass = "runtime.Gosched()"
			}
			k.run(*soakCells)
		})
	}
}

// A soaker knows what the session must hold.
type soaker struct {
	*testing.T
	s   *Session
	rng *rand.Rand
	pid int
	i   int // the number of the cell

	pass string // what an endless loop calls so that the collector is not kept waiting

	n       int   // the variable n
	links   []int // cells with a function of the chain, by number
	beating []int // cells with a goroutine that has outlived them
	times   []time.Duration
	memory  map[int]uint64
}

const soakStart = `import ("io"; "runtime/pprof"; "sync/atomic")
if err := pprof.StartCPUProfile(io.Discard); err != nil { panic(err) }
n := 0
var beats atomic.Int64
type node struct { left, right *node; names map[string]int; label string }
func (t *node) count() int { if t == nil { return 0 }; return t.left.count() + t.right.count() + t.names[t.label] }
func grow(depth int, label string) *node {
	if depth == 0 { return nil }
	return &node{grow(depth-1, label), grow(depth-1, label + "r"), map[string]int{label: 1, "other": 7}, label}
}
var links []func(d int, next func(int) int) int
func chain(bottom func()) (sum int) {
	k := min(5, len(links))
	var next func(d int) int
	next = func(d int) int {
		if d == k { bottom(); return 0 }
		return links[len(links)-1-d](d, next)
	}
	return next(0)
}
func tag() int { return 0 }
func viaTag() int { return tag() }
tagValue := tag
func deep(n int) int { var pad [32]*int; pad[n&31] = &n; if n == 0 { return 0 }; return deep(n-1) + *pad[n&31] - n + 1 }
quit := map[int]chan bool{}
type shape interface { area() int }
kept := []shape{}
`

func (k *soaker) run(cells int) {
	k.memory = map[int]uint64{}
	k.expect(soakStart, "")
	for k.i = 1; k.i <= cells && !k.Failed(); k.i++ {
		[]func(){k.count, k.count, k.link, k.panics, k.recovers, k.interrupt, k.outlive, k.redefine, k.declare, k.collect, k.wrong}[k.rng.IntN(11)]()
		if k.s.worker.PID() != k.pid {
			k.Fatalf("cell %d: the worker has died", k.i)
		}
		if k.i%100 == 0 {
			k.memory[k.i] = resident(k.pid)
		}
	}
	k.expect("runtime.GC()\nn", fmt.Sprint(k.n))
	k.compare()
	if first, last := 500, cells/100*100; last > 2*first {
		grown := (int64(k.memory[last]) - int64(k.memory[first])) / int64(last-first)
		k.Logf("%d MB after %d cells, %d MB after %d: %d kB a cell", k.memory[first]>>20, first, k.memory[last]>>20, last, grown>>10)
		if grown > 100<<10 {
			k.Errorf("a cell takes %d kB", grown>>10)
		}
	}
}

// compare logs what a new cell takes in this session and, by turns, in one that has run hardly any.
func (k *soaker) compare() {
	fresh := &soaker{T: k.T, s: newSessionFor(k.T, nativePatience, k.s.opts)}
	for range 10 {
		fresh.i++
		fresh.expect(fmt.Sprintf("n := %d\nn", fresh.i), fmt.Sprint(fresh.i))
	}
	fresh.n = fresh.i
	k.times = nil
	for range 40 {
		k.i++
		k.count()
		fresh.i++
		fresh.count()
	}
	median := func(times []time.Duration) time.Duration { return slices.Sorted(slices.Values(times))[len(times)/2] }
	k.Logf("a new cell takes %v after %d cells and %v after 10", median(k.times), k.i-40, median(fresh.times))
}

// resident is the memory of a process.
func resident(pid int) uint64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseUint(f[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}

func (k *soaker) execute(src string) Result {
	return k.s.Execute(context.Background(), Cell{ID: fmt.Sprint("c", k.i), Number: k.i, Source: src})
}

// expect runs a cell whose last expression must be the text, if that is not empty.
func (k *soaker) expect(src, want string) {
	k.Helper()
	res := k.execute(src)
	if res.Err != nil {
		k.Fatalf("cell %d: %v\n%s\n%s", k.i, res.Err, strings.Join(res.Err.Traceback, "\n"), src)
	}
	if want != "" && plainText(res.Display.Data) != want {
		k.Fatalf("cell %d gives %s, want %s\n%s", k.i, plainText(res.Display.Data), want, src)
	}
}

// count is a new one-line cell, whose time is taken.
func (k *soaker) count() {
	k.n += k.i
	start := time.Now()
	k.expect(fmt.Sprintf("n += %d\nn", k.i), fmt.Sprint(k.n))
	k.times = append(k.times, time.Since(start))
}

// link adds a function to the chain: calls of it have a defer and pointers into their own stack.
func (k *soaker) link() {
	k.links = append(k.links, k.i)
	k.expect(fmt.Sprintf(`func link%d(d int, next func(int) int) (sum int) {
	var pad [20]*int
	pad[d%%20] = &d
	garbage := make([]map[string]int, d+1)
	garbage[d] = map[string]int{"x%d": %d}
	defer func() { sum += *pad[d%%20] + garbage[d]["x%d"] }()
	return next(d + 1)
}
links = append(links, link%d)`, k.i, k.i, k.i, k.i, k.i), "")
}

// last are the cells whose functions a chain runs through.
func (k *soaker) last() []int { return k.links[len(k.links)-min(5, len(k.links)):] }

// recovers runs through the functions of five cells, with and without a panic at the end.
func (k *soaker) recovers() {
	want := 0
	for d, cell := range k.last() {
		want += d + cell
	}
	k.expect(fmt.Sprintf(`again := func() (r any) { defer func() { r = recover() }(); chain(func() { runtime.GC(); panic(%d) }); return nil }()
fmt.Sprint(chain(func() { deep(%d) }), again)`, k.i, k.rng.IntN(5000)), fmt.Sprintf("%q", fmt.Sprint(want, k.i)))
}

var cellPlace = regexp.MustCompile(`Cell \[(\d+)\], line \d+, in link(\d+)`)

// panics ends a cell by a panic through the functions of five others, each of which the traceback must name.
func (k *soaker) panics() {
	res := k.execute(fmt.Sprintf("chain(func() { var none []int; _ = none[%d] })", k.i))
	if res.Err == nil || res.Err.Error() != fmt.Sprintf("runtime error: index out of range [%d] with length 0", k.i) {
		k.Fatalf("cell %d: %v", k.i, res.Err)
	}
	var named []int
	for _, m := range cellPlace.FindAllStringSubmatch(strings.Join(res.Err.Traceback, "\n"), -1) {
		if cell, _ := strconv.Atoi(m[1]); m[1] == m[2] {
			named = append(named, cell)
		}
	}
	if slices.Sort(named); !slices.Equal(named, k.last()) {
		k.Fatalf("cell %d: the traceback names %v, want %v\n%s", k.i, named, k.last(), strings.Join(res.Err.Traceback, "\n"))
	}
}

// interrupt ends a cell that would not end.
func (k *soaker) interrupt() {
	src := []string{"for { PASS }", "for i := 0; ; i++ { _ = make([]*int, i%100); PASS }", "for { viaTag(); PASS }", "for { chain(func() { deep(100) }); PASS }",
		"select {}", "<-make(chan int)", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()", "time.Sleep(time.Hour)"}[k.rng.IntN(8)]
	src = strings.ReplaceAll(src, "PASS", k.pass)
	done := make(chan Result, 1)
	go func() { done <- k.execute(fmt.Sprintf("// %d\n%s", k.i, src)) }()
	time.Sleep(time.Duration(k.rng.IntN(60)) * time.Millisecond)
	deadline := time.After(2 * time.Minute)
	stopped := false
	for {
		// One that comes before the cell is nobody's, and of two that a busy machine lets follow each other the second may end the worker.
		if !stopped && k.s.runs.stoppable() {
			k.s.Interrupt()
			stopped = true
		}
		select {
		case res := <-done:
			if res.Err == nil {
				k.Fatalf("cell %d went well: %s", k.i, src)
			}
			return
		case <-time.After(time.Millisecond):
		case <-deadline:
			k.Fatalf("cell %d does not end: %s", k.i, src)
		}
	}
}

// stoppable reports whether an interrupt stops a cell that has its turn.
func (r *runs) stoppable() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop != nil
}

// outlive starts a goroutine that runs on after its cell, ends the oldest of them, and sees that they all ran.
func (k *soaker) outlive() {
	src := fmt.Sprintf(`quit[%d] = make(chan bool)
go func(quit chan bool) {
	own := grow(4, "g%d")
	for {
		select {
		case <-quit: return
		case <-time.After(5 * time.Millisecond):
		}
		chain(func() { tagValue() })
		if own.count() == 15 { beats.Add(1) }
	}
}(quit[%d])
`, k.i, k.i, k.i)
	k.beating = append(k.beating, k.i)
	if len(k.beating) > 6 {
		src += fmt.Sprintf("close(quit[%d])\ndelete(quit, %d)\n", k.beating[0], k.beating[0])
		k.beating = k.beating[1:]
	}
	k.expect(src+fmt.Sprintf("for before := beats.Load(); beats.Load() < before + %d; { time.Sleep(time.Millisecond) }", 3*len(k.beating)), "")
}

// redefine gives a function a new body, which its callers and values must reach.
func (k *soaker) redefine() {
	k.expect(fmt.Sprintf("func tag() int { return %d }", k.i), "")
	k.expect("viaTag()*1000000 + tagValue()", fmt.Sprint(k.i*1000000+k.i))
}

// declare makes types with methods, plain and generic, and keeps a value of each in an interface.
func (k *soaker) declare() {
	k.expect(fmt.Sprintf(`type box%d[T any] struct { list []T; next *box%d[T] }
func (b *box%d[T]) add(x T) *box%d[T] { b.list = append(b.list, x); return b }
type square%d struct { side int; name string; in *box%d[string] }
func (s *square%d) area() int { return s.side * len(s.in.list) }
kept = append(kept, &square%d{%d, "s", new(box%d[string]).add("a").add("b")})
kept = kept[max(0, len(kept)-50):]
fmt.Sprintf("%%d %%T", kept[len(kept)-1].area(), kept[len(kept)-1])`, k.i, k.i, k.i, k.i, k.i, k.i, k.i, k.i, k.i, k.i),
		fmt.Sprintf(`"%d *main.square%d"`, 2*k.i, k.i))
}

// collect builds what the collector must trace, and has it collect.
func (k *soaker) collect() {
	k.expect(fmt.Sprintf("forest%d := []any{grow(8, \"t%d\"), map[*node][]shape{grow(3, \"u\"): kept}}\nruntime.GC()\nforest%d[0].(*node).count()", k.i, k.i, k.i), "255")
	k.expect(fmt.Sprintf("forest%d = nil", k.i), "")
}

// wrong is a cell that is no Go.
func (k *soaker) wrong() {
	if res := k.execute(fmt.Sprintf("viaTag(%d)", k.i)); res.Err == nil {
		k.Fatalf("cell %d went well", k.i)
	}
}
