package rt

import (
	"log"
	"maps"
	"os/exec"
	"reflect"
)

// LogFatal is log.Fatal: it ends the cell, LogFatalf and LogFatalln likewise.
func LogFatal(v ...any) {
	log.Output(2, Sprint(v...))
	Exit(1)
}

// LogFatalf is log.Fatalf.
func LogFatalf(format string, v ...any) {
	log.Output(2, Sprintf(format, v...))
	Exit(1)
}

// LogFatalln is log.Fatalln.
func LogFatalln(v ...any) {
	log.Output(2, Sprintln(v...))
	Exit(1)
}

// Command is exec.Command for a process that ends when the running goroutine's cell is interrupted.
func Command(name string, arg ...string) *exec.Cmd { return exec.CommandContext(Ctx(), name, arg...) }

// CellSymbols adds to Symbols what emitted text may name of cells and their streams.
func CellSymbols() map[string]reflect.Value {
	out := map[string]reflect.Value{
		"Stdout": reflect.ValueOf(&Stdout).Elem(), "Stderr": reflect.ValueOf(&Stderr).Elem(), "Stdin": reflect.ValueOf(&Stdin).Elem(),
		"Done": reflect.ValueOf(Done), "CellID": reflect.ValueOf(CellID), "Input": reflect.ValueOf(Input), "Password": reflect.ValueOf(Password),
		"Target": reflect.ValueOf(Target), "DecodeJSON": reflect.ValueOf(DecodeJSON), "EncodeJSON": reflect.ValueOf(EncodeJSON),
		"WaitGroupGo": reflect.ValueOf(WaitGroupGo),
	}
	maps.Copy(out, valuesOf(logMethods))
	return out
}

// Overrides returns functions that stand for those of a compiled package in cells, because the package's own would reach
// past the cell to its process. They are right as function values too.
func Overrides(path string) map[string]reflect.Value {
	switch path {
	case "os":
		return map[string]reflect.Value{"Exit": reflect.ValueOf(Exit)}
	case "log":
		return map[string]reflect.Value{"Fatal": reflect.ValueOf(LogFatal), "Fatalf": reflect.ValueOf(LogFatalf), "Fatalln": reflect.ValueOf(LogFatalln),
			"Printf": reflect.ValueOf(LogPrintf), "Panicf": reflect.ValueOf(LogPanicf)}
	case "log/slog":
		return valuesOf(slogFuncs)
	case "reflect":
		out := map[string]reflect.Value{}
		for name, f := range typeMakers {
			out[name] = refusing(name, f)
		}
		return out
	case "os/exec":
		return map[string]reflect.Value{"Command": reflect.ValueOf(Command)}
	case "encoding/json":
		return map[string]reflect.Value{"Marshal": reflect.ValueOf(JSONMarshal), "MarshalIndent": reflect.ValueOf(JSONMarshalIndent), "Unmarshal": reflect.ValueOf(JSONUnmarshal)}
	case "context":
		return map[string]reflect.Value{"AfterFunc": reflect.ValueOf(ContextAfterFunc)}
	case "fmt":
		return map[string]reflect.Value{
			"Scan": reflect.ValueOf(Scan), "Scanln": reflect.ValueOf(Scanln), "Scanf": reflect.ValueOf(Scanf),
			"Fscan": reflect.ValueOf(Fscan), "Fscanln": reflect.ValueOf(Fscanln), "Fscanf": reflect.ValueOf(Fscanf),
			"Sscan": reflect.ValueOf(Sscan), "Sscanln": reflect.ValueOf(Sscanln), "Sscanf": reflect.ValueOf(Sscanf),
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
