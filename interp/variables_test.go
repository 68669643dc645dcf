package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gaucho/interp/api"
)

// variablesOf looks at the variables by name.
func variablesOf(t *testing.T, s *Session) map[string]Variable {
	t.Helper()
	out := map[string]Variable{}
	for _, v := range s.Variables(t.Context()) {
		out[v.Name] = v
	}
	return out
}

func mustRun(t *testing.T, s *Session, n int, src string) {
	t.Helper()
	if res := s.Execute(t.Context(), Cell{ID: fmt.Sprint(n), Number: n, Source: src}); res.Err != nil {
		t.Fatalf("%s: %v", src, res.Err)
	}
}

// The parts of a table are its columns, whose names complete.
func TestTableParts(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, `import "gaucho/stdlib/table"
plants := must(table.From(map[string][]float64{"height": {1, 2.5}, "plot": {3, 4}}))
first := plants
var none *table.Table
ages := map[string]int{"Ann": 1}`)
	if v := variablesOf(t, s)["plants"]; v.Value != "2 rows [height plot]" || v.Parts != 2 {
		t.Errorf("a table is %+v", v)
	}
	if v := variablesOf(t, s)["none"]; v.Value != "nil" || v.Parts != 0 {
		t.Errorf("no table is %+v", v)
	}
	parts, ok := s.Parts(t.Context(), "first", nil)
	if !ok || len(parts) != 2 || parts[0].Name != `["height"]` || parts[0].Value != "[1 2.5]" {
		t.Errorf("the parts of a table are %+v", parts)
	}
	for src, want := range map[string]string{`plants.GroupBy("p`: "plot", `ages["`: "Ann"} {
		if c := s.Complete(src, len(src)); len(c.Items) != 1 || c.Items[0].Text != want {
			t.Errorf("%s offers %v, want %s", src, c.Items, want)
		}
	}
}

func TestVariables(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, `n := 3
name := "a\"b"
xs := make([]float64, 1000)
type P struct{ X, y int; Next *P }
func (p P) String() string { panic("never called") }
p := P{1, 2, &P{3, 4, nil}}
ps := []P{p, p}
m := map[string]int{"b": 2, "a": 1}
var e error
err := errors.New("oh")
X := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})
d := 1500 * time.Millisecond
f := func() {}
var any1 any = p
unused := [2]bool{true}`)
	got := variablesOf(t, s)
	for name, want := range map[string]Variable{
		"n":      {Type: "int", Value: "3", Size: 8},
		"name":   {Type: "string", Value: `"a\"b"`, Size: 16 + 3},
		"p":      {Type: "P", Value: "{X: 1, y: 2, Next: &{X: 3, y: 4, Next: nil}}", Parts: 3, Size: 48},
		"m":      {Type: "map[string]int", Value: `len 2 {"a": 1, "b": 2}`, Parts: 2},
		"e":      {Type: "error", Value: "nil", Size: 16},
		"err":    {Type: "error", Value: "oh"},
		"X":      {Type: "*mat.Dense", Value: "3×2 [1 2; 3 4; 5 6]", Parts: 3},
		"d":      {Type: "time.Duration", Value: "1.5s", Size: 8},
		"f":      {Type: "func()", Value: "func"},
		"unused": {Type: "[2]bool", Value: "[true false]", Parts: 2, Size: 2},
	} {
		v := got[name]
		if v.Type != want.Type || v.Value != want.Value || want.Parts != 0 && v.Parts != want.Parts || want.Size != 0 && v.Size != want.Size || v.Old {
			t.Errorf("%s is %+v, want %+v", name, v, want)
		}
	}
	if v := got["xs"]; v.Size != 24+8000 || !strings.HasPrefix(v.Value, "len 1000 [0 0 0") {
		t.Errorf("xs is %+v", v)
	}
	parts := func(name string, path ...Part) string {
		list, ok := s.Parts(t.Context(), name, path)
		if !ok {
			t.Fatalf("%s %v cannot be looked at", name, path)
		}
		var out []string
		for _, v := range list {
			out = append(out, v.Name+"="+v.Value)
		}
		return strings.Join(out, "|")
	}
	for want, got := range map[string]string{
		"X=1|y=2|Next=&{X: 3, y: 4, Next: nil}":            parts("p"),
		"X=3|y=4|Next=nil":                                 parts("p", Part{Lo: 2, Hi: 3}),
		`["a"]=1|["b"]=2`:                                  parts("m"),
		"[0]=[1 2]|[1]=[3 4]|[2]=[5 6]":                    parts("X"),
		"[0]=5|[1]=6":                                      parts("X", Part{Lo: 2, Hi: 3}),
		"X=1|y=2|Next=&{X: 3, y: 4, Next: nil} ":           parts("ps", Part{Lo: 1, Hi: 2}) + " ",
		"[0]={X: 1, y: 2, Next: &{X: 3, y: 4, Next: nil}}": strings.Split(parts("ps"), "|")[0],
	} {
		if got != want {
			t.Errorf("parts are %s, want %s", got, want)
		}
	}
	if got := parts("xs"); strings.Count(got, "|") != 9 || !strings.HasPrefix(got, "[0:100]=|[100:200]=") {
		t.Errorf("xs has the parts %s", got)
	}
	if got := parts("xs", Part{Lo: 900, Hi: 1000}); strings.Count(got, "|") != 99 || !strings.HasPrefix(got, "[900]=0|") {
		t.Errorf("the last of xs are %s", got)
	}
}

// TestVariablesFollow declares, changes and redeclares.
func TestVariablesFollow(t *testing.T) {
	s, _ := startTest(t)
	for i, c := range []struct{ src, name, want string }{
		{"x := 1", "x", "int 1"},
		{"x = 2", "x", "int 2"},
		{"x := x + 1", "x", "int 3"},
		{"x := \"s\"", "x", `string "s"`},
		{"type T struct{ A int }\nt := T{5}", "t", "T {A: 5}"},
		{"t.A++", "t", "T {A: 6}"},
		{"type T struct{ A, B int }\nt := T{7, 8}", "t", "T {A: 7, B: 8}"},
	} {
		mustRun(t, s, i+1, c.src)
		if v := variablesOf(t, s)[c.name]; v.Type+" "+v.Value != c.want || v.Old {
			t.Errorf("after %q it is %+v, want %s", c.src, v, c.want)
		}
	}
}

// TestVariablesWhileACellRuns looks at a loop's counter at the loop's checks, and at a cell that is blocked.
func TestVariablesWhileACellRuns(t *testing.T) {
	s, _ := startTest(t)
	s.Look(true)
	mustRun(t, s, 1, "n := 0\nm := map[int]int{}\nfixed := 7")
	done := make(chan Result)
	run := func(src string) {
		go func() { done <- s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: src}) }()
		for s.runs.current() == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	run("for { n++; m[n%5]++ }")
	last := ""
	for changes := 0; changes < 3; {
		v := variablesOf(t, s)
		if f := v["fixed"]; f.Value != "7" {
			t.Fatalf("fixed is %+v", f)
		}
		if n := v["n"]; n.Value != last && !n.Old {
			last = n.Value
			changes++
		}
		time.Sleep(20 * time.Millisecond)
	}
	if parts, ok := s.Parts(t.Context(), "m", nil); !ok || len(parts) == 0 {
		t.Errorf("the map's parts are %v, %v", parts, ok)
	}
	s.Interrupt()
	if res := <-done; res.Err == nil || res.Err.Name != "Interrupt" {
		t.Fatal(res.Err)
	}
	variablesOf(t, s)
	run("time.Sleep(time.Hour)")
	time.Sleep(2 * api.LookPause)
	if v := variablesOf(t, s)["fixed"]; v.Value != "7" {
		t.Errorf("in a blocked cell fixed is %+v", v)
	}
	s.Interrupt()
	<-done
}

// TestNobodyLooks: after one look the next cells alone make variables known, and after another look they do again.
func TestNobodyLooks(t *testing.T) {
	s, _ := startTest(t)
	n := 0
	run := func(cells int) (looks int) {
		before := s.variableView.looks
		for range cells {
			n++
			mustRun(t, s, n, fmt.Sprintf("v%d := %d", n, n))
		}
		return s.variableView.looks - before
	}
	if looks := run(3); looks != 0 {
		t.Errorf("%d looks before anybody looked", looks)
	}
	for range 2 {
		s.Look(true)
		if looks := run(2 * lookCells); looks < 1 || looks > lookCells {
			t.Errorf("%d looks in %d cells, want at most %d", looks, 2*lookCells, lookCells)
		}
		if v := variablesOf(t, s)[fmt.Sprintf("v%d", n)]; v.Value != fmt.Sprint(n) || v.Old {
			t.Errorf("the last variable is %+v", v)
		}
	}
}

// TestVariablesThatAreOld: who asks while the worker does not answer is not given the values of the last look as new ones.
func TestVariablesThatAreOld(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, "x := 1")
	if v := variablesOf(t, s)["x"]; v.Value != "1" || v.Old {
		t.Fatalf("x is %+v", v)
	}
	mustRun(t, s, 2, "x = 2")
	late, cancel := context.WithCancel(t.Context())
	cancel()
	if v := s.Variables(late)[0]; v.Value != "1" || !v.Old {
		t.Errorf("when the worker has not answered, x is %+v, want an old 1", v)
	}
	if v := variablesOf(t, s)["x"]; v.Value != "2" || v.Old {
		t.Errorf("when it answers again, x is %+v, want 2", v)
	}
}

func TestWhos(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, "small := 1\nlarge := make([]byte, 3<<20)")
	mustRun(t, s, 2, "%whos")
	text := out.of("2").String()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[1], "large") || !strings.Contains(lines[1], "3.0 MB") || !strings.Contains(lines[2], "8 B") {
		t.Errorf("printed\n%s", text)
	}
}
