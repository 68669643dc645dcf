package worker

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"gaucho/interp/loader"
	"gaucho/interp/rt/cell"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/stdlib/study"
)

// natives runs compiled cells.
type natives struct {
	mu        sync.Mutex
	loader    *loader.Loader
	archives  map[string]bool            // packages of modules that are loaded
	entries   map[string]func()          // by package
	variables map[string][]cell.Variable // by package
}

// anchors are what only compiled cells refer to: the linker keeps it in the program. The types are those whose
// descriptors the compiler leaves to package runtime, where a program that does not use them has none.
var anchors = []any{
	cell.Stop, cell.NewForms, cell.Forms.Form, new(*cell.Forms),
	new(*bool), new(*int), new(*int8), new(*int16), new(*int32), new(*int64), new(*uint), new(*uint8), new(*uint16), new(*uint32),
	new(*uint64), new(*uintptr), new(*float32), new(*float64), new(*complex64), new(*complex128), new(*string), new(*unsafe.Pointer),
	new(*any), new(*error), new(*func(error) string),
	new(*[]bool), new(*[]int), new(*[]int8), new(*[]int16), new(*[]int32), new(*[]int64), new(*[]uint), new(*[]uint8), new(*[]uint16),
	new(*[]uint32), new(*[]uint64), new(*[]uintptr), new(*[]float32), new(*[]float64), new(*[]complex64), new(*[]complex128), new(*[]string),
	new(*[]unsafe.Pointer), new(*[]any), new(*[]error),
}

func newNatives() *natives {
	runtime.KeepAlive(anchors)
	return &natives{archives: map[string]bool{}, entries: map[string]func(){}, variables: map[string][]cell.Variable{}}
}

// load loads the object of a unit, unless that was done before, and returns its entry.
func (n *natives) load(u *wire.Unit) (func(), error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	run.SetNative(u.Package, u.Files, u.Names)
	if entry := n.entries[u.Package]; entry != nil {
		return entry, nil
	}
	if u.Timers || slices.ContainsFunc(u.Imports, func(path string) bool { return path != "time" && path != "context" && wakes(path) }) {
		run.MayWake()
	}
	if n.loader == nil {
		l, err := loader.Open()
		if err != nil {
			return nil, err
		}
		l.HideMethods(run.HiddenMethod)
		l.ShowTypes(run.PlainNames)
		l.OnExit(run.OnExit)
		l.LogReads(study.ReadLog{}) // without it, studies run records anew to see that what they read has changed
		n.loader = l
	}
	for _, a := range u.Archives {
		if n.archives[a.Path] {
			continue
		}
		data, err := os.ReadFile(a.File)
		if err != nil {
			return nil, err
		}
		n.archives[a.Path] = true // initialised once, whether or not that succeeds
		if err := n.loader.Load(a.Path, data); err != nil {
			return nil, fmt.Errorf("package %s cannot be loaded: %w", a.Path, err)
		}
	}
	cell.Entry, cell.Variables = nil, nil
	if err := n.loader.Load(u.Package, u.Object); err != nil {
		return nil, fmt.Errorf("the compiled cell cannot be loaded: %w", err)
	}
	if cell.Entry == nil {
		return nil, fmt.Errorf("the compiled cell %s has no entry", u.Package)
	}
	n.entries[u.Package], n.variables[u.Package] = cell.Entry, cell.Variables
	return cell.Entry, nil
}

// pointersTo are pointers to variables of compiled parts.
func (n *natives) pointersTo(list [][2]string) []any {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []any
	for _, p := range list {
		var to any
		for _, v := range n.variables[p[0]] {
			if v.Name == p[1] {
				to = v.Pointer
			}
		}
		out = append(out, to)
	}
	return out
}
