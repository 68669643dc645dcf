package interp

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestPsMagic(t *testing.T) {
	s, out := startTest(t)
	psMagic(t, s, out)
}

func TestPsMagicNative(t *testing.T) {
	out := &transcript{}
	psMagic(t, startNative(t, out), out)
}

// psMagic leaves goroutines behind that wait and work in all ways, and ends them one by one.
func psMagic(t *testing.T, s *Session, out *transcript) {
	cell := 0
	run := func(source string) string {
		t.Helper()
		cell++
		mustRun(t, s, cell, source)
		return out.of(fmt.Sprint(cell)).String()
	}
	// until waits for goroutines that have not come so far yet.
	until := func(source, pattern string) {
		t.Helper()
		text := ""
		for range 100 {
			cell = 100
			out.of("101").Reset()
			if text = run(source); regexp.MustCompile("^(?:" + pattern + ")$").MatchString(text) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatalf("%s prints\n%s, want\n%s", source, text, pattern)
	}
	const none = "No cell has left a goroutine.\n"
	if text := run("%ps"); text != none {
		t.Errorf("at first: %s", text)
	}
	run(`c, turns := make(chan int), [8]atomic.Int64{}
var wg sync.WaitGroup
wg.Add(1)
ended := make(chan string, 10)
for range 3 { go func() { <-c }() }
go func() {
	defer func() { ended <- "sleeper" }()
	for { time.Sleep(time.Hour) }
}()
go func() {
	for i := 0; ; i++ { turns[0].Store(int64(i)) }
}()
go func() {
	never := make(chan string)
	for turns[2].Load() == 0 { time.Sleep(time.Millisecond) }
	go func() { <-ctx.Done(); ended <- "child" }()
	select { case <-c: case s := <-never: ended <- s }
}()
go func() { <-ctx.Done(); ended <- "own context" }()
go func() { wg.Wait(); for { turns[1].Add(1) } }()
go func() { exec.Command("sleep", "1000").Run(); ended <- "subprocess" }()
turns[2].Store(1)`)
	until("%ps", `In \[2\]  2\.1 to 2\.3 +3 goroutines  waits to receive.*
(?s:.*)In \[2\]  2\.4 +1 goroutine +sleeps.*
In \[2\]  2\.5 +1 goroutine +runs at line \d+.*
(?s:.*)
In \[2\]  2\.8 +1 goroutine +waits for a WaitGroup(?s:.*)
In \[2\]  2\.10 +1 goroutine (?s:.*)`)

	cell = 200
	if text := run("%ps -stop 2.4"); text != "Goroutine 2.4 has ended.\n" {
		t.Errorf("a sleeping one: %s", text)
	}
	mustShow(t, s, "<-ended", "sleeper")
	if text := run("%ps -stop 2.5"); text != "Goroutine 2.5 has ended.\n" {
		t.Errorf("a busy one: %s", text)
	}
	mustShow(t, s, "a := turns[0].Load(); time.Sleep(20*time.Millisecond); turns[0].Load() == a", "true")
	if text := run("%ps -stop 2.6, 2.2"); text != "Goroutine 2.6 has ended.\nGoroutine 2.2 has ended.\n" {
		t.Errorf("one in a select and one of three: %s", text)
	}
	// Those that a stopped one has started go on, and so do the others.
	mustShow(t, s, "select { case s := <-ended: fmt.Println(s); default: }; len(ended)", "0")
	if text := run("%ps"); !strings.Contains(text, "2.1, 2.3") || strings.Contains(text, "2.4") || strings.Contains(text, "2.6") {
		t.Errorf("what is left: %s", text)
	}
	// One that waits for its context ends with it, and a subprocess ends with it.
	if text := run("%ps -stop 2.7 2.9"); text != "Goroutine 2.7 has ended.\nGoroutine 2.9 has ended.\n" {
		t.Errorf("one that waits for ctx and one for a subprocess: %s", text)
	}
	mustShow(t, s, `child := false; for len(ended) > 0 { child = child || <-ended == "child" }; child`, "false")
	// A lock is waited for in compiled code: the mark is seen when the wait is over.
	if text := run("%ps -stop 2.8"); text != "Goroutine 2.8 ends when it comes to the next check; now it waits for a WaitGroup.\n" {
		t.Errorf("one in a lock: %s", text)
	}
	run("wg.Done()")
	// It counts for as long as the machine has something else to do.
	mustShow(t, s, `stands := false
for range 1000 {
	b := turns[1].Load()
	time.Sleep(10 * time.Millisecond)
	if stands = turns[1].Load() == b; stands { break }
}
stands`, "true")
	if text := run("%ps -stop 2"); text != "The goroutines of In [2] have ended.\n" {
		t.Errorf("all of a cell: %s", text)
	}
	if text := run("%ps"); text != none {
		t.Errorf("at last: %s", text)
	}
}

// TestPsRefuses: what is wrong with an argument is said.
func TestPsRefuses(t *testing.T) {
	s, _ := startTest(t)
	for source, want := range map[string]string{
		"%ps -stop":     "%ps -stop needs the number of a cell, as in %ps -stop 3, or of a goroutine",
		"%ps -stop x":   `%ps -stop takes the number of a cell or of a goroutine, 3 or 3.2, not "x"`,
		"%ps -stop 7":   "no goroutines of In [7] are left",
		"%ps -stop 7.1": "there is no goroutine 7.1; %ps lists them",
		"%ps -stop 7.0": "7.0 is the cell itself",
		"%ps 7":         `%ps does not know "7"`,
	} {
		res := s.Execute(t.Context(), Cell{ID: "1", Number: 1, Source: source})
		if res.Err == nil || !strings.Contains(res.Err.Value, want) {
			t.Errorf("%s: %v, want %s", source, res.Err, want)
		}
	}
}

// mustShow runs a cell whose result must be shown as text.
func mustShow(t *testing.T, s *Session, source, want string) {
	t.Helper()
	res := s.Execute(t.Context(), Cell{ID: "show", Number: 99, Source: source})
	if res.Err != nil {
		t.Fatalf("%s: %v", source, res.Err)
	}
	if got := strings.Trim(plainText(res.Display.Data), "`\""); got != want {
		t.Errorf("%s is %s, want %s", source, got, want)
	}
}
