package interp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// staleNumbers runs cells, which fail if they panic, and returns the numbers of those that are stale then, less than 0 for those that
// may be.
func staleNumbers(t *testing.T, s *Session, cells ...string) (numbers []int, why []string) {
	t.Helper()
	for i, src := range cells {
		if res := s.Execute(t.Context(), Cell{ID: fmt.Sprint(i + 1), Number: i + 1, Source: src}); res.Err != nil != strings.Contains(src, "panic(") {
			t.Fatalf("%s: %v", src, res.Err)
		}
	}
	for _, st := range s.staleCells() {
		n := st.Run.Cell.Number
		if st.Unknown {
			n = -n
		}
		numbers = append(numbers, n)
		why = append(why, st.Why)
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
		"method in interface": {cells: []string{"type P struct{}\nfunc (p P) M() int { return 1 }\ntype I interface{ M() int }\nvar i I = P{}", "i.M()", "func (p P) M() int { return 2 }"}, want: []int{-2}, why: "through an interface may be one of P.M"},
		"interface that sets": {cells: []string{"type C struct{ n int }\nfunc (c *C) Inc() { c.n++; total++ }\nvar total int\ntype I interface{ Inc() }\nvar i I = &C{}", "total", "i", "i.Inc()"}, want: []int{-2, -3}},
		"shared slice":        {cells: []string{"xs := []int{1, 2}", "part := xs[:1]", "xs[0]", "part[0] = 3"}, want: []int{-2, -3, -4}, why: "it may share memory with part"},
		"pointer":             {cells: []string{"x := 1", "p := &x", "x", "*p = 5"}, want: []int{-2, -3, -4}},
		"made from it":        {cells: []string{"xs := []int{1, 2}\nfunc same(a []int) []int { return a }", "ys := same(xs)", "xs[0]", "ys[0] = 5"}, want: []int{-2, -3, -4}},
		"another value":       {cells: []string{"xs := []int{1, 2}", "part := xs[:1]", "xs[0]", "part = nil"}},
		"failed on the way":   {cells: []string{"x := 1", "x", "x = 2\npanic(1)"}, want: []int{-2}, why: "it failed"},
		"library method":      {cells: []string{"r := rand.New(rand.NewPCG(1, 2))", "r.IntN(5)", "r.IntN(6)"}, want: []int{-2, -3}, why: "the method IntN may change it"},
		"method":              {cells: []string{"type P struct{ n int }\nfunc (p P) M() int { return 1 }", "P{}.M()", "func (p P) M() int { return 2 }"}, want: []int{2}, why: "In [3] declared P.M again"},
		"type":                {cells: []string{"type P struct{ n int }", "p := P{1}", "type P struct{ n, m int }"}, want: []int{2}, why: "In [3] declared P again"},
		"earlier self":        {cells: []string{"x := 1", "x := x + 1", "x"}},
		"pointer method":      {cells: []string{"var b strings.Builder", "b.String()", "b.WriteString(\"x\");"}, want: []int{2}},
		"address":             {cells: []string{"var n int", "n + 1", "fmt.Sscan(\"3\", &n)"}, want: []int{2}},
		"read through a name": {cells: []string{"var b strings.Builder", "b.String()", "b.Len()"}},
		"shown writer":        {cells: []string{"var b strings.Builder", "b.Len()", "b.WriteString(\"x\")"}, want: []int{2}, why: "In [3] changed b"},
		"unmarshal alone":     {cells: []string{"v := map[string]int{}", "len(v)", "json.Unmarshal([]byte(`{\"a\":1}`), &v)"}, want: []int{2}, why: "In [3] changed v"},
		"within must":         {cells: []string{"v := map[string]int{}", "len(v)", "must0(json.Unmarshal([]byte(`{\"a\":1}`), &v))"}, want: []int{2}, why: "In [3] changed v"},
		"delete":              {cells: []string{"m := map[string]int{\"a\": 1}", "len(m)", "delete(m, \"a\")"}, want: []int{2}, why: "In [3] changed m"},
		"clear":               {cells: []string{"m := map[string]int{\"a\": 1}", "len(m)", "clear(m)"}, want: []int{2}, why: "In [3] changed m"},
		"copy":                {cells: []string{"s := []int{1, 2}", "s[0]", "copy(s, []int{9})"}, want: []int{2}, why: "In [3] changed s"},
		"copy to a part":      {cells: []string{"s := []int{1, 2}", "s[0]", "n := copy(s[1:], []int{9})"}, want: []int{2}},
		"send":                {cells: []string{"c := make(chan int, 3)", "len(c)", "c <- 1"}, want: []int{2}, why: "In [3] changed c"},
		"receive":             {cells: []string{"c := make(chan int, 3); c <- 1", "len(c)", "v := <-c"}, want: []int{2}},
		"sort":                {cells: []string{"xs := []int{2, 1}", "xs[0]", "sort.Ints(xs)"}, want: []int{2}},
		"slices":              {cells: []string{"xs := []int{2, 1}", "xs[0]", "slices.Sort(xs)"}, want: []int{2}},
		"slices.Delete":       {cells: []string{"xs := []int{2, 1}", "xs[0]", "ys := slices.Delete(xs, 0, 1)"}, want: []int{2}},
		"prints":              {cells: []string{"xs := []int{2, 1}", "xs[0]", "fmt.Println(xs)"}},
		"function variable":   {cells: []string{"x := 1", "inc := func() { x++ }", "x", "inc()"}, want: []int{3}},
		"not yet called":      {cells: []string{"x := 1", "x", "inc := func() { x++ }"}},
		"method value":        {cells: []string{"type C struct{ n int }\nfunc (c *C) Inc() { total++ }\nvar total int\nvar c C", "total", "f := c.Inc", "f()"}, want: []int{2}},
		"own pointer method":  {cells: []string{"type C struct{ n int }\nfunc (c *C) Inc() int { c.n++; return c.n }\nfunc (c *C) N() int { return c.n }\nvar c C", "c.n", "c.N()", "c.Inc()"}, want: []int{2, 3}},
		"own function":        {cells: []string{"type C struct{ n int }\nvar c, d C\nfunc bump(c *C) int { c.n++; return c.n }\nfunc twice(c *C) int { bump(c); return bump(c) }\nfunc look(c *C) int { return c.n }", "c.n", "d.n", "look(&d)", "twice(&c)"}, want: []int{2}},
		"embedded":            {cells: []string{"type B struct{ n int }\ntype D struct{ B }\nfunc (b *B) Inc() { b.n++ }\nvar d D", "d.n", "d.Inc()"}, want: []int{2}},
		"range over a local":  {cells: []string{"g := [][]int{{1}}", "g[0][0]", "for _, row := range g { row[0] = 2 }"}, want: []int{2}},
		"failed":              {cells: []string{"src := 1", "d := src * 10\npanic(\"the plot failed\")", "e := d + 1", "src = 2"}, want: []int{2, 3}},
		"failed before":       {cells: []string{"src := 1", "d := src", "panic(1)\nd := 3", "src + d"}},
		"run again":           {cells: []string{"x := 1", "x + 1", "x = 2", "x + 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := startTest(t)
			got, why := staleNumbers(t, s, c.cells...)
			if !slices.Equal(got, c.want) {
				t.Fatalf("stale are %v (%q), want %v", got, why, c.want)
			}
			if c.why != "" && !strings.Contains(strings.Join(why, "\n"), c.why) {
				t.Errorf("why %q, want %q", why, c.why)
			}
		})
	}
}

func TestRerun(t *testing.T) {
	s, out := startTest(t)
	staleNumbers(t, s, "x := 1", "y := 10 * x", "fmt.Println(\"y is\", y)", "x := 2")
	res := s.Execute(context.Background(), Cell{ID: "5", Number: 5, Source: "%rerun"})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	text := out.of("5").String()
	if !strings.Contains(text, "In [2]: y := 10 * x\n") || !strings.Contains(text, "y is 20\n") {
		t.Errorf("printed %q", text)
	}
	if list := s.staleCells(); len(list) > 0 {
		t.Errorf("still stale: %v", list)
	}
}

// startTest starts a session that ends with the test.
func startTest(t *testing.T) (*Session, *transcript) {
	t.Helper()
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Dir: t.TempDir()})
	return s, r
}
