// Package tables holds the symbol tables through which the interpreter reaches compiled packages, and the wrappers
// through which compiled packages reach values of cells. Importing it links every package that cells can import.
//
// The tables are static data: nothing of them runs at start, and the map for a package is made when [Table] is first
// asked for it.
package tables

import (
	"go/constant"
	"go/token"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A table is what one package exports. Values holds functions and typed constants as they are, pointers to variables,
// and nil pointers for types. In a table of wrappers they are nil pointers to interfaces.
type table struct {
	path   string
	names  string // of the values, separated by spaces
	values []any
	consts string // untyped constants, a line each: name, kind, literal
}

const wrapPrefix = "wrap/"

var cache sync.Map // path to map[string]reflect.Value

// Table returns the symbols of a package in the form that yaegi uses, and nil where there is no such table. The path is
// the package's import path; under "wrap/" and the import path is a table of functions that turn a box into each of
// the package's interfaces. The caller must not change the map.
func Table(path string) map[string]reflect.Value {
	if m, ok := cache.Load(path); ok {
		return m.(map[string]reflect.Value)
	}
	list := find(path)
	if list == nil {
		return nil
	}
	if register := effects[path]; register != nil {
		register()
	}
	symbols := map[string]reflect.Value{}
	for _, t := range list {
		t.addTo(symbols)
	}
	if strings.HasPrefix(path, wrapPrefix) {
		for name, v := range symbols {
			symbols[name] = wrapping(v.Type().Elem())
		}
	}
	m, _ := cache.LoadOrStore(path, symbols)
	return m.(map[string]reflect.Value)
}

// Exports returns the table of a package as yaegi's Use takes it, or nil. yaegi derives path and name from the key; it
// gets another name than the package's own, because under some names ("fmt/fmt") it would replace functions by its own.
// Emitted text gives each import a name anyway.
func Exports(path string) map[string]map[string]reflect.Value {
	m := Table(path)
	if m == nil {
		return nil
	}
	return map[string]map[string]reflect.Value{path + "/p": m}
}

// find returns the tables with a path: one, and what the newer release adds to it.
func find(path string) (found []*table) {
	lists := [][]table{stdTables, gonumTables, gauchoTables, platformTables, newerTables}
	if strings.HasPrefix(path, wrapPrefix) {
		lists = [][]table{stdWraps, gonumWraps, gauchoWraps, platformWraps, newerWraps}
	}
	for _, list := range lists {
		i, ok := slices.BinarySearchFunc(list, path, func(t table, path string) int { return strings.Compare(t.path, path) })
		if ok {
			found = append(found, &list[i])
		}
	}
	return found
}

func (t *table) addTo(m map[string]reflect.Value) {
	for i, name := range strings.Fields(t.names) {
		v := reflect.ValueOf(t.values[i])
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		m[name] = v
	}
	for line := range strings.Lines(t.consts) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		kind, literal, _ := strings.Cut(rest, " ")
		m[name] = reflect.ValueOf(untyped(kind, literal))
	}
}

func untyped(kind, literal string) constant.Value {
	digits, neg := strings.CutPrefix(literal, "-")
	tok := map[string]token.Token{"STRING": token.STRING, "INT": token.INT, "FLOAT": token.FLOAT}[kind]
	v := constant.MakeFromLiteral(digits, tok, 0)
	if neg {
		v = constant.UnaryOp(token.SUB, v, 0)
	}
	return v
}
