// Package rt is what lowered cell code calls at run time, under one import path: the functions of packages value (boxes,
// printing, JSON) and run (goroutines, stops, defers), and those that stand for functions of Go's own packages in cells.
package rt

import (
	"reflect"
	"runtime"

	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
)

// Symbols is what emitted text names of this package, in the form that yaegi's Use takes. It is written by hand so that
// it is right at once when the package changes.
func Symbols() map[string]reflect.Value {
	m := map[string]reflect.Value{
		"Box": reflect.ValueOf((*value.Box)(nil)), "ErrBox": reflect.ValueOf((*value.ErrBox)(nil)), "D": reflect.ValueOf((*run.D)(nil)),
		"Type": reflect.ValueOf((*value.Type)(nil)),
	}
	for name, f := range map[string]any{
		"Unwrap": value.Unwrap, "BoxOf": value.BoxOf, "FlagVar": value.FlagVar, "FlagSetVar": value.FlagSetVar, "Reveal": value.Reveal, "Parameter": value.Parameter, "Convertible": value.Convertible, "Destination": value.Destination, "RevealAll": value.RevealAll, "NoCellType": value.NoCellType, "Bare": value.Bare, "Variable": value.Variable, "Equal": value.Equal, "TypeID": value.TypeID, "SetMethod": value.SetMethod, "MethodOf": value.MethodOf,
		"NativeMethod": value.NativeMethod, "Implements": value.Implements, "AssertFailed": value.AssertFailed, "FindAs": value.FindAs, "As": value.As, "NewError": value.NewError, "StoreValue": value.StoreValue, "SwapValue": value.SwapValue, "CompareAndSwapValue": value.CompareAndSwapValue,
		"Panic": value.Panic, "NilDereference": value.NilDereference, "Unhashable": value.Unhashable, "Hashable": value.Hashable, "Run": run.Run, "Deep": run.Deep, "CellDefers": run.CellDefers, "Defer": run.Defer, "DeferAny": run.DeferAny,
		"Recover": run.Recover, "RecoverOuter": run.RecoverOuter, "TypeOf": value.TypeOf, "ValueOf": value.ValueOf, "Arm": run.Arm, "Recv": run.Recv, "Send": run.Send, "RecvCase": run.RecvCase, "SendCase": run.SendCase,
		"Select": run.Select, "Sleep": run.Sleep, "Runes": value.Runes, "Clear": value.Clear, "StringOfInt": value.StringOfInt,
		"StringOfUint": value.StringOfUint, "FloatToUint": value.FloatToUint, "ShiftCount": value.ShiftCount, "FloatMin": value.FloatMin,
		"FloatMax": value.FloatMax, "SliceToArray": value.SliceToArray, "SliceToArrayPointer": value.SliceToArrayPointer,
		"Print": run.Print, "Println": run.Println, "Printf": run.Printf, "Sprint": value.Sprint, "Sprintln": value.Sprintln, "Sprintf": value.Sprintf,
		"Fprint": run.Fprint, "Fprintln": run.Fprintln, "Fprintf": run.Fprintf, "Append": value.Append, "Appendln": value.Appendln,
		"Appendf": value.Appendf, "Errorf": value.Errorf,
		"Refuse": Refuse, "Caller": Caller, "Callers": Callers, "Stack": Stack, "DebugStack": DebugStack, "PrintStack": PrintStack,
		"SetFinalizer": SetFinalizer, "Embedded": Embedded, "EmbeddedFS": EmbeddedFS,
		"RangeState": value.RangeState, "StopFlag": run.StopFlag, "StoppedAt": run.StoppedAt, "GuardT": run.GuardT, "GuardB": run.GuardB, "Stopped": run.Stopped, "Poll": run.Poll, "Go": run.Go, "GoAt": run.GoAt, "Guard": run.Guard,
		"AfterFunc": run.AfterFunc, "Ctx": run.CellCtx, "Out": run.Out, "Step": run.Step, "Started": run.Started, "Result": run.Result, "Exit": run.Exit, "Goexit": runtime.Goexit,
		"BuiltinPrint": run.BuiltinPrint, "IfaceOf": value.IfaceOf, "BuiltinPrintln": run.BuiltinPrintln,
		"DeepEqual": value.DeepEqual, "TemplateExecute": value.TemplateExecute, "TemplateExecuteTemplate": value.TemplateExecuteTemplate, "TemplateFuncs": value.TemplateFuncs, "SortInts": value.SortOf[int], "SortFloats": value.SortOf[float64], "SortStrings": value.SortOf[string],
		"MaxInts": value.MaxOf[int], "MaxFloats": value.MaxOf[float64], "MaxStrings": value.MaxOf[string],
		"MinInts": value.MinOf[int], "MinFloats": value.MinOf[float64], "MinStrings": value.MinOf[string],
		"ReverseInts": value.ReverseOf[int], "ReverseFloats": value.ReverseOf[float64], "ReverseStrings": value.ReverseOf[string],
		"ContainsInts": value.ContainsOf[int], "ContainsFloats": value.ContainsOf[float64], "ContainsStrings": value.ContainsOf[string],
		"IndexInts": value.IndexOf[int], "IndexFloats": value.IndexOf[float64], "IndexStrings": value.IndexOf[string],
		"BinarySearchInts": value.BinarySearchOf[int], "BinarySearchFloats": value.BinarySearchOf[float64], "BinarySearchStrings": value.BinarySearchOf[string],
	} {
		m[name] = reflect.ValueOf(f)
	}
	return m
}
