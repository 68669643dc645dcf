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
