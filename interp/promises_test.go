package interp

import (
	"strings"
	"testing"
	"time"
)

// TestListWithError: a list shows all its values, an error with a name too; the result of a call that is one still fails its cell.
func TestListWithError(t *testing.T) {
	s, r := startTest(t)
	runCell(s, r, 1, "x, err := strconv.Atoi(\"q\")\ntwo := func() (int, error) { return 7, err }")
	if got := runCell(s, r, 2, "x, err"); !strings.HasPrefix(got, "= 0\n") || !strings.Contains(got, "invalid syntax") || strings.Contains(got, "! ") {
		t.Errorf("a list shows %q", got)
	}
	if got := runCell(s, r, 3, "two()"); !strings.Contains(got, "! ") {
		t.Errorf("a call that returns an error shows %q", got)
	}
}

// TestPanicInGoroutine: the panic of a goroutine ends a program as it ends one of Go, whose deferred functions are not called.
func TestPanicInGoroutine(t *testing.T) {
	inBothEngines(t, func(t *testing.T, s *Session, r *transcript) {
		const program = `package main
import ("fmt"; "time")
func inner() { defer fmt.Println("deferred by inner"); time.Sleep(100*time.Millisecond); for { time.Sleep(time.Millisecond) } }
func main() {
	defer fmt.Println("deferred by main")
	defer func() { fmt.Println("recovered", recover()) }()
	fmt.Println("begins")
	go func() {
		defer fmt.Println("deferred by the goroutine")
		panic("in a goroutine")
	}()
	inner()
}`
		began := time.Now()
		res := s.Execute(t.Context(), Cell{ID: "p", Number: 1, Source: program, Program: true})
		if res.Err == nil || !strings.Contains(res.Err.Value, "in a goroutine") {
			t.Errorf("it ended with %v", res.Err)
		}
		if got, want := r.of("p").String(), "begins\ndeferred by the goroutine\n"; got != want {
			t.Errorf("it printed %q, want %q", got, want)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("it took %s", took)
		}
		if got := runCell(s, r, 2, "type GG[T any] struct{ V T }\ntype M struct{}\nfmt.Sprintf(\"%T %T\", GG[M]{}, []GG[GG[M]]{})"); got != "= \"main.GG[main.M] []main.GG[main.GG[main.M]]\"\n" {
			t.Errorf("names of types are %s", got)
		}
	})
}

// TestSubtestsThatMatch: %test takes the patterns that go test -run takes.
func TestSubtestsThatMatch(t *testing.T) {
	s, r := startTest(t)
	runCell(s, r, 1, `func TestSub(t *testing.T) { for _, n := range []string{"a", "b"} { t.Run(n, func(t *testing.T) { fmt.Println("ran", n) }) } }
func TestOther(t *testing.T) { t.Run("a", func(t *testing.T) { fmt.Println("ran other") }) }`)
	n := 1
	for pattern, want := range map[string]string{
		"Sub/a": "ran a", "Sub/[ab]": "ran a,ran b", "Sub/(a|c)": "ran a", "Sub/b|Other": "ran b,ran other", "Other/b": "", "/a": "ran a,ran other", "^TestSub$": "ran a,ran b",
	} {
		var ran []string
		n++
		for line := range strings.Lines(runCell(s, r, n, "%test "+pattern)) {
			if strings.HasPrefix(line, "ran") {
				ran = append(ran, strings.TrimSpace(line))
			}
		}
		if got := strings.Join(ran, ","); got != want {
			t.Errorf("%%test %s: %q, want %q", pattern, got, want)
		}
	}
}
