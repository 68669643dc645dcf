package value

import (
	"flag"
	"reflect"
)

// FlagVar is flag.Var.
func FlagVar(value flag.Value, name, usage string) { FlagSetVar(flag.CommandLine, value, name, usage) }

// FlagSetVar is the method Var of a set of flags. The set's PrintDefaults leaves out a default that is the text of the type's
// zero value, which it makes by reflection: of a wrapper, it is empty.
func FlagSetVar(set *flag.FlagSet, value flag.Value, name, usage string) {
	set.Var(value, name, usage)
	b, ok := Unwrap(value).(Box)
	if !ok || b.T.Lowered == nil {
		return
	}
	zero := reflect.Zero(b.T.Lowered)
	if b.T.Kind == reflect.Pointer {
		zero = reflect.New(b.T.Lowered.Elem())
	}
	defer func() { _ = recover() }() // a String method need not take a zero value
	if f := set.Lookup(name); MethodOf(b.T, "String").(func(any) string)(zero.Interface()) == f.DefValue {
		f.DefValue = ""
	}
}
