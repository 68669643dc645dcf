package interp

import (
	"context"
	"strings"
	"testing"

	"gaucho/interp/cell"
)

func TestParseFunction(t *testing.T) {
	for name, want := range map[string]function{
		"strings.Repeat": {path: "strings", name: "Repeat"},
		"gonum.org/v1/gonum/mat.(*Dense).Mul.func1": {path: "gonum.org/v1/gonum/mat", recv: "Dense", pointer: true, method: "Mul"},
		"reflect.Value.Elem":                        {path: "reflect", recv: "Value", method: "Elem"},
		"slices.SortFunc[...]":                      {path: "slices", name: "SortFunc"},
		"gopkg.in/yaml%2ev3.Marshal":                {path: "gopkg.in/yaml.v3", name: "Marshal"},
		"sort.Slice.func2":                          {path: "sort", name: "Slice"},
	} {
		if got := parseFunction(name); got != want {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

func TestFunctionPage(t *testing.T) {
	for _, c := range []struct{ function, file, want string }{
		{"gonum.org/v1/gonum/mat.(*Dense).Mul", "gonum.org/v1/gonum@v0.17.0/mat/dense.go", "https://pkg.go.dev/gonum.org/v1/gonum@v0.17.0/mat#Dense.Mul"},
		{"gonum.org/v1/gonum/mat.(*Dense).mul", "/go/pkg/mod/gonum.org/v1/gonum@v0.17.0/mat/dense.go", "https://pkg.go.dev/gonum.org/v1/gonum@v0.17.0/mat"},
		{"example.com/a.F", "/src/a/a.go", "https://pkg.go.dev/example.com/a#F"},
		{"gaucho/stdlib/rkhs.Embed", "gaucho/stdlib/rkhs/embed.go", ""},
		{"internal/bytealg.Index", "internal/bytealg/index.go", ""},
	} {
		if got := parseFunction(c.function).page(c.file); got != c.want {
			t.Errorf("%s is documented at %q, want %q", c.function, got, c.want)
		}
	}
}

// htmlOf is what a cell's error shows alongside its traceback, without tags.
func htmlOf(t *testing.T, s *Session, n int, src string) (text, html string) {
	t.Helper()
	res := s.Execute(context.Background(), Cell{ID: "traceback", Number: n, Source: src})
	if res.Err == nil {
		t.Fatalf("no error of\n%s", src)
	}
	html = res.Err.HTML
	for _, part := range strings.SplitAfter(html, ">") {
		if i := strings.IndexByte(part, '<'); i >= 0 {
			text += part[:i]
		}
	}
	return text, html
}

func TestTrail(t *testing.T) {
	s := startNative(t, &transcript{})
	mustRun(t, s, 1, "func half(x *mat.Dense) {\n\tx.Mul(x, x)\n}")

	text, html := htmlOf(t, s, 2, "half(mat.NewDense(2, 3, nil))")
	for _, want := range []string{"Cell [2], line 1", "half, Cell [1], line 2", "› mat.(*Dense).Mul, dense_arithmetic.go:"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	for _, want := range []string{`title="    1  func half(x *mat.Dense) {&#10;→   2      x.Mul(x, x)&#10;    3  }"`, "<b>→   2      x.Mul(x, x)</b>", "Mul takes the matrix product"} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is not in\n%s", want, html)
		}
	}

	if _, html := htmlOf(t, s, 3, `strings.Repeat("<", -1)`); !strings.Contains(html, "#Repeat\"") || strings.Contains(html, `"<"`) {
		t.Errorf("not what strings.Repeat leads to, or not escaped:\n%s", html)
	}
	text, html = htmlOf(t, s, 4, "slices.Insert([]float64{1}, 7, 3)\n// a library that the interpreter runs")
	if !strings.Contains(text, "slices.Insert") || strings.Contains(text, "line 12") || !strings.Contains(html, "/slices") {
		t.Errorf("not what slices.Insert leads to: %s", html)
	}
	if text, _ := htmlOf(t, s, 5, "var xs []int\nxs[3]"); text != "" {
		t.Errorf("a mistake at one place, which the traceback names, leads to %q", text)
	}
	if _, html := htmlOf(t, s, 6, "panicsOf := func() { defer func() { recover() }(); strings.Repeat(\"\", -1) }\npanicsOf()\npanic(1)"); strings.Contains(html, "Repeat\"") {
		t.Errorf("a panic that was recovered is told:\n%s", html)
	}
	if text, _ := htmlOf(t, s, 7, "func deep(n int) int { if n == 0 { panic(n) }; return len(fmt.Sprint(deep(n-1))) }\nfunc other(n int) int { if n == 0 { return deep(1) }\n\treturn mid(n-1) }\nfunc mid(n int) int { return other(n) }\nother(40)"); !strings.Contains(text, " more") {
		t.Errorf("a long way is not cut: %q", text)
	}
	text, _ = htmlOf(t, s, 9, "func ping(n int) int { return pong(n+1) + 1 }\nfunc pong(n int) int { return ping(n+1) + 1 }\nping(0)")
	if strings.Count(text, "›") != 3 || !strings.HasSuffix(text, "these 2 places call each other without end") {
		t.Errorf("a stack overflow shows more than one round, or a count: %q", text)
	}
	if _, html := htmlOf(t, s, 8, "undefinedName"); html != "" {
		t.Errorf("a cell that was not run has a traceback: %s", html)
	}
}

// The lines of a cell are kept for errors that come later, but not those of a cell that is huge.
func TestPlaceKept(t *testing.T) {
	small := placeOf(Cell{Number: 3}, "a\nb").Kept()
	large := placeOf(Cell{Number: 4}, strings.Repeat("x", cell.MaxPlace)+"\ny").Kept()
	if len(small.Lines) != 2 || large.Lines != nil {
		t.Errorf("%d and %d lines are kept, must be 2 and 0", len(small.Lines), len(large.Lines))
	}
	if got := large.Name(2, 1); got != "Cell [4], line 2, column 1" {
		t.Errorf("the place is %q", got)
	}
}
