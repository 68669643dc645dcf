package worker

import (
	"fmt"
	"reflect"
	"sync"

	"github.com/traefik/yaegi/interp"

	"gaucho/interp/rt"
	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
	"gaucho/interp/symbols/tables"
	"gaucho/interp/wire"
)

// symbols returns the symbol table of the package with that import path, in the form that yaegi's Use takes, or nil if
// there is none. Tests add to it.
var symbols = tables.Exports

// A yaegiEngine runs lowered text in yaegi.
type yaegiEngine struct {
	interp *interp.Interpreter

	mu     sync.Mutex // held while code is loaded, which cells that run concurrently may ask for at once
	loaded map[string]bool
}

func newYaegi() *yaegiEngine {
	value.Lookup = lookup
	return &yaegiEngine{
		interp: interp.New(interp.Options{Stdout: run.Stdout, Stderr: run.NoteWriter{}, Args: []string{"cell"}, Unrestricted: true}),
		loaded: map[string]bool{},
	}
}

// preamble is what all units take for granted.
const preamble = "package main\nimport rt \"" + runtimePath + "\"\nimport t_ \"" + typesPath + "\"\nvar rt_stop = rt.StopFlag()\nvar rt_true, rt_false = true, false\nvar rt_left = 255\nvar rt_polls = 0\n"

// load evaluates a unit's text and returns its entry, nil if it has none.
func (e *yaegiEngine) load(u *wire.Unit) (entry func(), err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() {
		// yaegi's compiler panics where it meets what it does not expect.
		if r := recover(); r != nil {
			entry, err = nil, fmt.Errorf("the interpreter fails on the lowered cell: %v", r)
		}
	}()
	for _, path := range u.Imports {
		if err := e.use(path); err != nil {
			return nil, err
		}
	}
	if u.Text != "" {
		if _, err := e.interp.Eval(u.Text); err != nil {
			return nil, fmt.Errorf("the interpreter does not take the lowered cell: %w", err)
		}
	}
	if u.Entry == "" {
		return nil, nil
	}
	v, err := e.interp.Eval(u.Entry)
	if err != nil {
		return nil, fmt.Errorf("the lowered cell has no function %s: %w", u.Entry, err)
	}
	f, ok := v.Interface().(func())
	if !ok {
		return nil, fmt.Errorf("the entry of the lowered cell is a %v", v.Type())
	}
	return f, nil
}

// define makes the types of cells known: to rt by their descriptors, to the interpreter by their lowered forms, in a
// package of their own.
func (e *yaegiEngine) define(types []wire.Type) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(types) == 0 && e.loaded[typesPath] {
		return nil
	}
	defs, err := value.Define(types)
	if err != nil {
		return fmt.Errorf("types of the lowered cell: %w", err)
	}
	if err := e.interp.Use(interp.Exports{typesPath + "/p": defs}); err != nil || e.loaded[typesPath] {
		return err
	}
	e.loaded[typesPath] = true
	if err := e.use(runtimePath); err != nil {
		return err
	}
	_, err = e.interp.Eval(preamble)
	return err
}

// Lowered text finds rt under runtimePath, and the lowered types of cells under typesPath.
const (
	runtimePath = "gaucho/interp/rt"
	typesPath   = "gaucho/types"
)

// use makes a package known to the interpreter.
func (e *yaegiEngine) use(path string) error {
	if e.loaded[path] {
		return nil
	}
	table := symbols(path)
	if path == runtimePath {
		table = interp.Exports{path + "/p": rt.Symbols()}
	}
	if table == nil {
		return fmt.Errorf("no symbols for package %q", path)
	}
	e.loaded[path] = true
	if wakes(path) {
		run.MayWake()
	}
	if err := e.interp.Use(table); err != nil {
		return err
	}
	more := rt.Overrides(path)
	if path == runtimePath {
		more = rt.CellSymbols()
	}
	if more == nil {
		return nil
	}
	return e.interp.Use(interp.Exports{path + "/p": more})
}

// lookup finds a symbol of a compiled package in its table.
func lookup(path, name string) reflect.Value {
	for _, table := range symbols(path) {
		return table[name]
	}
	return reflect.Value{}
}
