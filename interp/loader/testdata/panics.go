package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

type point struct{ x, y int }

func (p *point) sum() int { return p.x + p.y }

func inlined(s []int, i int) int { return s[i] }

//go:noinline
func index(s []int, i int) int { return inlined(s, i) }

//go:noinline
func deref(p *point) int { return p.sum() }

//go:noinline
func divide(a, b int) int { return a / b }

//go:noinline
func assert(v any) fmt.Stringer { return v.(fmt.Stringer) }

//go:noinline
func assertMap(m map[string]int) { m["x"] = 1 }

// where lists the program's frames of a panic.
func where() {
	pcs := make([]uintptr, 50)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(filepath.Base(f.File), "panics") {
			fmt.Println("  ", f.Function, filepath.Base(f.File), f.Line)
		}
		if !more {
			return
		}
	}
}

func try(name string, f func()) {
	defer func() {
		r := recover()
		fmt.Println(name, r)
		if e, ok := r.(runtime.Error); ok {
			fmt.Println("runtime error", strings.Contains(e.Error(), "runtime error") || strings.Contains(e.Error(), "conversion"))
		}
		where()
	}()
	f()
}

func named() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	defer func() { n++ }()
	n = 41
	panic("named")
}

func loops(n int) (s string) {
	for i := range n {
		defer func() { s += fmt.Sprint(i) }()
	}
	return "d"
}

func nested() {
	defer func() { fmt.Println("outer", recover()) }()
	defer func() {
		defer func() { fmt.Println("inner", recover()) }()
		panic("second")
	}()
	panic("first")
}

func exit() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer fmt.Println("goexit defers")
		runtime.Goexit()
	}()
	<-done
}

func main() {
	s := []int{1, 2, 3}
	try("index", func() { index(s, 5) })
	try("slice", func() { i := 7; fmt.Println(s[i:]) })
	try("nil", func() { deref(nil) })
	try("divide", func() { divide(1, 0) })
	try("assert", func() { assert(3) })
	try("assert type", func() { _ = any("x").(int) })
	try("map", func() { assertMap(nil) })
	try("closed", func() { c := make(chan int); close(c); close(c) })
	try("error", func() { panic(errors.New("mine")) })
	try("array", func() { _ = [4]int(s) })
	try("compare", func() { var a, b any = s, s; fmt.Println(a == b) })
	fmt.Println(named())
	fmt.Println(loops(12))
	nested()
	exit()
	_, file, line, ok := runtime.Caller(0)
	fmt.Println(filepath.Base(file), line, ok)
	stack := string(debug.Stack())
	fmt.Println(strings.Contains(stack, "panics.go:"), strings.Contains(stack, "main.main("))
}
