package interp

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTimeitEnds: an interrupt and a panic end what package testing runs in a goroutine of its own, and nothing else.
func TestTimeitEnds(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, "kept := 42")
	for _, source := range []string{
		"%timeit time.Sleep(time.Hour)", "%timeit for {}", "%bench for {}",
		"testing.Benchmark(func(b *testing.B) { defer func() { recover() }(); for {} })",
		"strings.Map(func(r rune) rune { for {} }, \"x\")",
		"testing.AllocsPerRun(1, func() { for {} })",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		res := s.Execute(ctx, Cell{ID: "2", Number: 2, Source: source})
		cancel()
		if res.Err == nil || res.Err.Name != "Interrupt" {
			t.Errorf("%s: %v, want an interrupt", source, res.Err)
		}
	}
	res := s.Execute(t.Context(), Cell{ID: "3", Number: 3, Source: "%timeit []int{}[kept] = 1"})
	if res.Err == nil || res.Err.Value != "the statement failed" {
		t.Errorf("a panic: %v", res.Err)
	}
	if text := out.of("3").String(); !strings.Contains(text, "index out of range") {
		t.Errorf("a panic prints %q", text)
	}
	mustShow(t, s, "kept", "42")
}

// TestMeasuredLines: a magic that measures a line reports it wherever the line stands, and the cell's result is that of its last line.
func TestMeasuredLines(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, "xs := []int{3, 1, 2}\nfunc fa() int { return 1 }")
	for i, c := range []struct{ source, words, result string }{
		{"%timeit fa()\nfmt.Println(\"x\")", "x\n", ""},
		{"%time len(xs)\nxs[2]", "Wall time", "2"},
		{"%timeit fa()\n%timeit slices.Min(xs)", "/op", ""},
		{"%timeit fmt.Sprint(1)\nxs[0]", "/op", "3"},
		{"%time len(xs)\nfmt.Println(\"x\")", "Wall time", ""},
		{"%time len(xs)\n%time cap(xs)", "Wall time", "3"},
		{"%time xs[0]+xs[1]\nxs[1]", "Wall time", "1"},
	} {
		if testing.Short() && i > 1 && strings.HasPrefix(c.source, "%timeit") {
			continue // it takes a second
		}
		id := fmt.Sprint("m", i)
		res := s.Execute(t.Context(), Cell{ID: id, Number: i + 2, Source: c.source})
		shown := ""
		if res.Display != nil {
			shown = fmt.Sprint(res.Display.Data["text/plain"])
		}
		if text := out.of(id).String(); res.Err != nil || shown != c.result || !strings.Contains(text, c.words) {
			t.Errorf("%s\n%v, result %q, prints %q", c.source, res.Err, shown, text)
		}
	}
}

// TestLoadMagic: a file is looked for where cells work.
func TestLoadMagic(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, "!mkdir sub && echo \"x := 1\" > sub/a.go")
	mustRun(t, s, 2, "%cd sub")
	res := s.Execute(t.Context(), Cell{ID: "3", Number: 3, Source: "%load a.go"})
	if res.Err != nil || res.Replace == nil || *res.Replace != "x := 1\n" {
		t.Errorf("%v, %v", res.Err, res.Replace)
	}
}

// TestMagicAdvice: what is wrong with a magic is said, with what to do instead.
func TestMagicAdvice(t *testing.T) {
	s, _ := startTest(t)
	for source, want := range map[string]string{
		"%timeit":          "%timeit needs an argument: write %timeit statement",
		"%timeit -n 3 f()": "%timeit has no flag -n: write %timeit statement",
		"%who int":         "%who takes no argument",
		"%reset x":         "%reset takes no argument",
		"%%time":           "%%time needs the lines of its cell below it",
		"%%prof -r\n1":     "%%prof has no flag -r: write %%prof",
		"%prof":            "Did you mean %%prof, at the head of the cell?",
		"1\n%%prof":        "%%prof must be the first line of its cell",
		"%%html\n<b>":      "display.HTML(`...`) as the last expression shows it.",
		"%mkdir a":         "!mkdir runs the command.",
		"%":                "% needs the name of a magic",
		"!!ls":             "a command begins with one !",
		"help(1)":          "%doc NAME shows a name's documentation",
		"None":             "In Go it is nil.",
		"%env NO_SUCH_ONE": "there is no environment variable NO_SUCH_ONE",
		"%cd -":            "there was none",
	} {
		res := s.Execute(t.Context(), Cell{ID: "1", Number: 1, Source: source})
		if res.Err == nil || !strings.Contains(strings.Join(res.Err.Traceback, "\n"), want) {
			t.Errorf("%q: %v, want %s", source, res.Err, want)
		}
	}
	mustRun(t, s, 2, "%reset -f")
	mustRun(t, s, 3, "%env MAGIC_A 5 6")
	mustShow(t, s, `os.Getenv("MAGIC_A")`, "5 6")
}

// TestForeignGoroutine: an interrupt ends a goroutine of compiled code that runs a cell's function, without a crash.
func TestForeignGoroutine(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, "var turns atomic.Int64")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	res := s.Execute(ctx, Cell{ID: "2", Number: 2, Source: `server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { for { turns.Add(1) } }))
once := sync.OnceFunc(func() { for { turns.Add(1) } })
go once()
http.Get(server.URL)`})
	if res.Err == nil || res.Err.Name != "Interrupt" {
		t.Fatal(res.Err)
	}
	mustShow(t, s, "time.Sleep(50*time.Millisecond); n := turns.Load(); time.Sleep(20*time.Millisecond); turns.Load() - n", "0")
}
