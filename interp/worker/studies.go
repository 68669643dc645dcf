package worker

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gaucho/interp/loader"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
)

// sources are those of the functions of the session's studies, as the front end sent them last.
var sources atomic.Pointer[map[string]wire.Source]

// tellStudies has studies ask for their sources here, and show bars.
func tellStudies(engine string) {
	study.SetBar(func(total int, label string, began time.Time) study.Bar {
		return display.NewProgress(total, label).Since(began)
	})
	study.SetCells(engine, func(id string) (*study.Source, error) {
		if engine != "native" {
			logReads()
		}
		known := sources.Load()
		if known == nil {
			return nil, nil
		}
		src, ok := (*known)[id]
		switch {
		case !ok && strings.HasPrefix(id, "cells: study "):
			return nil, errors.New("it was made too many studies ago: run its cell again")
		case !ok:
			return nil, nil
		case src.Unknown != "":
			return nil, errors.New(src.Unknown)
		}
		out := &study.Source{Text: src.Hash, Reads: src.Reads, Interpreted: engine != "native"}
		out.Function = func(pc uintptr) (string, error) { return functionAt(pc, src.Functions) }
		return out, nil
	})
}

// logReads has studies see what their functions read, where cells are interpreted and no loader is open.
var logReads = sync.OnceFunc(func() {
	if l, err := loader.Open(); err == nil {
		l.LogReads(study.ReadLog{})
	}
})

// functionAt names the function with the given code: one of those that a source consists of, or one of a library that holds no
// variables.
func functionAt(pc uintptr, known []wire.Function) (string, error) {
	frames := runtime.CallersFrames([]uintptr{pc + 1})
	f, more := frames.Next()
	alone := !more // what was inlined where it begins stands before it
	for more {
		f, more = frames.Next()
	}
	at, inCell := run.NativePlace(f)
	if !inCell {
		return study.NamedFunction(f.Function)
	}
	name := run.PlainNames(f.Function)
	_, base, _ := strings.Cut(name, ".")
	found := ""
	for _, k := range known {
		switch {
		case k.Cell == 0 && k.Name == base:
			return base, nil
		case k.Cell != at.Cell || at.Line < k.Line || at.Line > k.End || alone && at.Line != k.Line || !strings.Contains(base, "func"):
		case found != "":
			return "", fmt.Errorf("%w (more than one stands on line %d of its cell)", study.ErrUnknownFunction, at.Line)
		default:
			found = k.Name
		}
	}
	if found == "" {
		return "", study.ErrUnknownFunction
	}
	return found, nil
}
