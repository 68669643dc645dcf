package export

import (
	"strings"
	"testing"
)

// TestDeclaredAgain runs the program of a notebook that declares again what others hold. What it prints is what the cells print in a
// session, which docs/native.md promises: a body that is declared later reaches all callers.
func TestDeclaredAgain(t *testing.T) {
	p, err := Notebook(t.Context(), "", []Cell{
		{Source: "//go:build windows\nfunc f() int { return 1 }\ng := f\ntable := map[string]func() int{\"f\": f}"},
		{Source: "func f() int { return 2 } // go:build is text here\nfmt.Println(g(), f(), table[\"f\"]())"},
		{Source: "func first[T any, N ~int](x T, n ...N) string { return \"first\" }\nfunc use() string { return first(1, 2) }"},
		{Source: "func first[T any, N ~int](x T, n ...N) string { return fmt.Sprint(\"second \", n) }\nfmt.Println(use(), first(\"a\", 3, 4))"},
		{Source: "type S[T any] struct{ v []T }\nfunc (s *S[T]) Len(more int) int { return len(s.v) + more }\nfunc (s *S[T]) Push(x T) { s.v = append(s.v, x) }\nvar l interface{ Len(int) int } = &S[int]{}"},
		{Source: "S_Len_body := 7\nfunc (s *S[T]) Len(more int) int { return 100 + more }"},
		{Source: "func (s *S[T]) Push(x T) { s.v = append(s.v, x, x) }\nvar s S[string]\ns.Push(\"a\")\nfmt.Println(l.Len(1), S_Len_body, len(s.v))"},
		{Source: "type N int\nvar _ = N(1)"},
		{Source: "type N int64\ntype Q struct{ N }\nfmt.Println(string(must(json.Marshal(Q{2}))))"},
		{Source: "%%capture out\nfmt.Println(\"hi\")"},
		{Source: "%%capture\nfmt.Println(\"unseen\")"},
		{Source: "fmt.Printf(\"%q\\n\", out)"},
		{Source: "%cd /"},
		{Source: "%cd -"},
		{Source: "%env NO_SUCH_VARIABLE", Fails: true},
		{Source: "\ufeffa\u0000b", Text: true},
		{Source: "var (\n\ta = 1 // one\n\t// lead\n\tb = 2\n)"},
		{Source: "fmt.Println(a, b)"},
		{Source: "type W struct{}\nfunc (W) M() int { return 1 }"},
		{Source: "func useW() int { return W{}.M() }"},
		{Source: "func (W) M() string { return \"a\" }"},
		{Source: "func (W) M() string { return \"b\" }\nfmt.Println(useW(), W{}.M())"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, comment := range []string{"// one\n", "// lead\n"} {
		if !strings.Contains(string(p.Source), comment) {
			t.Errorf("the comment %q is lost:\n%s", comment, p.Source)
		}
	}
	if testing.Short() {
		return
	}
	dir := t.TempDir()
	t.Chdir(dir)
	out, _ := built(t, p)()
	want := "2 2 2\nsecond [2] second [3 4]\n101 7 2\n{\"N\":2}\n\"hi\\n\"\n/\n" + dir + "\npanic: there is no environment variable NO_SUCH_VARIABLE\n1 2\n1 b\n"
	if out != want {
		t.Errorf("it printed\n%s\nwant\n%s\n%s", out, want, p.Source)
	}
}

// TestSameBytes exports a notebook with many bodies of one name time and again.
func TestSameBytes(t *testing.T) {
	cells := []Cell{
		{Source: "type P struct{}\ntype Q struct{}\ntype R struct{}\nfunc (P) N() int { return 1 }\nfunc (Q) N() int { return 1 }\nfunc (R) N() int { return 1 }"},
		{Source: "func (P) N() int { return 2 }\nfunc (Q) N() int { return 2 }\nfunc (R) N() int { return 2 }"},
	}
	first := ""
	for range 20 {
		p, err := Notebook(t.Context(), "", cells, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(p.Source)
		}
		if string(p.Source) != first {
			t.Fatalf("one notebook gave\n%s\nand\n%s", first, p.Source)
		}
	}
}

// TestDeferredBeforeValue: what a cell defers runs before its value is shown, as in a session.
func TestDeferredBeforeValue(t *testing.T) {
	p, err := Notebook(t.Context(), "", []Cell{{Source: "xs := []int{1}\ndefer func() { xs[0] = 99 }()\nxs"}}, nil)
	if err != nil || !strings.Contains(string(p.Source), "\tvar values []any\n\tdefer func() { show(values...) }()") {
		t.Errorf("%v\n%s", err, p.Source)
	}
}

// TestNotes: what a program does otherwise than the notebook is said at its cell, and only there.
func TestNotes(t *testing.T) {
	for _, c := range []struct {
		cells []Cell
		want  string
	}{
		{[]Cell{{Source: "type T float64\nt := T(1)\nfmt.Println(t)"}, {Source: "func (t T) String() string { return \"T\" }"}}, "cell [2]: T gets its method String here"},
		{[]Cell{{Source: "type T float64\nvar t T"}, {Source: "func (t T) String() string { return \"T\" }\nfmt.Println(t)"}}, ""},
		{[]Cell{{Source: "type T float64\nfunc (t T) String() string { return \"T\" }\nt := T(1)\nfmt.Println(t)"}, {Source: "func (t T) String() string { return \"U\" }"}}, ""},
		{[]Cell{{Source: "x := 1"}, {Source: "must(strconv.Atoi(\"a\"))\nx := \"new\"", Fails: true}}, "cell [2]: the cell may fail before it declares x again"},
		{[]Cell{{Source: "x := 1"}, {Source: "must(strconv.Atoi(\"a\"))\nx := 2", Fails: true}}, ""},
		{[]Cell{{Source: "log.Fatalf(\"%d\", 1)"}}, "cell [1]: log.Fatalf ends its cell in the notebook, and the whole program"},
		{[]Cell{{Source: "func f() { runtime.Goexit() }"}}, "runtime.Goexit"},
		{[]Cell{{Source: "go func() { panic(1) }()"}}, "a panic in a goroutine"},
		{[]Cell{{Source: "func() { panic(1) }()", Fails: true}}, ""},
		{[]Cell{{Source: "a := bufio.NewScanner(os.Stdin)\nb := bufio.NewScanner(os.Stdin)"}}, "asks for a line each time"},
		{[]Cell{{Source: "a := bufio.NewScanner(os.Stdin)"}}, ""},
		{[]Cell{{Source: "%precision 3"}}, "does not change in the program"},
		{[]Cell{{Source: "%bench math.Sqrt(2)"}}, "its measurements one by one"},
		{[]Cell{{Source: "import \"gaucho/stdlib/widgets\"\nwidgets.Interact(func(n int) int { return n })"}}, "Nobody moves widgets"},
		{[]Cell{{Source: "%timeit math.Sqrt(2)"}}, ""},
	} {
		p, err := Notebook(t.Context(), "", c.cells, nil)
		if err != nil {
			t.Errorf("%v: %v", c.cells, err)
			continue
		}
		got := strings.Join(p.Notes, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v has the notes %q, want %q", c.cells, got, c.want)
		}
	}
}
