package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"testing"

	"gaucho/interp/engine"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

type library struct{ *symbols.Importer }

func (library) Source(path string) map[string]string { return symbols.Source(path) }
func (library) Has(path, name string) bool           { return symbols.Has(path, name) }
func (library) Asserts(path string) bool             { return symbols.Asserts(path) }
func (library) Module(path string) *modules.Package  { return nil }

// program type-checks a whole program as a part.
func program(t *testing.T, lib library, src string) *engine.Part {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "c1", "package main\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	conf := types.Config{Importer: lib, Sizes: symbols.Sizes()}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	p := &engine.Part{Cell: 1, Fset: fset, Pkg: pkg, Info: info, Program: true}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			p.Funcs = append(p.Funcs, fd)
		}
	}
	return p
}

func lowered(t *testing.T, src string) (*engine.Unit, error) {
	t.Helper()
	lib := library{symbols.NewImporter()}
	return New(lib).Part(program(t, lib, src))
}

// TestRefusals: what cannot be made right is refused, with words that name it.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"import \"encoding/gob\"\ntype P struct{ X int }\nfunc main() { gob.Register(P{}) }", "encoding/gob"},
		{"import \"encoding/xml\"\ntype P struct{ X int }\nfunc main() { xml.Marshal(P{}) }", "encoding/xml"},
		{"import \"reflect\"\ntype P struct{ X int }\nfunc main() { reflect.ValueOf(P{}) }", "reflect.ValueOf"},
		{"import \"runtime\"\ntype P struct{ X int }\nfunc main() { runtime.SetFinalizer(&P{}, func(*P) {}) }", "runtime.SetFinalizer"},
		{"import \"unsafe\"\nfunc main() { x := 1; p := unsafe.Pointer(&x); _ = p }", "unsafe.Pointer"},
		{"import \"runtime\"\nfunc main() { runtime.Caller(0) }", "runtime.Caller"},
		{"func f() int\nfunc main() { f() }", "a function without a body"},
		{"import \"flag\"\ntype level int\nfunc (*level) UnmarshalText([]byte) error { return nil }\nfunc (level) MarshalText() ([]byte, error) { return nil, nil }\nfunc main() { var l level; flag.TextVar(&l, \"l\", l, \"\") }", "flag.TextVar with a type of a cell"},
		{"import \"flag\"\ntype level int\nfunc (*level) UnmarshalText([]byte) error { return nil }\nfunc (level) MarshalText() ([]byte, error) { return nil, nil }\nfunc main() { var l level; flag.NewFlagSet(\"\", 0).TextVar(&l, \"l\", l, \"\") }", "flag.TextVar with a type of a cell"},
		{"import \"encoding/asn1\"\ntype P struct{ X int }\nfunc main() { asn1.Marshal(P{}) }", "encoding/asn1 with a type of a cell"},
		{"import \"encoding/asn1\"\nfunc main() { f := asn1.Unmarshal; _ = f }", "asn1.Unmarshal used as a value"},
		{"import \"log\"\nfunc main() { log.SetFlags(log.Lshortfile) }", "log.Lshortfile"},
		{"import \"runtime/debug\"\nfunc main() { debug.Stack() }", "runtime/debug.Stack"},
		{"import \"net/rpc\"\ntype P struct{ X int }\nfunc main() { rpc.Register(&P{}) }", "net/rpc"},
	} {
		_, err := lowered(t, c.src)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot %v, want a refusal of %s", c.src, err, c.want)
		}
	}
}

// TestText: what yaegi gets wrong is not in the emitted text.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, src, with, without string }{
		{"methods are functions", "type P struct{ x int }\nfunc (p P) M() int { return p.x }\nfunc main() { println(P{1}.M()) }", "func f_PǃM_1(Lp_1 t_.S1) int", "type "},
		{"named results are variables", "func f() (r int) { r = 2; return }\nfunc main() { f() }", "return Lr_1", "(Lr_1 int)"},
		{"recursive types have names", "type S func(int) S\nfunc main() { var s S; _ = s }", "t_.R1", ""},
		{"generics are instances", "func id[T any](x T) T { return x }\nfunc main() { id(1); id(\"a\") }", "func f_id_1_2(Lx_1 string) string", "["},
		{"variadic calls pass slices", "func f(xs ...any) {}\nfunc main() { f([]any{1}) }", "f_f_1([]any{0: []any{1}}...)", ""},
		{"variables of packages are behind pointers", "import \"os\"\nfunc main() { os.Args = nil }", "*q_os_Args", "p_os.Args"},
		{"literals do not become a variable's storage", "type P struct{ X int }\nfunc main() { p := P{1}; q := &p; p = P{2}; _ = q }", "Lp_1 = Lt_1", "Lp_1 = t_.S1{"},
		{"slices of channels are not received from", "func main() { for _, c := range []chan int{} { _ = c } }", "Lx_1[Li_1]", ""},
	} {
		u, err := lowered(t, c.src)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.Contains(u.Text, c.with) || c.without != "" && strings.Contains(u.Text, c.without) {
			t.Errorf("%s: want %q, not %q, in\n%s", c.name, c.with, c.without, u.Text)
		}
	}
}

// TestRollback: a part that is taken back leaves nothing that a later one relies on.
func TestRollback(t *testing.T) {
	lib := library{symbols.NewImporter()}
	src := "import \"fmt\"\ntype P struct{ X *P }\nfunc (p P) String() string { return \"p\" }\nfunc main() { fmt.Println(P{}, min(1, len(\"a\"))) }"
	s := New(lib)
	mark := s.Snapshot()
	first, err := s.Part(program(t, lib, src))
	if err != nil {
		t.Fatal(err)
	}
	s.Rollback(mark)
	second, err := s.Part(program(t, lib, src))
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Types) != len(second.Types) {
		t.Errorf("after Rollback the part has %d types, and not %d", len(second.Types), len(first.Types))
	}
	// What the engine may have kept of the first one has other names.
	for _, name := range regexp.MustCompile(`\b(func [fch]_[^(]+|t_\.[SD]\d+)`).FindAllString(first.Text, -1) {
		if regexp.MustCompile(regexp.QuoteMeta(name) + `\b[^_]`).MatchString(second.Text) {
			t.Errorf("after Rollback the part mentions %s again:\n%s", name, second.Text)
		}
	}
	for _, w := range second.Types {
		for _, old := range first.Types {
			if w.ID == old.ID {
				t.Errorf("after Rollback type %d has its number again", w.ID)
			}
		}
	}
	third, err := s.Part(program(t, lib, src))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(third.Text, "import ") {
		t.Errorf("a later part imports again:\n%s", third.Text)
	}
}

func BenchmarkPart(b *testing.B) {
	lib := library{symbols.NewImporter()}
	src := `import ("fmt"; "strings"; "sort")
type P struct{ Name string; Age int }
func (p P) String() string { return fmt.Sprintf("%s:%d", p.Name, p.Age) }
func oldest(ps []P) (o P) {
	for _, p := range ps {
		if p.Age > o.Age { o = p }
	}
	return
}
func main() {
	ps := []P{{"a", 3}, {"b", 5}}
	sort.Slice(ps, func(i, j int) bool { return ps[i].Age < ps[j].Age })
	fmt.Println(oldest(ps), strings.Repeat("x", 3))
	m := map[string]int{}
	for i := range 10 { m[fmt.Sprint(i)] = i * i }
	fmt.Println(len(m))
}`
	t := &testing.T{}
	for b.Loop() {
		b.StopTimer()
		p := program(t, lib, src)
		s := New(lib)
		b.StartTimer()
		if _, err := s.Part(p); err != nil {
			b.Fatal(err)
		}
	}
}
