package value

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	cellrt "gaucho/interp/rt/internal/runtime"
)

// A Thrown is what a panic of cell code carries through the engine: the value that the cell gave to panic. It hides
// that value from the engine, which would call its Error method.
type Thrown struct{ Value any }

// An AssertionError stands for Go's runtime.TypeAssertionError, which nobody else can make.
type AssertionError = cellrt.TypeAssertionError

// Panic is the built-in function.
func Panic(v any) {
	if v == nil {
		panic(Thrown{new(runtime.PanicNilError)})
	}
	panic(Thrown{v})
}

// Compiled says that the session's cells are compiled, and not interpreted.
var Compiled atomic.Bool

// Panicked turns what Go's recover gave for a panic in a cell into the value that the cell's recover gives: the value
// given to panic, or the run-time error that Go would have. In a compiled cell Go itself gives that.
func Panicked(r any) any {
	if Compiled.Load() {
		if t, ok := r.(Thrown); ok {
			return t.Value
		}
		return r
	}
	for {
		v, ok := r.(reflect.Value)
		if !ok || !v.IsValid() || !v.CanInterface() {
			break
		}
		r = v.Interface()
	}
	switch e := r.(type) {
	case nil:
		return nil
	case Thrown:
		return e.Value
	case *runtime.TypeAssertionError:
		return cellrt.Assertion(e.Error())
	case runtime.Error:
		if isCellTypeMisuse(e.Error()) {
			return Refused{What: "reflection by a cell's type"}
		}
		if msg := fromReflect(e.Error()); msg != "" {
			return cellrt.Error(msg)
		}
		if msg, ok := strings.CutPrefix(e.Error(), "runtime error: "); ok && reflect.TypeOf(e).Kind() == reflect.String {
			return withCellTypes(cellrt.Error(msg)) // perhaps the engine's, of a type of its own
		}
		return withCellTypes(e)
	case *reflect.ValueError:
		return cellrt.Error(nilDereference)
	case string:
		if msg := fromReflect(e); msg != "" {
			return cellrt.Error(msg)
		}
		return e
	case error:
		return fromEngine(e)
	}
	return r
}

const nilDereference = "invalid memory address or nil pointer dereference"

// NilDereference panics as the use of a nil pointer does.
func NilDereference() { panic(Thrown{cellrt.Error(nilDereference)}) }

// fromReflect translates the texts with which package reflect panics, "" for others.
func fromReflect(s string) string {
	switch {
	case strings.HasPrefix(s, "reflect: slice index out of range"), strings.HasPrefix(s, "reflect: array index out of range"),
		strings.HasPrefix(s, "reflect: string index out of range"):
		return "index out of range"
	case strings.HasPrefix(s, "reflect.Value.Slice"), strings.HasPrefix(s, "reflect.Value.Slice3"):
		return "slice bounds out of range"
	case strings.HasPrefix(s, "reflect: call of reflect.Value."), strings.HasPrefix(s, "reflect.Value.Call: call of nil function"),
		strings.HasPrefix(s, "reflect: call of nil"), strings.HasPrefix(s, "reflect: Call using zero Value argument"), strings.HasPrefix(s, "reflect: Method on nil interface value"), strings.HasPrefix(s, "reflect.Value.Call: nil"):
		return nilDereference
	case strings.HasPrefix(s, "reflect.Append: slice overflow"), strings.HasPrefix(s, "reflect.Value.Grow: slice overflow"):
		return "growslice: len out of range"
	case strings.HasPrefix(s, "reflect.MakeSlice: negative len"):
		return "makeslice: len out of range"
	case strings.HasPrefix(s, "reflect.MakeSlice"):
		return "makeslice: cap out of range"
	case strings.HasPrefix(s, "reflect.MakeChan"):
		return "makechan: size out of range"
	}
	return ""
}

// fromEngine translates errors with which the engine itself panics.
func fromEngine(e error) any {
	s := e.Error()
	if i := strings.Index(s, "interface conversion: "); i >= 0 && fmt.Sprintf("%T", e) == "*interp.cfgError" {
		return cellrt.Assertion(s[i:])
	}
	return e
}

// unhashable is how the type of what Unhashable returns begins. What follows is its tag.
const unhashable = "struct { Unhashable func() "

// Unhashable stands for a map's key that has no hash. The error for it names v's own type, which may share its lowered
// type with others.
func Unhashable(v any) any {
	name := fmt.Sprintf("%T", v)
	if b, ok := v.(Boxed); ok {
		name = b.Unboxed().T.String
	}
	field := reflect.StructField{Name: "Unhashable", Type: reflect.TypeFor[func()](), Tag: reflect.StructTag(name)}
	return reflect.Zero(reflect.StructOf([]reflect.StructField{field})).Interface()
}

// Hashable returns a map's key, and panics as a look-up in a map of n entries does if the key has no hash.
func Hashable(key any, n int) any {
	if n == 0 {
		_ = noEntries[key]
	} else {
		_ = oneEntry[key]
	}
	return key
}

var noEntries, oneEntry = map[any]struct{}{}, map[any]struct{}{0: {}}

// withCellTypes replaces the lowered type that a run-time error names by the type of the cell.
func withCellTypes(e runtime.Error) runtime.Error {
	for _, prefix := range []string{"hash of unhashable type", "comparing uncomparable type"} {
		name, ok := strings.CutPrefix(strings.TrimPrefix(e.Error(), "runtime error: "), prefix)
		if !ok {
			continue
		}
		colon := ""
		if rest, ok := strings.CutPrefix(name, ":"); ok {
			name, colon = rest, ":"
		}
		name = strings.TrimPrefix(name, " ")
		if tag, ok := strings.CutPrefix(name, unhashable); ok {
			name, _ = strconv.Unquote(strings.TrimSuffix(tag, " }"))
			return cellrt.Error(prefix + colon + " " + name)
		}
		registry.RLock()
		defer registry.RUnlock()
		for _, t := range registry.byID {
			if prefix != "hash of unhashable type" && !strings.HasPrefix(name, "struct") {
				break // an ordinary type, for a box is compared by its own
			}
			if t != nil && !t.Native && t.Lowered != nil && t.Lowered.String() == name {
				name = t.String
				break
			}
		}
		return cellrt.Error(prefix + colon + " " + name)
	}
	return e
}
