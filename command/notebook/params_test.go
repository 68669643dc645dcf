package notebook

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const parametersCell = `// The experiment's size.
import "time"
%env X=1
n := 200 // points
var bandwidth float64 = 1
title := "it's" + " a title"; quiet := false
const seed uint64 = 42
const dim = 2
var (
	file string
	xs, ys = []float64{1, 2}, "y"
)
label, scale := "a", 2.5
var kind = strings.ToLower("A")
var any1 any
func n2() int {
	hidden := 3
	return hidden
}
type T struct{ a int }
`

func TestParameters(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"n=20", "n = 20"},
		{"n=-3", "n = -3"},
		{"n=2*50", "n = 2*50"},
		{"n=010", "n = 10"},
		{"n=-08", "n = -8"},
		{"n=+1_000", "n = 1_000"},
		{"n=0", "n = 0"},
		{"n=0x10", "n = 0x10"},
		{"n=1e3", "n = 1e3"},
		{"quiet=True", "quiet = true"},
		{"any1=None", "any1 = nil"},
		{"any1=010", "any1 = 10"},
		{"other=False", "var other = false"},
		{"other=010", "var other = 10"},
		{"title=010", `title = "010"`},
		{"title=1e3", `title = "1e3"`},
		{"title=True", `title = "True"`},
		{"bandwidth=1", "bandwidth = 1"},
		{"bandwidth=NaN", "bandwidth = math.NaN()"},
		{"bandwidth=-Inf", "bandwidth = math.Inf(-1)"},
		{"bandwidth= 0.5 ", "bandwidth = 0.5"},
		{"title=5", `title = "5"`},
		{"title=a=b", `title = "a=b"`},
		{`title="quoted"`, `title = "quoted"`},
		{"title=say \"hi\"", `title = "say \"hi\""`},
		{"title=", `title = ""`},
		{"quiet=true", "quiet = true"},
		{"seed=7", "const seed uint64 = 7"},
		{"dim=3", "const dim = 3"},
		{"file=data-2.csv", `file = "data-2.csv"`},
		{"xs=[]float64{3}", "xs = []float64{3}"},
		{"ys=z", `ys = "z"`},
		{"xs=[1, 2.5]", "xs = []float64{1, 2.5}"},
		{"title=[1]", `title = "[1]"`},
		{"other=[1, 2]", "var other = []int{1, 2}"},
		{"other=[1, 2.5]", "var other = []float64{1, 2.5}"},
		{`other=["a", 1]`, `var other = []any{"a", 1}`},
		{"other=[[1], [2, 3]]", "var other = [][]int{[]int{1}, []int{2, 3}}"},
		{`other={"b": 1, "a": 2}`, `var other = map[string]int{"a": 2, "b": 1}`},
		{"other=[]", "var other = []any{}"},
		{"label=b", `label = "b"`},
		{"scale=3", "scale = 3"},
		{"kind=gaussian", `kind = "gaussian"`},
		{"any1=gaussian", `any1 = "gaussian"`},
		{"any1=3", "any1 = 3"},
		{"other=20", "var other = 20"},
		{"other=2.0", "var other = 2.0"},
		{"other=true", "var other = true"},
		{"other=data.csv", `var other = "data.csv"`},
		{"other=data-2", `var other = "data-2"`},
		{"other=[]int{1}", "var other = []int{1}"},
		{"other=float64(1)", "var other = float64(1)"},
		{"hidden=4", "var hidden = 4"},
		{"name=a\\n", `var name = "a\\n"`},
	} {
		nb := &Notebook{Minor: 5, Cells: []*Cell{
			{Type: "markdown"},
			{Type: "code", Source: parametersCell, Metadata: map[string]any{"tags": []any{"parameters"}}},
			{Type: "code", Source: "fmt.Println(n)"},
		}}
		p, err := ParseParameter(c.arg)
		if err != nil {
			t.Fatal(err)
		}
		unknown, err := nb.SetParameters([]Parameter{p})
		if err != nil {
			t.Errorf("%s: %v", c.arg, err)
			continue
		}
		if len(nb.Cells) != 4 || !nb.Cells[2].HasTag("injected-parameters") || nb.Cells[2].ID == "" {
			t.Fatalf("%s: no cell tagged injected-parameters behind the parameters cell", c.arg)
		}
		if got := nb.Cells[2].Source; got != "// Parameters\n"+c.want {
			t.Errorf("%s: %s, want %s", c.arg, got, c.want)
		}
		if want := strings.HasPrefix(c.want, "var "); want != (len(unknown) == 1) {
			t.Errorf("%s: unknown names are %q", c.arg, unknown)
		}
		// A second run replaces the cell.
		if _, err := nb.SetParameters([]Parameter{p}); err != nil || len(nb.Cells) != 4 {
			t.Errorf("%s: set again: %d cells, error %v", c.arg, len(nb.Cells), err)
		}
	}
}

// TestJSONParameters: values as a program hands them over say themselves what they are.
func TestJSONParameters(t *testing.T) {
	const cell = "var names []string\nvar at map[int]float64\ntitle, any1 := `t`, any(nil)\nn := 3"
	for _, c := range []struct{ name, json, want string }{
		{"title", `"5"`, `title = "5"`},
		{"any1", `"5"`, `any1 = "5"`},
		{"any1", `null`, `any1 = nil`},
		{"n", `-2`, `n = -2`},
		{"names", `[]`, `names = []string{}`},
		{"names", `["a\"", "b"]`, `names = []string{"a\"", "b"}`},
		{"at", `{"1": 2, "3": {"\u0000float": "nan"}}`, `at = map[int]float64{1: 2, 3: math.NaN()}`},
		{"x", `2.0`, `var x = 2.0`},
		{"x", `{"\u0000float": "-inf"}`, `var x = math.Inf(-1)`},
		{"x", `{"a": [1], "b": 2}`, `var x = map[string]any{"a": []int{1}, "b": 2}`},
		{"x", `null`, `var x any = nil`},
	} {
		got, _, err := Assignments(cell, []Parameter{{Name: c.name, Value: c.json, JSON: true}})
		if err != nil || got != "\n"+c.want {
			t.Errorf("%s %s: %q, error %v, want %s", c.name, c.json, got, err, c.want)
		}
	}
	for _, c := range []struct{ name, json string }{{"names", `{"a": "b"}`}, {"at", `[1]`}, {"n", `1 2`}, {"n", ``}} {
		if got, _, err := Assignments(cell, []Parameter{{Name: c.name, Value: c.json, JSON: true}}); err == nil {
			t.Errorf("%s %s: no error, but %q", c.name, c.json, got)
		}
	}
}

func TestDeclaredParameters(t *testing.T) {
	want := []Declared{
		{"n", "int", "200", "points"}, {"bandwidth", "float64", "1", ""}, {"title", "", "\"it's\" + \" a title\"", ""},
		{"quiet", "bool", "false", ""}, {"seed", "uint64", "42", ""}, {"dim", "int", "2", ""}, {"file", "string", "", ""},
		{"xs", "[]float64", "[]float64{…}", ""}, {"ys", "string", `"y"`, ""}, {"label", "string", `"a"`, ""},
		{"scale", "float64", "2.5", ""}, {"kind", "", `strings.ToLower("A")`, ""}, {"any1", "any", "", ""},
	}
	if got := DeclaredParameters(parametersCell); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestParametersAreGo has Go's own type checker accept the injected statements after the cell, as far as they need no
// import.
func TestParametersAreGo(t *testing.T) {
	cell := "n := 200\nvar bandwidth float64 = 1\ntitle := `t`\nxs := []float64{1}\n"
	nb := &Notebook{Cells: []*Cell{{Type: "code", Source: cell, Metadata: map[string]any{"tags": []any{"parameters"}}}}}
	params := []Parameter{{Name: "n", Value: "3"}, {Name: "bandwidth", Value: "2"}, {Name: "title", Value: "a \"b\" \\ c"},
		{Name: "xs", Value: "[]float64{2, 3}"}, {Name: "extra", Value: "1e3"}, {Name: "raw", Value: "1e3", Raw: true}}
	if _, err := nb.SetParameters(params); err != nil {
		t.Fatal(err)
	}
	src := "package p\nfunc f() {\n" + cell + nb.Cells[1].Source + "\n_, _, _, _, _ = bandwidth, xs, n, extra*0.5, title + raw }"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", src, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil); err != nil {
		t.Errorf("%v\n%s", err, src)
	}
}

func TestParametersWithoutCell(t *testing.T) {
	nb := &Notebook{Minor: 4, Cells: []*Cell{{Type: "code", Source: "fmt.Println(n)"}}}
	unknown, err := nb.SetParameters([]Parameter{{Name: "n", Value: "3"}})
	if err != nil || len(unknown) != 1 || len(nb.Cells) != 2 || nb.Cells[0].Source != "// Parameters\nvar n = 3" {
		t.Errorf("%v, %v, %+v", unknown, err, nb.Cells[0])
	}
	if nb.Cells[0].ID != "" {
		t.Error("a cell id before format 4.5")
	}
}

func TestBadParameters(t *testing.T) {
	for _, s := range []string{"n", "=3", "2n=3", "a b=3", "_=3", "func=3"} {
		if _, err := ParseParameter(s); err == nil || !strings.HasPrefix(err.Error(), "parameter ") {
			t.Errorf("%q: error is %v", s, err)
		}
	}
	nb := &Notebook{Cells: []*Cell{{Type: "code", Source: "n := 1", Metadata: map[string]any{"tags": []any{"parameters"}}}}}
	_, err := nb.SetParameters([]Parameter{{Name: "n", Value: "20 x"}})
	if err == nil || err.Error() != `parameter n: "20 x" is no Go expression` {
		t.Error(err)
	}
}
