package check

import (
	"fmt"
	"math"
	"strings"
)

// A Failure is what a test that does not hold panics with.
type Failure struct {
	Path   string // from the whole value to the part that is wrong, as "[2].Name"; may be empty
	Reason string
	Hint   string // what the author of the test says of it; may be empty
}

func (f *Failure) Error() string {
	const most = 200 // bytes of a path, which is as long as a list is deep
	text := f.Reason
	switch path := f.Path; {
	case len(path) > most:
		text = path[:most/2] + " … " + path[len(path)-most/2:] + ": " + text
	case path != "":
		text = path + ": " + text
	}
	if f.Hint != "" {
		text += "; " + f.Hint
	}
	return text
}

// Equal fails unless got holds the same as want. A hint is shown with the failure, as it is by all tests.
func Equal(got, want any, hint ...string) {
	must(Judge("Equal", look(got), []*Value{look(want)}), hint)
}

// Near fails unless every number in got is within tol of that in want, |got - want| <= tol max(1, |want|), and all else
// is equal. No tolerance makes a finite number near an infinite one.
func Near(got, want any, tol float64, hint ...string) {
	must(Judge("Near", look(got), []*Value{look(want), look(tol)}), hint)
}

// Between fails unless low <= got <= high, for a number or for every number of a list or matrix, which must hold some.
func Between(got any, low, high float64, hint ...string) {
	must(Judge("Between", look(got), []*Value{look(low), look(high)}), hint)
}

// Fails fails unless err is an error: it is for functions that must not accept what they are given.
func Fails(err error, hint ...string) { must(Judge("Fails", look(err), nil), hint) }

// Succeeds fails if err is an error.
func Succeeds(err error, hint ...string) { must(Judge("Succeeds", look(err), nil), hint) }

func must(err error, hint []string) {
	if f, ok := err.(*Failure); ok {
		f.Hint = strings.Join(hint, "; ")
	}
	if err != nil {
		panic(err)
	}
}

// tests are the functions above by their names: how many arguments follow the value under test, and what compares them.
var tests = map[string]struct {
	args  int
	judge func(got *Value, args []*Value) error
}{
	"Equal": {1, func(got *Value, args []*Value) error { return compare(got, args[0], 0) }},
	"Near": {2, func(got *Value, args []*Value) error {
		tol, ok := args[1].number()
		if !ok || !(tol.float >= 0) || !tol.finite() {
			return fmt.Errorf("check: the tolerance is %s, must be a finite number that is not negative", args[1])
		}
		return compare(got, args[0], tol.float)
	}},
	"Between":  {2, between},
	"Fails":    {0, func(got *Value, _ []*Value) error { return wantError(got, true) }},
	"Succeeds": {0, func(got *Value, _ []*Value) error { return wantError(got, false) }},
}

// Arguments returns how many arguments a test takes after the value that it tests, without a hint, and whether there is such a test.
func Arguments(test string) (n int, ok bool) {
	t, ok := tests[test]
	return t.args, ok
}

// Judge does a test, named after a function of this package, on values that were looked at before, with the further
// arguments of that function. The error is nil if the test holds, and a [*Failure] if it does not.
func Judge(test string, got *Value, args []*Value) error {
	t, ok := tests[test]
	if !ok || len(args) != t.args {
		return fmt.Errorf("check: there is no test %s with %d arguments", test, len(args))
	}
	return t.judge(got, args)
}

func failed(format string, args ...any) error { return &Failure{Reason: fmt.Sprintf(format, args...)} }

// inPart puts the part in which a test failed before the path of its failure.
func inPart(err error, part string) error {
	if f, ok := err.(*Failure); ok {
		f.Path = part + f.Path
	}
	return err
}

// compare says where two values differ.
func compare(got, want *Value, tol float64) error {
	g, ok1 := got.parts()
	w, ok2 := want.parts()
	if ok1 && ok2 {
		for i := range g {
			if err := near(got, want, g[i], w[i], tol); err != nil {
				return err
			}
		}
		return nil
	}
	if got.Kind != want.Kind {
		return failed("got %s, want %s", got, want)
	}
	switch got.Kind {
	case "opaque":
		return failed("%s cannot be compared%s", &Value{Kind: "opaque", Type: got.Type}, got.why())
	case "list", "matrix":
		if got.Text != want.Text || len(got.Items) != len(want.Items) {
			return failed("got %s, want %s", got.size(), want.size())
		}
		for i := range got.Items {
			if err := compare(got.Items[i], want.Items[i], tol); err != nil {
				return inPart(err, got.place(i))
			}
		}
		return nil
	case "map", "struct":
		return compareNamed(got, want, tol)
	}
	if got.Text != want.Text {
		return failed("got %s, want %s", got, want)
	}
	return nil
}

func near(got, want *Value, g, w number, tol float64) error {
	switch {
	case g.equal(w), math.IsNaN(g.float) && math.IsNaN(w.float):
		return nil
	case !g.finite() || !w.finite(): // whatever is finite is infinitely far from an infinite one, and so may be the tolerance
		return failed("got %s, want %s", got, want)
	case tol > 0 && g.near(w, tol):
		return nil
	case tol > 0:
		return failed("got %s, want %s to within %g", got, want, tol*max(1, math.Abs(w.float)))
	}
	return failed("got %s, want %s", got, want)
}

// compareNamed compares maps and structs, whose items are in the order of their keys.
func compareNamed(got, want *Value, tol float64) error {
	for i, name := range want.Names {
		j := got.find(name)
		if j < 0 {
			return failed("got no %s", name)
		}
		if err := compare(got.Items[j], want.Items[i], tol); err != nil {
			if got.Kind == "map" {
				return inPart(err, "["+name+"]")
			}
			return inPart(err, "."+name)
		}
	}
	for _, name := range got.Names {
		if want.find(name) < 0 {
			return failed("got %s, which should not be there", name)
		}
	}
	return nil
}

func between(got *Value, args []*Value) error {
	low, ok1 := args[0].number()
	high, ok2 := args[1].number()
	if !ok1 || !ok2 || low.order(high) > 0 {
		return fmt.Errorf("check: the bounds are %s and %s, must be numbers, the lower one first", args[0], args[1])
	}
	return inside(got, low, high, fmt.Sprintf("from %s to %s", args[0], args[1]))
}

func inside(got *Value, low, high number, bounds string) error {
	if g, ok := got.number(); ok {
		if low.order(g) <= 0 && g.order(high) <= 0 {
			return nil
		}
		return failed("got %s, want a number %s", got, bounds)
	}
	if got.Kind != "list" && got.Kind != "matrix" {
		return failed("got %s, want a number %s", got, bounds)
	}
	if len(got.Items) == 0 {
		return failed("got %s, want numbers %s", got.size(), bounds)
	}
	for i, item := range got.Items {
		if err := inside(item, low, high, bounds); err != nil {
			return inPart(err, got.place(i))
		}
	}
	return nil
}

func wantError(got *Value, want bool) error {
	switch is := got.Kind == "error"; {
	case !is && got.Kind != "nil":
		return failed("got %s, want an error or nil", got)
	case want && !is:
		return failed("no error, but there should be one")
	case !want && is:
		return failed("an error: %s", got.Text)
	}
	return nil
}
