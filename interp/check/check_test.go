package check

import (
	"go/token"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// A tester checks cells one after the other, as a session does, without running them.
type tester struct {
	t     *testing.T
	c     *Checker
	scope *Scope
	cell  int
	notes []string
}

type finder struct{}

func (finder) ByName(name string) []string         { return symbols.ByName(name) }
func (finder) Module(path string) *modules.Package { return nil }

func newTester(t *testing.T) *tester {
	return &tester{t: t, c: newChecker(token.NewFileSet(), symbols.NewImporter(), finder{}), scope: NewScope()}
}

// cellProblems checks a cell and takes it over when it is right.
func (x *tester) cellProblems(src string) []string {
	x.cell++
	var out []string
	parsed, errs := cell.Parse(x.c.Fset, x.cell, src, cell.Split(src))
	for _, e := range errs {
		out = append(out, e.Error())
	}
	if out != nil {
		return out
	}
	work := x.scope.Clone()
	show := cell.ShownPieces(parsed)
	walk := Walk{Stage: func(st *cell.Stage) (*Checked, []cell.Problem) {
		ch, problems := x.c.Check(x.cell, work, st, show)
		if problems == nil {
			x.notes = append(x.notes, ch.Notes...)
		}
		return ch, problems
	}}
	for _, p := range walk.Through(parsed, work) {
		out = append(out, p.Pos.String()+": "+p.Msg)
	}
	if out != nil {
		return out
	}
	x.scope = work
	return nil
}

func (x *tester) ok(src string) {
	x.t.Helper()
	if got := x.cellProblems(src); got != nil {
		x.t.Errorf("cell %q: %s", src, strings.Join(got, "; "))
	}
}

func (x *tester) fails(src string, want ...string) {
	x.t.Helper()
	got := x.cellProblems(src)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		x.t.Errorf("cell %q:\n\t%s\nwant\n\t%s", src, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func (x *tester) typeOf(name, want string) {
	x.t.Helper()
	e := x.scope.Names[name]
	if e == nil {
		x.t.Errorf("%s is not there, want type %s", name, want)
	} else if got := e.Obj.Type().String(); got != want {
		x.t.Errorf("%s has type %s, want %s", name, got, want)
	}
}

func TestCheckCells(t *testing.T) {
	x := newTester(t)
	x.ok("x := 1")
	x.ok("x")
	x.ok("x := float64(x) + 0.5")
	x.typeOf("x", "float64")
	x.ok("x := x + 1\nx := fmt.Sprint(x)\nlen(x)")
	x.typeOf("x", "string")
	x.ok("a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"2\")\na + b")
	x.ok("func f() int { return g() }\nfunc g() int { return y }\ny := 3\nf()")
	x.ok("xs := []float64{1, 2}\nstat.Mean(xs, nil)")
	x.ok("rand.N(10)")
	x.ok("import \"math/rand\"\nrand.Seed(1)")
	x.fails("undefinedName", "c10:1:1: undefined: undefinedName")
	x.fails("if true {\n\tz := 1\n}", "c11:2:2: declared and not used: z")
	x.fails("x + 1", "c12:1:1: invalid operation: x + 1 (mismatched types string and untyped int)")
	x.typeOf("x", "string")
	x.fails("x\ny", "c13:1:1: x (variable of type string) is not used")
	x.ok("x;")
	x.ok("x, y")
	x.fails("for i := range 3 {", "c16:1:19: expected '}', found 'EOF'")
	x.ok("ctx.Err()")
	x.fails("import \"no/such\"", "c18:1:8: package no/such is not in std, gonum or gaucho")
}

func TestCheckTypes(t *testing.T) {
	x := newTester(t)
	p := "type P struct{ x int }\nfunc (p P) X() int { return p.x }"
	x.ok(p)
	x.ok("v := P{1}")
	first := x.scope.Names["P"].Obj
	x.ok(p)
	if x.scope.Names["P"].Obj != first {
		t.Error("a type declared again identically became another type")
	}
	x.ok("v = P{2}")
	x.ok("func (p P) Twice() int { return 2 * p.X() }\nv.Twice()")
	x.ok("func (p P) Twice() float64 { return 2 }\nvar f float64 = v.Twice()")
	x.fails("func (p P) Bad() int { return p.y }", "c7:1:33: p.y undefined (type P has no field or method y)")
	x.fails("v.Bad()", "c8:1:3: v.Bad undefined (type P has no field or method Bad)")
	x.ok("type P struct{ x, y int }\nP{1, 2}.X()")
	x.ok("w := P{1, 2}\nw.Twice()")
	x.ok("v.Twice()")
	x.fails("v = w", "c12:1:5: cannot use w (variable of struct type P) as P value in assignment")
	x.notes = nil
	x.ok("type P struct{ z int }")
	if len(x.notes) != 1 || !strings.Contains(x.notes[0], "the method X of the earlier P does not compile") {
		t.Errorf("notes: %q", x.notes)
	}
	x.ok("type Q struct{ P }\nfunc (p P) Q() Q { return Q{p} }\nfunc (q Q) R() P { return q.P }\nP{}.Q().R()")
	x.ok("type Stack[T any] struct{ xs []T }")
	x.ok("func (s *Stack[T]) Push(x T) { s.xs = append(s.xs, x) }")
	x.ok("var s Stack[int]\ns.Push(1)")
	x.ok("func h(x int) int { return x }\nfunc k() int { return h(1) }")
	x.notes = nil
	x.ok("func h(x string) string { return x }")
	if len(x.notes) != 1 || x.notes[0] != "h has a new signature; k calls the earlier one until declared again" {
		t.Errorf("notes: %q", x.notes)
	}
}

// TestFollowingErrors: of a mistake in an argument nothing else is said of the call.
func TestFollowingErrors(t *testing.T) {
	x := newTester(t)
	x.ok("func both[T any](x T, err error) T { return x }")
	x.fails(`n := both(strings.Foo("1"))`, "c2:1:19: undefined: strings.Foo")
	x.fails("both(nowhere())", "c3:1:6: undefined: nowhere")
	x.fails("both(3)", "c4:1:6: not enough arguments in call to both\n\thave (number)\n\twant (T, error)")
}
