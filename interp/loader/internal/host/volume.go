package main

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"time"

	"gaucho/interp/loader"
	"gaucho/interp/loader/internal/hook"
)

// volume loads a package n times, each time under another path, and prints what some things take then. The number at the
// end of the package's path, 00000, is replaced in the archive.
func volume(l *loader.Loader, path string, archive []byte, n int) error {
	var b *busy
	if os.Getenv("HOST_BUSY") != "" {
		b = startBusy()
	}
	before := resident()
	last := time.Hour // the least of the last ten
	for i := range n {
		number := fmt.Sprintf("%05d", i)
		name := strings.Replace(path, "00000", number, 1)
		data := bytes.ReplaceAll(archive, []byte("00000"), []byte(number))
		start := time.Now()
		if err := l.Load(name, data); err != nil {
			return err
		}
		if b != nil {
			b.loaded()
		}
		if i >= n-10 {
			last = min(last, time.Since(start))
		}
	}
	if b != nil {
		b.end()
	}
	memory := (resident() - before) / max(n, 1)
	const frames = 100
	chain := hook.Chain[max(0, len(hook.Chain)-frames):]
	var next func(depth int) int
	next = func(depth int) int {
		if depth == frames {
			return 0
		}
		return chain[depth%len(chain)](depth, next)
	}
	runtime.GC()
	collect := best(func() { runtime.GC() })
	grow := best(func() {
		done := make(chan int)
		go func() { done <- next(0) }()
		if sum := <-done; sum != frames*(frames-1)/2 {
			panic(fmt.Sprint("sum is ", sum))
		}
	})
	deep := best(func() {
		defer func() {
			if r := recover(); r != "deep" {
				panic(r)
			}
		}()
		var down func(depth int) int
		down = func(depth int) int {
			if depth == frames {
				panic("deep")
			}
			return chain[depth%len(chain)](depth, down)
		}
		down(0)
	})
	fmt.Fprintf(os.Stderr, "%d packages: load %v, collection %v, growing through %d frames %v, panic through them %v, %d bytes each\n",
		len(hook.Chain), last, collect, frames, grow, deep, memory)
	fmt.Println("loaded", len(hook.Chain))
	return sameTypes()
}

// best is the least time of some.
func best(f func()) time.Duration {
	least := time.Hour
	for range 20 {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

// resident is how much memory the process has, in bytes.
func resident() int {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int
	fmt.Sscan(string(data), &size, &pages)
	return pages * os.Getpagesize()
}

// sameTypes checks that reflection finds the types of the packages, which may be more than fit into one list.
func sameTypes() error {
	for _, t := range hook.Types {
		var made reflect.Type
		switch t.Kind() {
		case reflect.Slice:
			made = reflect.SliceOf(t.Elem())
		case reflect.Array:
			made = reflect.ArrayOf(t.Len(), t.Elem())
		case reflect.Map:
			made = reflect.MapOf(t.Key(), t.Elem())
		case reflect.Chan:
			made = reflect.ChanOf(t.ChanDir(), t.Elem())
		case reflect.Pointer:
			made = reflect.PointerTo(t.Elem())
		}
		if made != t {
			return fmt.Errorf("reflection makes %v anew", t)
		}
	}
	return nil
}
