package value

import (
	"reflect"
	"strings"
)

// TypeMakers are functions of package reflect that make types and values of a type that they are given. One of a cell's
// type would be lowered, and is refused.
var TypeMakers = map[string]any{
	"New": reflect.New, "Zero": reflect.Zero, "SliceOf": reflect.SliceOf, "ArrayOf": reflect.ArrayOf, "MapOf": reflect.MapOf,
	"PointerTo": reflect.PointerTo, "PtrTo": reflect.PointerTo, "ChanOf": reflect.ChanOf, "FuncOf": reflect.FuncOf,
	"StructOf": reflect.StructOf, "MakeSlice": reflect.MakeSlice, "MakeMap": reflect.MakeMap,
	"MakeMapWithSize": reflect.MakeMapWithSize, "MakeChan": reflect.MakeChan, "MakeFunc": reflect.MakeFunc,
}

// Refusing is f for all but types of cells.
func Refusing(name string, f any) reflect.Value {
	v := reflect.ValueOf(f)
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) []reflect.Value {
		for _, a := range args {
			if t := cellTypeIn(a.Interface()); t != nil {
				panic(Thrown{Refused{What: "reflect." + name + " of the cell's type " + t.String()}})
			}
		}
		return v.Call(args)
	})
}

func cellTypeIn(arg any) reflect.Type {
	switch arg := arg.(type) {
	case cellType:
		return arg
	case []reflect.Type:
		for _, t := range arg {
			if c, ok := t.(cellType); ok {
				return c
			}
		}
	case []reflect.StructField:
		for _, f := range arg {
			if c, ok := f.Type.(cellType); ok {
				return c
			}
		}
	}
	return nil
}

// isCellTypeMisuse reports whether a panic's text is package reflect's, of a reflect.Type that is not its own.
func isCellTypeMisuse(text string) bool {
	return strings.HasPrefix(text, "interface conversion: reflect.Type is "+reflect.TypeFor[cellType]().String())
}
