package run

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gaucho/interp/rt/cell"
	"gaucho/interp/rt/value"
)

func init() {
	cell.Stopped, cell.Step, cell.Result, cell.Go, cell.Exit = Stopped, Step, Result, Go, Exit
	cell.Ctx = func() any { return Ctx() }
	cell.Out = Out
	cell.Recovered = Recovered
	cell.Done, cell.Ended = Done, stopIfDone
	cell.SleepFor = func(ns int64) { Sleep(time.Duration(ns)) }
	cell.Defer = deferNative
	cell.Stdout, cell.Stderr, cell.Stdin = Stdout, Stderr, Stdin
	cell.Print = func(a ...any) (int, error) { return fmt.Fprint(Stdout, a...) }
	cell.Println = func(a ...any) (int, error) { return fmt.Fprintln(Stdout, a...) }
	cell.Printf = func(format string, a ...any) (int, error) { return fmt.Fprintf(Stdout, format, a...) }
	cell.Fprint = func(w cell.Writer, a ...any) (int, error) { return fmt.Fprint(w, a...) }
	cell.Fprintln = func(w cell.Writer, a ...any) (int, error) { return fmt.Fprintln(w, a...) }
	cell.Fprintf = func(w cell.Writer, format string, a ...any) (int, error) { return fmt.Fprintf(w, format, a...) }
	cell.Sprint, cell.Sprintln, cell.Sprintf, cell.Errorf = fmt.Sprint, fmt.Sprintln, fmt.Sprintf, fmt.Errorf
}

// Recovered is what recover returns in a compiled cell: r is what Go's recover returned in the same function. What ends
// the goroutine goes on.
func Recovered(r any) any {
	if isStop(r) {
		panic(r)
	}
	return value.Panicked(r)
}

// CellPath begins the import paths of the packages that compiled cells are.
const CellPath = "gaucho.cell/"

// natives are the packages of compiled cells, by path: the cells whose lines they hold, by the number in file names.
var natives struct {
	sync.RWMutex
	files map[string][]int
	names map[string][]string
}

var (
	cellPackage = regexp.MustCompile(`gaucho\.cell/h[0-9a-f]{16}\.`)
	laterName   = regexp.MustCompile(`ǃ[0-9]+`)
)

// PlainNames removes from a text what distinguishes the packages of compiled cells, and the types of one name in one of
// them: all are of package main, as the user wrote them.
func PlainNames(s string) string {
	if !value.Compiled.Load() {
		return s
	}
	if strings.Contains(s, CellPath) {
		s = cellPackage.ReplaceAllString(s, "main.")
	}
	s = strings.ReplaceAll(s, ModulePath, "")
	if strings.Contains(s, "ǃ") {
		s = laterName.ReplaceAllString(s, "")
		for _, prefix := range []string{HiddenMethod, "Fǃ", "Hǃ"} {
			s = strings.ReplaceAll(s, prefix, "")
		}
	}
	return s
}

// ModulePath begins the import paths of packages of modules that the program has too.
const ModulePath = "gaucho.module/"

// HiddenMethod begins the names of methods in compiled cells that are not exported where the user wrote them: other cells, in packages of
// their own, must reach them. Such names sort after those that users write, and the loader hides them from reflection.
const HiddenMethod = "\U0001D40Cǃ"

// SetNative says which cells the lines of a compiled package are from: line directives name file /g0 for the first, unless
// the files have names.
func SetNative(path string, cells []int, names []string) {
	natives.Lock()
	defer natives.Unlock()
	if natives.files == nil {
		natives.files, natives.names = map[string][]int{}, map[string][]string{}
		value.Compiled.Store(true)
	}
	natives.files[path], natives.names[path] = cells, names
}

// nativeNotes are the places in cells that are on the running goroutine's stack, innermost first, and the calls of
// libraries inside of them. In a deferred function of a goroutine that panics, these are the places that the panic came
// through. Those in interpreted functions, each of which is a call of the interpreter on the stack, are given: the engine
// noted them.
func nativeNotes(interpreted []Note) ([]Note, []Call) {
	natives.RLock()
	defer natives.RUnlock()
	var pcs [4 * maxNotes]uintptr
	places := pcs[:runtime.Callers(2, pcs[:])]
	frames := runtime.CallersFrames(places)
	var list []Note
	for len(list) < maxNotes {
		f, more := frames.Next()
		if n, ok := nativeNote(f.Function, f.File, f.Line); ok {
			list = append(list, n)
		} else if len(interpreted) > 0 && f.Function == interpreterCall {
			list, interpreted = append(list, interpreted[0]), interpreted[1:]
		}
		if !more {
			break
		}
	}
	return append(list, interpreted...), calls(places)
}

// NativePlace returns the line of a cell that a frame of a compiled one stands for.
func NativePlace(f runtime.Frame) (Place, bool) {
	natives.RLock()
	defer natives.RUnlock()
	n, ok := nativeNote(f.Function, f.File, f.Line)
	return Place{n.Cell, n.Line}, ok
}

// interpreterCall is the function of the interpreter that runs a function of a cell.
const interpreterCall = "github.com/traefik/yaegi/interp.runCfg"

// nativeNote reads a frame: function gaucho.cell/h12ab.step, file /g0.
func nativeNote(function, file string, line int) (n Note, ok bool) {
	rest, ok := strings.CutPrefix(function, CellPath)
	if !ok {
		rest, ok = strings.CutPrefix(function, strings.ReplaceAll(CellPath, ".", "%2e"))
	}
	path, name, found := strings.Cut(rest, ".")
	cells := natives.files[CellPath+path]
	i := slices.Index(natives.names[CellPath+path], file)
	if index, numbered := strings.CutPrefix(file, "/g"); i < 0 && numbered {
		if number, err := strconv.Atoi(index); err == nil {
			i = number
		}
	}
	if !ok || !found || i < 0 || i >= len(cells) {
		return n, false
	}
	return Note{Cell: cells[i], Line: line, Function: name}, true
}
