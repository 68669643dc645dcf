package lower

import (
	"fmt"
	"go/types"
	"strconv"
)

// assert emits x.(t).
func (f *fn) assert(text string, from, t types.Type) string {
	return f.e.asserter(from, t, false) + "(" + text + ")"
}

// asserter names a function that asserts; with ok it also returns whether it succeeded, and never panics.
func (e *emitter) asserter(from, t types.Type, ok bool) string {
	ft, tt := e.typ(from), e.typ(t)
	key := fmt.Sprintf("assert %s %d %v", ft, e.info(t).id, ok)
	if !ok {
		key += fmt.Sprint(e.info(from).id)
	}
	return e.helper(key, "as", func(name string) string {
		d := e.desc(t)
		x := "x"
		if e.compiledInterface(from) {
			x = "rt.Unwrap(x)"
		}
		if !ok {
			return "func " + name + "(x " + ft + ") " + tt + " {\n" + e.assertBody(x, t, "rt.AssertFailed("+x+", "+e.desc(from)+", "+d+")\n var z "+tt+"\n return z") + "}"
		}
		return "func " + name + "(x " + ft + ") (" + tt + ", bool) {\n" + e.assertBodyOk(x, t, tt) + "}"
	})
}

func (e *emitter) assertBody(x string, t types.Type, fail string) string {
	tt := e.typ(t)
	d := e.desc(t)
	switch {
	case e.compiledInterface(t):
		return "v := " + x + "\nif v != nil && rt.Implements(v, " + d + ") { return " + e.helperInto(t) + "(v) }\n" + fail + "\n"
	case isInterface(t):
		return "v := " + x + "\nif v != nil && rt.Implements(v, " + d + ") { return v }\n" + fail + "\n"
	case e.native(t):
		if !isBasic(t) {
			return "v := " + e.anyOf(x) + "\nif rt.TypeID(v) == " + strconv.Itoa(e.describe(t)) + " { return " + e.cast("v", t) + " }\n" + fail + "\n"
		}
		return "v, ok := " + e.anyOf(x) + ".(" + tt + ")\nif ok { return v }\n" + fail + "\n"
	}
	return e.unboxed(x) + "if ok && b.T == " + d + " { return " + e.cast("b.V", t) + " }\n" + fail + "\n"
}

// cast emits the assertion of a value of type any that is known to hold the lowered type of t.
func (e *emitter) cast(text string, t types.Type) string {
	tt := e.typ(t)
	if tt == "struct{}" { // yaegi looks at the first field
		return "struct{}{}"
	}
	return text + ".(" + tt + ")"
}

// isBasic reports whether yaegi's own assertion to t is exact. To other types it succeeds for values that are only
// assignable.
func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

func (e *emitter) anyOf(x string) string {
	if x == "x" {
		return x
	}
	return "any(" + x + ")"
}

func (e *emitter) assertBodyOk(x string, t types.Type, tt string) string {
	d := e.desc(t)
	fail := "var z " + tt + "\nreturn z, false\n"
	switch {
	case e.compiledInterface(t):
		return "v := " + x + "\nif v != nil && rt.Implements(v, " + d + ") { return " + e.helperInto(t) + "(v), true }\n" + fail
	case isInterface(t):
		return "v := " + x + "\nif v != nil && rt.Implements(v, " + d + ") { return v, true }\nreturn nil, false\n"
	case e.native(t):
		if !isBasic(t) {
			return "v := " + e.anyOf(x) + "\nif rt.TypeID(v) == " + strconv.Itoa(e.describe(t)) + " { return " + e.cast("v", t) + ", true }\n" + fail
		}
		return "v, ok := " + e.anyOf(x) + ".(" + tt + ")\nif ok { return v, true }\n" + fail
	}
	return e.unboxed(x) + "if ok && b.T == " + d + " { return " + e.cast("b.V", t) + ", true }\n" + fail
}

// unboxed emits the box b in an interface, which compiled code may have had.
func (e *emitter) unboxed(x string) string {
	text := "b, ok := " + e.anyOf(x) + ".(rt.Box)\n"
	if x == "x" {
		text += "if !ok { b, ok = rt.BoxOf(x) }\n"
	}
	return text
}

// receiver names a function that receives from a channel.
func (e *emitter) receiver(ch *types.Chan, ok bool) string {
	tt := e.typ(ch.Elem())
	key, base := "recv "+tt, "recv"
	if ok {
		key, base = "recvok "+tt, "recvok"
	}
	return e.helper(key, base, func(name string) string {
		result, a, b := tt, "", ""
		if ok {
			result, a, b = "("+tt+", bool)", ", ok", ", ok"
		}
		body := "v, ok := rt.Recv(c)\n_ = ok\n"
		if tt == "any" {
			return "func " + name + "(c <-chan any) " + result + " {\n" + body + "return v" + a + "\n}"
		}
		return "func " + name + "(c <-chan " + tt + ") " + result + " {\n" + body +
			"if v == nil { var z " + tt + "; return z" + b + " }\nreturn " + e.cast("v", ch.Elem()) + a + "\n}"
	})
}
