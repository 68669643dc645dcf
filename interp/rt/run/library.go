package run

import (
	"runtime"
	"slices"
	"strings"

	"gaucho/internal/modpath"
)

// A Call is a place in compiled code, of a library that a cell called.
type Call struct {
	Function string // with the path of its package, as the run time writes it: gonum.org/v1/gonum/mat.(*Dense).Mul
	File     string
	Line     int
}

// maxCalls is how many calls of libraries a panic's ending names, those next to the cell.
const maxCalls = 16

// libraryPlaces are the running goroutine's places from the panic outwards, for calls below. It is called in a deferred
// function, when the panic first comes to a function of a cell.
func libraryPlaces() []uintptr {
	var pcs [256]uintptr
	return append([]uintptr(nil), pcs[:runtime.Callers(3, pcs[:])]...)
}

// calls are the calls of libraries among places: those between the panic and the cell, innermost first. There are none
// when the cell's own code panicked.
func calls(places []uintptr) []Call {
	if len(places) == 0 {
		return nil
	}
	var list []Call
	panicked, called := false, false
	for frames, more := runtime.CallersFrames(places), true; more && !called; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked || strings.HasPrefix(f.Function, "runtime."):
		case f.Function == "reflect.Value.call": // by which the interpreter calls
			called = true
		case len(list) == 0 && (strings.HasPrefix(f.Function, ownPath+".") || strings.HasPrefix(f.Function, rtPath+"value.")):
			panicked = false // a panic that was raised anew: the first one comes further out
		case ofCells(f.Function):
			more = false
		default:
			list = append(list, Call{modpath.Cell(f.Function), f.File, f.Line})
		}
	}
	if !called { // what the engine itself calls is no library
		list = slices.DeleteFunc(list, func(c Call) bool { return strings.HasPrefix(c.Function, "reflect.") })
	}
	return list[max(0, len(list)-maxCalls):]
}

// ofCells reports whether a function is a cell's, or of what runs cells.
func ofCells(function string) bool {
	return strings.HasPrefix(function, interpPath) || strings.HasPrefix(function, "main.") ||
		strings.HasPrefix(function, "github.com/traefik/yaegi/") ||
		strings.HasPrefix(strings.ReplaceAll(function, "%2e", "."), CellPath)
}
