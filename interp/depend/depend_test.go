package depend

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// A session is cells that are checked and recorded, and never run.
type session struct {
	t       *testing.T
	fset    *token.FileSet
	checker *check.Checker
	scope   *check.Scope
	history check.History
	tracker *Tracker
	studies Studies
	number  int
}

func newSession(t *testing.T, cells ...string) *session {
	t.Helper()
	t.Setenv("GOMODCACHE", t.TempDir())
	s := &session{t: t, fset: token.NewFileSet(), scope: check.NewScope(), tracker: NewTracker(), studies: NewStudies()}
	s.checker, _ = check.Open(s.fset, t.TempDir(), nil, nil)
	for _, src := range cells {
		s.run("", src, false)
	}
	return s
}

// check checks a cell and enters what it declares into work.
func (s *session) check(src string, work *check.Scope) []*check.Checked {
	s.t.Helper()
	s.number++
	parsed, problems := cell.Read(src).Parse(s.fset, s.number, cell.Options{})
	var stages []*check.Checked
	if problems == nil {
		problems = s.checker.AddHistory(parsed, work, &s.history)
	}
	if problems == nil {
		problems = check.Walk{Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) {
			ch, problems := s.checker.Check(s.number, work, st, cell.ShownPieces(parsed))
			stages = append(stages, ch)
			return ch, problems
		}}.Through(parsed, work)
	}
	if problems != nil {
		s.t.Fatalf("%s: %v", src, problems)
	}
	return stages
}

// run records a cell as one that has run. id is the front end's name for it.
func (s *session) run(id, src string, failed bool) {
	s.t.Helper()
	before := maps.Clone(s.scope.Names)
	stages := s.check(src, s.scope)
	for _, ch := range stages {
		s.studies.Keep(ch)
	}
	s.tracker.Record(Cell{Number: s.number, NotebookID: id, Source: src}, stages, before, s.scope.Names, failed)
}

func (s *session) stale() (numbers []int, why string) {
	for _, st := range s.tracker.Stale() {
		numbers = append(numbers, st.Run.Cell.Number)
		why += st.Why + "\n"
	}
	return numbers, why
}

func TestStale(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  []int
		why   string
	}{
		"nothing":             {cells: []string{"x := 1", "x + 1"}},
		"variable":            {cells: []string{"x := 1", "x + 1", "x := 2"}, want: []int{2}, why: "In [3] declared x again"},
		"assigned":            {cells: []string{"x := 1", "x + 1", "x = 2"}, want: []int{2}, why: "In [3] changed x"},
		"element":             {cells: []string{"xs := []int{1}", "len(xs)", "xs[0]++"}, want: []int{2}, why: "In [3] changed xs"},
		"by itself":           {cells: []string{"x := 1", "x++", "x"}},
		"the same again":      {cells: []string{"n := 3", "n * 2", "n := 3"}},
		"not the same value":  {cells: []string{"n := time.Now()", "n.Unix()", "n := time.Now()"}, want: []int{2}},
		"function":            {cells: []string{"func f() int { return 1 }", "f()", "func f() int { return 2 }"}, want: []int{2}, why: "In [3] declared f again"},
		"same function":       {cells: []string{"func f() int { return 1 }", "f()", "func f() int { return 1 }"}},
		"through a function":  {cells: []string{"x := 1", "func f() int { return x }", "f()", "x = 5"}, want: []int{3}, why: "In [4] changed x"},
		"function that sets":  {cells: []string{"x := 1", "func set() { x = 2 }", "x * 3", "set()"}, want: []int{3}},
		"chain":               {cells: []string{"x := 1", "y := x + 1", "y * 2", "x := 5"}, want: []int{2, 3}, why: "y is from In [2], which is stale"},
		"function keeps":      {cells: []string{"x := 1", "func f() int { return x }", "f()", "x := \"s\""}, want: []int{2, 3}, why: "In [4] declared x again"},
		"method":              {cells: []string{"type P struct{ n int }\nfunc (p P) M() int { return 1 }", "P{}.M()", "func (p P) M() int { return 2 }"}, want: []int{2}, why: "In [3] declared P.M again"},
		"type":                {cells: []string{"type P struct{ n int }", "p := P{1}", "type P struct{ n, m int }"}, want: []int{2}, why: "In [3] declared P again"},
		"earlier self":        {cells: []string{"x := 1", "x := x + 1", "x"}},
		"pointer method":      {cells: []string{"var b strings.Builder", "b.String()", "b.WriteString(\"x\");"}, want: []int{2}},
		"address":             {cells: []string{"var n int", "n + 1", "fmt.Sscan(\"3\", &n)"}, want: []int{2}},
		"read through a name": {cells: []string{"var b strings.Builder", "b.String()", "b.Len()"}},
		"run again":           {cells: []string{"x := 1", "x + 1", "x = 2", "x + 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, why := newSession(t, c.cells...).stale()
			if !slices.Equal(got, c.want) {
				t.Fatalf("stale are %v (%q), want %v", got, why, c.want)
			}
			if !strings.Contains(why, c.why) {
				t.Errorf("why %q, want %q", why, c.why)
			}
		})
	}
}

// TestSameCell: a cell is stale as of its last run, found by the front end's name for it or by its text, and a cell that failed
// is no run.
func TestSameCell(t *testing.T) {
	s := newSession(t, "x := 1")
	s.run("a", "x + 1", false)
	s.run("", "x = 2", false)
	s.run("a", "x + 10", false)
	if got, why := s.stale(); got != nil {
		t.Errorf("a cell that ran again under its name is stale: %v, %s", got, why)
	}
	s.run("", "x = 3", false)
	if got, _ := s.stale(); !slices.Equal(got, []int{4}) {
		t.Errorf("stale are %v, want the last run of the cell alone", got)
	}
	s.run("a", "x + 10", true)
	if got, _ := s.stale(); got != nil {
		t.Errorf("a cell that failed is stale: %v", got)
	}
}

// TestManyCells: of more cells than are remembered, the oldest are forgotten.
func TestManyCells(t *testing.T) {
	s := newSession(t, "x := 1")
	stages := s.check("x + 1", s.scope)
	for i := range maxRuns {
		s.tracker.Record(Cell{Number: i, NotebookID: fmt.Sprint(i), Source: fmt.Sprint(i)}, stages, s.scope.Names, s.scope.Names, false)
	}
	if n := s.tracker.runs.Len(); n != maxRuns || len(s.tracker.byID) != maxRuns || len(s.tracker.byText) != maxRuns {
		t.Errorf("%d runs are remembered, %d by name, %d by text, want %d", n, len(s.tracker.byID), len(s.tracker.byText), maxRuns)
	}
}

func TestTouches(t *testing.T) {
	s := newSession(t, "a, b, c, d := 1, 2, 3, 4", "func f() int { b++; return a }", "type P struct{}\nfunc (P) M() int { return c }")
	for src, want := range map[string]string{
		"1 + 1":          "",
		"d = 5":          "d",
		"f()":            "a b f",
		"P{}.M()":        "P P.M c",
		"g := f":         "a b f",
		"func() { f() }": "a b f",
	} {
		touched := s.tracker.Touches(s.check(src, s.scope.Clone()))
		if got := strings.Join(slices.Sorted(maps.Keys(touched)), " "); got != want {
			t.Errorf("%s touches %q, want %q", src, got, want)
		}
	}
}

// TestDeclarations: what was declared can be declared again in another session, without what needs a variable that is lost.
func TestDeclarations(t *testing.T) {
	s := newSession(t, "import str \"strings\"", "const n = 3", "// P is a point.\ntype P struct{ x int }", "func (p P) X() int { return p.x + n }",
		"v, lost := 2.5, make(chan int)", "func f() string { return str.Repeat(\"a\", n) }", "func g() int { return len(lost) }", "func h() int { return g() }")
	var d Declarations
	saved := func(name, text string) SavedValue {
		v, _ := NewSavedValue(s.scope, s.scope.Names["v"].Obj.Type())
		v.Source = &SavedSource{Names: []string{name}, Text: text}
		return v
	}
	d.Record(s.scope, map[string]SavedValue{"v": saved("v", "2.5"), "lost": saved("lost", "1.5")})
	if got := fmt.Sprint(slices.Sorted(maps.Keys(d.Data)), slices.Sorted(maps.Keys(d.Lost))); got != "[v] [lost]" {
		t.Errorf("saved and lost are %s, want [v] [lost]: what was saved has another type", got)
	}
	d.LeaveOut()
	if !slices.Equal(d.Without, []string{"g", "h"}) {
		t.Errorf("left out are %v, want g and h, which need what is lost", d.Without)
	}
	if got := d.Names(); !slices.Equal(got, []string{"n", "P", "f"}) {
		t.Errorf("declared again are %v, want n, P and f, in order", got)
	}
	again := newSession(t, d.Source())
	again.check("P{1}.X() + len(f())", again.scope)
	if text := again.scope.Names["P"].Doc; !strings.Contains(text, "P is a point") {
		t.Errorf("the comment of P is %q", text)
	}
	d.Record(check.NewScope(), nil)
	if len(d.Names()) != 3 {
		t.Error("an empty scope took the place of what was there")
	}
}

func TestPlainTypes(t *testing.T) {
	s := newSession(t, `type flat struct{ A int; b []string }
type list struct{ Next []list }
type deep struct{ P *int }
type gen[T any] struct{ X T }
import "gonum.org/v1/gonum/mat"
import "gaucho/stdlib/table"`)
	for typ, want := range map[string][2]bool{ // plain, and may be in a file
		"int": {true, false}, "string": {true, false}, "complex128": {true, false}, "time.Duration": {true, false}, "[]float64": {true, true}, "[][]float64": {true, false},
		"[2]bool": {true, false}, "map[string][]int": {true, false}, "flat": {true, false}, "[]flat": {true, false}, "list": {true, false},
		"deep": {false, false}, "gen[int]": {false, false}, "*int": {false, false}, "func()": {false, false}, "error": {false, false},
		"time.Time": {false, false}, "*mat.Dense": {true, true}, "*mat.VecDense": {true, true}, "*mat.SymDense": {false, false}, "*table.Table": {false, true},
	} {
		work := s.scope.Clone()
		s.check("var v "+typ, work)
		v := work.Names["v"].Obj.Type()
		if got := [2]bool{PlainType(v), FileType(v)}; got != want {
			t.Errorf("%s: plain and for files are %v, want %v", typ, got, want)
		}
	}
}

const studyCell = `s := &study.Study{Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
	return study.Record{"y": double(scale)}, nil
}}`

// source returns the one study's function.
func (s *session) source() *check.StudyFunc {
	for _, f := range s.studies.Funcs {
		return f
	}
	return nil
}

// TestStudyHash: the name of a study's records changes with what its function reaches, and with nothing else.
func TestStudyHash(t *testing.T) {
	s := newSession(t, "const scale = 2.0", "func double(x float64) float64 { return 2 * x }", "func other() {}", studyCell)
	hash := func() string {
		now := &Session{Scope: s.scope, Tracker: s.tracker, Ctx: s.checker.Ctx, Number: s.number + 1, Content: func(string) string { return "" }}
		for _, source := range s.studies.Sources(now) {
			return source.Hash
		}
		return ""
	}
	first := hash()
	for _, step := range []struct {
		cell string
		same bool
	}{
		{"func other() { println() }", true},
		{"func double(x float64) float64 { return 2 * x /* the same */ }", true},
		{"func double(x float64) float64 { return x + x }", false},
		{"func double(x float64) float64 { return 2 * x }", true},
	} {
		s.run("", step.cell, false)
		if h := hash(); h == "" || (h == first) != step.same {
			t.Errorf("after %s the hash is the first one: %v, want %v", step.cell, h == first, step.same)
		}
	}
}

func TestClosure(t *testing.T) {
	s := newSession(t, "func double(x float64) float64 { return 2 * x }", "scale := 2.0", "func other() {}", studyCell)
	c, err := s.tracker.ClosureOf(s.scope, s.source(), s.checker.Ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Decls) != 1 || c.Decls[0].names[0] != "double" || fmt.Sprint(c.Vars) != "map[scale:float64]" || !strings.Contains(c.Replicate, "double(scale)") {
		t.Errorf("the closure has declarations %v, variables %v and the function %s", c.Decls, c.Vars, c.Replicate)
	}
	for cell, want := range map[string]string{
		"scale := make(chan float64)":                "declared again",
		"func double(s string) float64 { return 1 }": "declared again",
	} {
		s := newSession(t, "func double(x float64) float64 { return 2 * x }", "scale := 2.0", studyCell, cell)
		if _, err := s.tracker.ClosureOf(s.scope, s.source(), s.checker.Ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("after %s: %v, want an error that says %q", cell, err, want)
		}
	}
	s = newSession(t, "func double(x *int) float64 { return 1 }", "scale := new(int)", studyCell)
	if _, err := s.tracker.ClosureOf(s.scope, s.source(), s.checker.Ctx); err == nil || !strings.Contains(err.Error(), "variable scale") {
		t.Errorf("a pointer goes along: %v", err)
	}
	if _, err := s.tracker.ClosureOf(s.scope, nil, s.checker.Ctx); err == nil {
		t.Error("a function that is not known has a closure")
	}
}
