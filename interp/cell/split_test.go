package cell

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	names := map[chunkKind]string{ImportChunk: "import", constChunk: "const", VarChunk: "var", TypeChunk: "type",
		FuncChunk: "func", StmtChunk: "stmt", MagicChunk: "magic"}
	tests := []struct {
		src  string
		want []string
	}{
		{"", nil},
		{"x := 1", []string{"stmt x := 1"}},
		{"x := 1;", []string{"stmt x := 1 ;"}},
		{"x := 1; y := 2\ny", []string{"stmt x := 1 ;", "stmt y := 2", "stmt y"}},
		{"// only\n/* comments */", nil},
		{"import \"fmt\"\nfmt.Println(1) // one", []string{"import import \"fmt\"", "stmt fmt.Println(1)"}},
		{"func f() {\n}\nfunc() { f() }()", []string{"func func f() {\n}", "stmt func() { f() }()"}},
		{"func (p *P) M(x int) int { return x }\nfunc(x int) int { return x }(3)",
			[]string{"func func (p *P) M(x int) int { return x }", "stmt func(x int) int { return x }(3)"}},
		{"%time f()\nx", []string{"magic %time f()\n", "stmt x"}},
		{"!echo it's \\\n  two\nx", []string{"magic !echo it's \\\n  two\n", "stmt x"}},
		{"s := `\n%time\n!ls\n`\ns", []string{"stmt s := `\n%time\n!ls\n`", "stmt s"}},
		{"f(a,\n  !b,\n)", []string{"stmt f(a,\n  !b,\n)"}},
		{"x = 5 \\", []string{"stmt x = 5 \\"}},
		{"outer:\nfor {\n}", []string{"stmt outer:\nfor {\n}"}},
		{"if x {\n} else {\n}\ny", []string{"stmt if x {\n} else {\n}", "stmt y"}},
		{"for i := 0; i < 3; i++ { f(); g() }; x", []string{"stmt for i := 0; i < 3; i++ { f(); g() } ;", "stmt x"}},
		{"if x := f(); x > 0 {\n} else if y := g(); y {\n}\nx", []string{"stmt if x := f(); x > 0 {\n} else if y := g(); y {\n}", "stmt x"}},
		{"for ;; {\n}", []string{"stmt for ;; {\n}"}},
		{"switch x := f(P{1}); x {\n}", []string{"stmt switch x := f(P{1}); x {\n}"}},
		{"func f() {", []string{"func func f() {"}},
		{"type (\n A int\n B string\n)", []string{"type type (\n A int\n B string\n)"}},
		{"x := 7 % 2\n\tx", []string{"stmt x := 7 % 2", "stmt x"}},
		{"a\n;", []string{"stmt a ;"}},
		{"if v, ok := map[string]int{\"a\": 1}[\"a\"]; ok {\n}; x", []string{"stmt if v, ok := map[string]int{\"a\": 1}[\"a\"]; ok {\n} ;", "stmt x"}},
		{"if err := func() error {\n\treturn nil\n}(); err == nil {\n} else if e := g(P{1}); e {\n}\ny", []string{
			"stmt if err := func() error {\n\treturn nil\n}(); err == nil {\n} else if e := g(P{1}); e {\n}", "stmt y"}},
		{"for p := []int{3}; len(p) > 0; p = p[1:] { f(); g() }; if x { a }; b", []string{
			"stmt for p := []int{3}; len(p) > 0; p = p[1:] { f(); g() } ;", "stmt if x { a } ;", "stmt b"}},
		{"outer: switch m := map[int]string{1: \"x\"}; m[1] { case \"x\": f(); g() }; y", []string{
			"stmt outer: switch m := map[int]string{1: \"x\"}; m[1] { case \"x\": f(); g() } ;", "stmt y"}},
		{"if x { + ; y }\nz", []string{"stmt if x { + ; y }", "stmt z"}},
		{"x := 1\n/* open\ny", []string{"stmt x := 1", "stmt /* open\ny"}},
		{"x := 1 /* open\ny", []string{"stmt x := 1", "stmt /* open\ny"}},
		{"func(a int) Pair[int] { return Pair[int]{a} }(1)", []string{"stmt func(a int) Pair[int] { return Pair[int]{a} }(1)"}},
		{"func(a int) Pair[int] {\n}(1)\nfunc (p P) M[T any](x T) {}", []string{"stmt func(a int) Pair[int] {\n}(1)", "func func (p P) M[T any](x T) {}"}},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range Split(tt.src) {
			s := names[c.Kind] + " " + tt.src[c.Start:c.End]
			if c.silenced {
				s += " ;"
			}
			got = append(got, s)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("split(%q) =\n\t%s\nwant\n\t%s", tt.src, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
	}
}
