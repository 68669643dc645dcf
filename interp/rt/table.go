package rt

import (
	"reflect"
	"runtime"
)

// Symbols is what emitted text names of this package, in the form that yaegi's Use takes. It is written by hand so that
// it is right at once when the package changes.
func Symbols() map[string]reflect.Value {
	m := map[string]reflect.Value{
		"Box": reflect.ValueOf((*Box)(nil)), "ErrBox": reflect.ValueOf((*ErrBox)(nil)), "D": reflect.ValueOf((*D)(nil)),
		"Type": reflect.ValueOf((*Type)(nil)),
	}
	for name, f := range map[string]any{
		"Unwrap": Unwrap, "FlagVar": FlagVar, "FlagSetVar": FlagSetVar, "Reveal": Reveal, "RevealBasic": RevealBasic, "RevealAll": RevealAll, "Bare": Bare, "Variable": Variable, "Equal": Equal, "TypeID": TypeID, "SetMethod": SetMethod, "MethodOf": MethodOf,
		"NativeMethod": NativeMethod, "Implements": Implements, "AssertFailed": AssertFailed, "FindAs": FindAs, "As": As, "NewError": NewError, "StoreValue": StoreValue, "SwapValue": SwapValue, "CompareAndSwapValue": CompareAndSwapValue,
		"Panic": Panic, "NilDereference": NilDereference, "Unhashable": Unhashable, "Hashable": Hashable, "Run": Run, "Deep": Deep, "CellDefers": CellDefers, "Defer": Defer, "DeferAny": DeferAny,
		"Recover": Recover, "RecoverOuter": RecoverOuter, "TypeOf": TypeOf, "ValueOf": ValueOf, "Arm": Arm, "Recv": Recv, "Send": Send, "RecvCase": RecvCase, "SendCase": SendCase,
		"Select": Select, "Sleep": Sleep, "Runes": Runes, "Clear": Clear, "StringOfInt": StringOfInt,
		"StringOfUint": StringOfUint, "FloatToUint": FloatToUint, "ShiftCount": ShiftCount, "FloatMin": FloatMin,
		"FloatMax": FloatMax, "SliceToArray": SliceToArray, "SliceToArrayPointer": SliceToArrayPointer,
		"Print": Print, "Println": Println, "Printf": Printf, "Sprint": Sprint, "Sprintln": Sprintln, "Sprintf": Sprintf,
		"Fprint": Fprint, "Fprintln": Fprintln, "Fprintf": Fprintf, "Append": Append, "Appendln": Appendln,
		"Appendf": Appendf, "Errorf": Errorf,
		"Refuse": Refuse, "Caller": Caller, "Callers": Callers, "Stack": Stack, "DebugStack": DebugStack, "PrintStack": PrintStack,
		"SetFinalizer": SetFinalizer, "Embedded": Embedded, "EmbeddedFS": EmbeddedFS,
		"RangeState": RangeState, "StopFlag": StopFlag, "StoppedAt": StoppedAt, "GuardT": GuardT, "GuardB": GuardB, "Stopped": Stopped, "Poll": Poll, "Go": Go, "GoAt": GoAt, "Guard": Guard,
		"AfterFunc": AfterFunc, "Ctx": cellCtx, "Out": Out, "Step": Step, "Started": Started, "Result": Result, "Exit": Exit, "Goexit": runtime.Goexit,
		"BuiltinPrint": BuiltinPrint, "IfaceOf": IfaceOf, "BuiltinPrintln": BuiltinPrintln,
		"DeepEqual": DeepEqual, "TemplateData": TemplateData, "TemplateFuncs": TemplateFuncs, "SortInts": SortOf[int], "SortFloats": SortOf[float64], "SortStrings": SortOf[string],
		"MaxInts": MaxOf[int], "MaxFloats": MaxOf[float64], "MaxStrings": MaxOf[string],
		"MinInts": MinOf[int], "MinFloats": MinOf[float64], "MinStrings": MinOf[string],
		"ReverseInts": ReverseOf[int], "ReverseFloats": ReverseOf[float64], "ReverseStrings": ReverseOf[string],
		"ContainsInts": ContainsOf[int], "ContainsFloats": ContainsOf[float64], "ContainsStrings": ContainsOf[string],
		"IndexInts": IndexOf[int], "IndexFloats": IndexOf[float64], "IndexStrings": IndexOf[string],
		"BinarySearchInts": BinarySearchOf[int], "BinarySearchFloats": BinarySearchOf[float64], "BinarySearchStrings": BinarySearchOf[string],
	} {
		m[name] = reflect.ValueOf(f)
	}
	return m
}
