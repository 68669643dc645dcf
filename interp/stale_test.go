package interp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// staleNumbers runs cells and returns the numbers of those that are stale then.
func staleNumbers(t *testing.T, s *Session, cells ...string) (numbers []int, why []string) {
	t.Helper()
	for i, src := range cells {
		if res := s.Execute(t.Context(), Cell{ID: fmt.Sprint(i + 1), Number: i + 1, Source: src}); res.Err != nil {
			t.Fatalf("%s: %v", src, res.Err)
		}
	}
	for _, st := range s.staleCells() {
		numbers = append(numbers, st.Run.Cell.Number)
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
		"method":              {cells: []string{"type P struct{ n int }\nfunc (p P) M() int { return 1 }", "P{}.M()", "func (p P) M() int { return 2 }"}, want: []int{2}, why: "In [3] declared P.M again"},
		"type":                {cells: []string{"type P struct{ n int }", "p := P{1}", "type P struct{ n, m int }"}, want: []int{2}, why: "In [3] declared P again"},
		"earlier self":        {cells: []string{"x := 1", "x := x + 1", "x"}},
		"pointer method":      {cells: []string{"var b strings.Builder", "b.String()", "b.WriteString(\"x\");"}, want: []int{2}},
		"address":             {cells: []string{"var n int", "n + 1", "fmt.Sscan(\"3\", &n)"}, want: []int{2}},
		"read through a name": {cells: []string{"var b strings.Builder", "b.String()", "b.Len()"}},
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
