package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

type tree struct {
	left, right *tree
	name        string
	vals        map[string][]int
}

type table [3000]struct {
	n    int
	p    *int
	s    string
	more [20]any
}

var (
	root    *tree
	byName  = map[string]*tree{}
	strs    = []string{"a", "b", "c"}
	iface   any
	err     error
	fn      func() int
	ch      = make(chan *tree, 10)
	big     table // pointers, too large for a mask made by the compiler
	bigp    = new(table)
	words   [100000]int // none
	matrix  = [4][4]float64{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	once    sync.Once
	pointer atomic.Pointer[tree]
	value   atomic.Value
	mu      sync.Mutex
	pool    = sync.Pool{New: func() any { return new(tree) }}
	small   byte
	pair    struct {
		a int8
		p *string
		b bool
		q []*int
	}
	static   = &tree{name: "static", left: &tree{name: "left"}, vals: map[string][]int{"x": {1, 2}}}
	builder  strings.Builder
	duration              = 3 * time.Second
	stringer fmt.Stringer = duration
	funcs                 = []func(int) int{func(x int) int { return x + 1 }, func(x int) int { return x * 2 }}
)

func (t *tree) Error() string { return "tree " + t.name }

func build(n int) *tree {
	if n == 0 {
		return nil
	}
	t := &tree{build(n - 1), build(n - 1), fmt.Sprint("n", n), map[string][]int{"k": {n, n * n}}}
	byName[t.name] = t
	return t
}

func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	return t.vals["k"][0] + t.vals["k"][1] + t.left.sum() + t.right.sum()
}

func fill() {
	root = build(8)
	iface, err = build(3), build(2)
	for i := range big {
		n := i
		big[i].p, big[i].s, big[i].n = &n, fmt.Sprint(i), i
		big[i].more[i%20] = fmt.Sprint("more", i)
		bigp[i].p, bigp[i].more[3] = &n, &n
	}
	for i := range words {
		words[i] = i
	}
	x := 5
	fn = func() int { x++; return x }
	for i := range 10 {
		ch <- build(i % 3)
	}
	pointer.Store(build(4))
	value.Store(build(3))
	s := strings.Repeat("p", 3)
	pair.p, pair.q = &s, []*int{&x}
	builder.WriteString("built")
}

func garbage() {
	var keep [][]byte
	for i := range 3000 {
		keep = append(keep, make([]byte, i))
		if len(keep) > 100 {
			keep = nil
		}
	}
}

func check() {
	sum := root.sum() + iface.(*tree).sum() + err.(*tree).sum() + pointer.Load().sum() + value.Load().(*tree).sum()
	for i := range big {
		if *big[i].p != i || big[i].s != fmt.Sprint(i) || big[i].more[i%20] != fmt.Sprint("more", i) || *bigp[i].more[3].(*int) != i || *bigp[i].p != i {
			panic("big")
		}
	}
	for i := range words {
		sum += words[i]
	}
	for range 10 {
		t := <-ch
		sum += t.sum()
		ch <- t
	}
	fmt.Println(sum, len(byName), fn(), *pair.p, *pair.q[0], strs, builder.String(), static.left.name, static.vals, stringer, matrix, funcs[0](1), funcs[1](4))
}

func main() {
	fill()
	for range 4 {
		garbage()
		runtime.GC()
		check()
	}
	var ended atomic.Int32
	for range 5 {
		t := &tree{name: "finalized"}
		runtime.SetFinalizer(t, func(t *tree) { ended.Add(int32(len(t.name))) })
		u := &tree{name: "cleaned"}
		runtime.AddCleanup(u, func(n int) { ended.Add(int32(n)) }, 100)
	}
	w := weak.Make(root)
	for deadline := time.Now().Add(20 * time.Second); ended.Load() != 5*(9+100) && time.Now().Before(deadline); {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	runtime.SetFinalizer(static, nil)
	fmt.Println(ended.Load(), w.Value() == root)
	once.Do(func() { fmt.Println("once") })
	mu.Lock()
	mu.Unlock()
	pool.Put(pool.Get())
	small++
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 2000 {
				mu.Lock()
				byName[fmt.Sprint(i, j%50)] = &tree{name: fmt.Sprint(j)}
				root.right = build(1)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(len(byName), small)
}
