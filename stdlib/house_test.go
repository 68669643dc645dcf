// Package stdlib_test has tests of what all libraries promise.
package stdlib_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/interp/symbols/tables"
)

// libraries are the packages of stdlib, without those that are beneath them.
func libraries(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("*/doc.go")
	if err != nil || len(dirs) < 20 {
		t.Fatal(dirs, err)
	}
	for i, d := range dirs {
		dirs[i] = filepath.Dir(d)
	}
	return dirs
}

// exported returns the functions of a package by name. Generic functions are not among them.
func exported(library string) map[string]reflect.Value {
	functions := map[string]reflect.Value{}
	path := "gaucho/stdlib/" + library
	if library == "plotting" {
		path = "gaucho/plotting"
	}
	for _, symbols := range tables.Exports(path) {
		for name, v := range symbols {
			if v.Kind() == reflect.Func {
				functions[name] = v
			}
		}
	}
	return functions
}

// zeroIsFine are functions that return no error for zero arguments, with what is right about that.
var zeroIsFine = map[string]string{
	"dataset.BreastCancer": "it has no arguments",
	"dataset.Digits":       "it has no arguments",
	"fdr.AdjustBH":         "no p-values have no adjusted ones",
	"fdr.AdjustBY":         "no p-values have no adjusted ones",
	"fdr.Count":            "of no decisions none is wrong",
	"fdr.Proportions":      "of no decisions none is wrong",
	"rl.NewFrozenLake":     "the lake is not slippery",
}

// TestZeroArguments calls every exported function that returns an error with zero arguments, a context apart: it returns an error that
// names its package, or is among those for which zeros mean something.
func TestZeroArguments(t *testing.T) {
	list := libraries(t)
	t.Chdir(t.TempDir()) // what writes files writes them there
	called := 0
	for _, library := range list {
		functions := exported(library)
		for _, name := range slices.Sorted(maps.Keys(functions)) {
			f := functions[name]
			if n := f.Type().NumOut(); n == 0 || f.Type().Out(n-1) != reflect.TypeFor[error]() {
				continue
			}
			called++
			whole := library + "." + name
			_, fine := zeroIsFine[whole]
			switch got := callWithZeros(f); {
			case fine && got == "":
			case fine:
				t.Errorf("%s is to be fine without arguments: %s", whole, got)
			case got == "":
				t.Errorf("%s returns no error", whole)
			case !strings.HasPrefix(got, library+":") && !strings.HasPrefix(got, "rkhs: ") && !strings.HasPrefix(got, "open : "):
				t.Errorf("%s: %s", whole, got)
			}
		}
	}
	if called < 200 {
		t.Errorf("%d functions were called, must be most of the libraries' 260", called)
	}
}

// callWithZeros returns the error's text, "" if there is none.
func callWithZeros(f reflect.Value) string {
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		if f.Type().IsVariadic() && i == f.Type().NumIn()-1 {
			break
		}
		arg := reflect.Zero(f.Type().In(i))
		if arg.Type() == reflect.TypeFor[context.Context]() {
			arg = reflect.ValueOf(context.Background())
		}
		args = append(args, arg)
	}
	done := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Sprint("it panics: ", r)
			}
		}()
		out := f.Call(args)
		if err := out[len(out)-1]; !err.IsNil() {
			done <- err.Interface().(error).Error()
		}
		done <- ""
	}()
	select {
	case got := <-done:
		return got
	case <-time.After(time.Minute):
		return "it does not return"
	}
}
