package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type node struct {
	next *node
	v    int
	pad  [3]*int
}

// deep recurses with pointers into its own frames, which move when the stack grows.
func deep(n int, prev *node) int {
	var pad [64]int
	me := node{next: prev, v: n, pad: [3]*int{&n, nil, &pad[5]}}
	pad[5] = n
	if n == 0 {
		sum := 0
		for p := &me; p != nil; p = p.next {
			sum += p.v + *p.pad[0] + *p.pad[2]
		}
		return sum
	}
	r := deep(n-1, &me)
	if *me.pad[0] != n || pad[5] != n || me.v != n {
		panic("moved wrongly")
	}
	return r
}

func deepDefer(n int) (r int) {
	defer func() { r += n }()
	if n == 0 {
		return 0
	}
	return deepDefer(n - 1)
}

func deepPanic(n int) {
	x := n
	defer func() {
		if x != n {
			panic("defer saw another frame")
		}
	}()
	if n == 0 {
		panic("bottom")
	}
	deepPanic(n - 1)
}

type visitor interface {
	visit(n int, f func(int) int) int
}
type a struct{ n *int }
type b struct{ s []int }

func (v a) visit(n int, f func(int) int) int {
	if n == 0 {
		return *v.n
	}
	return f(n) + visitor(&b{[]int{n}}).visit(n-1, f)
}
func (v *b) visit(n int, f func(int) int) int {
	if n == 0 {
		return v.s[0]
	}
	return f(v.s[0]) + a{&n}.visit(n-1, func(k int) int { return f(k) })
}

// spin has a loop without calls, which only a signal can stop.
func spin(stop *bool, out *uint64) {
	x := uint64(1)
	for !*stop {
		for range 1000000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	*out = x
}

func endless(out *[1 << 10]float64) {
	for i := 0; ; i++ {
		out[i%len(out)] += float64(i)
	}
}

func main() {
	fmt.Println(deep(20000, nil), deepDefer(10000))
	func() {
		defer func() { fmt.Println(recover()) }()
		deepPanic(5000)
	}()
	var wg sync.WaitGroup
	results := make([]int, 16)
	for i := range results {
		wg.Go(func() {
			for range 3 {
				results[i] += deep(500+i, nil)
				runtime.Gosched()
			}
		})
	}
	var stop bool
	var out uint64
	go endless(new([1 << 10]float64))
	wg.Go(func() { spin(&stop, &out) })
	for range 5 {
		runtime.GC()
	}
	time.AfterFunc(time.Millisecond, func() { stop = true })
	wg.Wait()
	fmt.Println(results, out != 0)
	n := 7
	fmt.Println(a{&n}.visit(60, func(k int) int { return k }))
}
