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

// TestStale: the session's cells are those that package depend is told of, whose tests have the rules.
func TestStale(t *testing.T) {
	s, _ := startTest(t)
	got, why := staleNumbers(t, s, "x := 1", "y := x + 1", "y * 2", "x := 5")
	if !slices.Equal(got, []int{2, 3}) || !strings.Contains(strings.Join(why, "\n"), "y is from In [2], which is stale") {
		t.Errorf("stale are %v (%q)", got, why)
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
