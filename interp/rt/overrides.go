package rt

import (
	"maps"
	"reflect"

	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
)

// CellSymbols adds to Symbols what emitted text may name of cells and their streams.
func CellSymbols() map[string]reflect.Value {
	out := map[string]reflect.Value{
		"Stdout": reflect.ValueOf(&run.Stdout).Elem(), "Stderr": reflect.ValueOf(&run.Stderr).Elem(), "Stdin": reflect.ValueOf(&run.Stdin).Elem(),
		"Done": reflect.ValueOf(run.Done), "CellID": reflect.ValueOf(run.CellID), "Input": reflect.ValueOf(run.Input), "Password": reflect.ValueOf(run.Password),
		"Target": reflect.ValueOf(value.Target), "DecodeJSON": reflect.ValueOf(value.DecodeJSON), "EncodeJSON": reflect.ValueOf(value.EncodeJSON),
		"WaitGroupGo": reflect.ValueOf(run.WaitGroupGo),
	}
	maps.Copy(out, valuesOf(run.LogMethods))
	maps.Copy(out, valuesOf(value.TypeMethods))
	return out
}

// Overrides returns functions that stand for those of a compiled package in cells, because the package's own would reach
// past the cell to its process. They are right as function values too.
func Overrides(path string) map[string]reflect.Value {
	switch path {
	case "os":
		return map[string]reflect.Value{"Exit": reflect.ValueOf(run.Exit)}
	case "runtime":
		return map[string]reflect.Value{"TypeAssertionError": reflect.ValueOf((*value.AssertionError)(nil))}
	case "log":
		return map[string]reflect.Value{"Fatal": reflect.ValueOf(run.LogFatal), "Fatalf": reflect.ValueOf(run.LogFatalf), "Fatalln": reflect.ValueOf(run.LogFatalln),
			"Printf": reflect.ValueOf(run.LogPrintf), "Panicf": reflect.ValueOf(run.LogPanicf),
			"SetFlags": reflect.ValueOf(run.LogSetFlags), "New": reflect.ValueOf(run.LogNew)}
	case "log/slog":
		return valuesOf(run.SlogFuncs)
	case "reflect":
		out := map[string]reflect.Value{}
		for name, f := range value.TypeMakers {
			out[name] = value.Refusing(name, f)
		}
		return out
	case "os/exec":
		return map[string]reflect.Value{"Command": reflect.ValueOf(run.Command)}
	case "encoding/json":
		return map[string]reflect.Value{"Marshal": reflect.ValueOf(value.JSONMarshal), "MarshalIndent": reflect.ValueOf(value.JSONMarshalIndent), "Unmarshal": reflect.ValueOf(value.JSONUnmarshal)}
	case "context":
		return map[string]reflect.Value{"AfterFunc": reflect.ValueOf(run.ContextAfterFunc), "WithValue": reflect.ValueOf(value.ContextWithValue)}
	case "fmt":
		return map[string]reflect.Value{
			"Scan": reflect.ValueOf(run.Scan), "Scanln": reflect.ValueOf(run.Scanln), "Scanf": reflect.ValueOf(run.Scanf),
			"Fscan": reflect.ValueOf(value.Fscan), "Fscanln": reflect.ValueOf(value.Fscanln), "Fscanf": reflect.ValueOf(value.Fscanf),
			"Sscan": reflect.ValueOf(value.Sscan), "Sscanln": reflect.ValueOf(value.Sscanln), "Sscanf": reflect.ValueOf(value.Sscanf),
		}
	}
	return nil
}

func valuesOf(funcs map[string]any) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for name, f := range funcs {
		out[name] = reflect.ValueOf(f)
	}
	return out
}
