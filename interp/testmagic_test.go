package interp

import (
	"fmt"
	"strings"
	"testing"
)

func TestTestMagic(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, `func double(n int) int { return 2 * n }
func TestDouble(t *testing.T) {
	for _, n := range []int{1, 2} {
		t.Run(fmt.Sprint("n=", n), func(t *testing.T) {
			fmt.Println("printed by", n)
			if double(n) != 2*n { t.Errorf("wrong") }
		})
	}
}
func TestBroken(t *testing.T) {
	t.Log("a word")
	t.Run("sub", func(t *testing.T) { t.Fatalf("got %d", double(2)) })
	t.Run("panics", func(t *testing.T) { var xs []int; _ = xs[double(1)] })
}
func TestSkipped(t *testing.T) { t.Skip("not now") }
func Testing(t *testing.T) { panic("no test") }
func ExampleDouble() {
	fmt.Println(double(4))
	// Output: 8
}
func ExampleWrong() {
	fmt.Println("a")
	// Output: b
}
func BenchmarkDouble(b *testing.B) { for b.Loop() { double(1) } }`)
	res := s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: "%test"})
	if res.Err == nil || res.Err.Name != "TestFailure" || res.Err.Value != "2 of 6 failed: TestBroken, ExampleWrong" {
		t.Errorf("ended with %v", res.Err)
	}
	text := out.of("2").String()
	at := 0
	for _, want := range []string{
		"=== RUN   TestDouble\n", "=== RUN   TestDouble/n=1\n", "printed by 1\n", "=== RUN   TestDouble/n=2\n", "printed by 2\n", "--- PASS: TestDouble (",
		"    --- PASS: TestDouble/n=1 (", "=== RUN   TestBroken\n", "\n    a word\n", "\n    got 4\n", "panic: runtime error: index out of range",
		"Cell [1], line 13", "--- FAIL: TestBroken (", "--- FAIL: TestBroken/sub (", "--- FAIL: TestBroken/panics (", "--- SKIP: TestSkipped (",
		"=== RUN   ExampleDouble\n--- PASS: ExampleDouble (", "--- FAIL: ExampleWrong (", "got:\na\nwant:\nb\n", "FAIL\n",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q in order in\n%s", want, text)
		}
		at += i
	}
	mustRun(t, s, 3, "double(21)") // the worker lives
	if res := s.Execute(t.Context(), Cell{ID: "4", Number: 4, Source: "%test Double"}); res.Err != nil {
		t.Error(res.Err)
	}
	if text := out.of("4").String(); !strings.HasSuffix(text, "PASS\n") || strings.Contains(text, "Broken") ||
		!strings.Contains(text, "BenchmarkDouble") || !strings.Contains(text, "ns/op") || !strings.Contains(text, "allocs/op") {
		t.Errorf("printed %s", text)
	}
}

// TestShort: -short has testing.Short report true, as for go test, and does so for that run alone.
func TestShort(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, `func TestLong(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test")
	}
}`)
	for i, c := range []struct{ magic, want string }{
		{"%test -short Long", "--- SKIP: TestLong"}, {"%test Long", "--- PASS: TestLong"}, {"%test -short", "--- SKIP: TestLong"},
	} {
		id := fmt.Sprint(i + 2)
		if res := s.Execute(t.Context(), Cell{ID: id, Number: i + 2, Source: c.magic}); res.Err != nil {
			t.Error(res.Err)
		}
		if text := out.of(id).String(); !strings.Contains(text, c.want) {
			t.Errorf("%s printed %s", c.magic, text)
		}
	}
}

func TestTestMagicWithoutTests(t *testing.T) {
	s, _ := startTest(t)
	res := s.Execute(t.Context(), Cell{ID: "1", Number: 1, Source: "%test"})
	if res.Err == nil || !strings.Contains(fmt.Sprint(res.Err), "there is no func") {
		t.Error(res.Err)
	}
}
