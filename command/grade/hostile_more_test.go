//go:build linux && (amd64 || arm64)

package grade

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
)

// raw is a way to any system call without an import that is forbidden: reflection gives unsafe pointers. What it finds out
// here is that the memory of its own process is all that there is.
const raw = "x := 5\np := reflect.NewAt(reflect.TypeOf([64]byte{}), reflect.ValueOf(&x).UnsafePointer()).Elem()\n_ = p.Index(20).Uint()\n"

// hostileToo are further submissions like hostile, most of them against marks, the page and whoever cleans up.
var hostileToo = map[string]string{
	"unlinked files":              "var keep []*os.File\nfor i := range 100 { f, err := os.Create(fmt.Sprint(i)); if err != nil { break }; os.Remove(f.Name()); f.Write(make([]byte, 1<<20)); keep = append(keep, f) }\nfor {}",
	"sparse files":                "for i := range 100 { f, _ := os.Create(fmt.Sprint(i)); f.Truncate(4 << 20); f.Close() }\nfor {}",
	"empty files without end":     "for i := 0; ; i++ { os.WriteFile(fmt.Sprint(i), nil, 0o644) }",
	"directories without end":     "for { os.Mkdir(`d`, 0o755); os.Chdir(`d`) }",
	"directories nobody can read": "for i := range 50 { d := fmt.Sprint(`d`, i); os.Mkdir(d, 0o300); os.WriteFile(d+`/f`, make([]byte, 1<<20), 0) }\nfor {}",
	"links without end":           "os.WriteFile(`f`, nil, 0o644)\nfor i := 0; ; i++ { os.Link(`f`, fmt.Sprint(`l`, i)) }",
	"a pipe in the directory":     "os.Mkdir(`data.txt.d`, 0o755)\nos.Symlink(`/dev/zero`, `zero`)\nio.Copy(io.Discard, must(os.Open(`zero`)))\nfunc must(f *os.File, err error) *os.File { return f }",
	"pipes without end":           "var all []*os.File\nfor { r, w, err := os.Pipe(); if err != nil { break }; go w.Write(make([]byte, 1<<16)); all = append(all, r, w) }\nfor {}",
	"memory by reflection":        raw,
	"a panic of 40 MB":            "panic(strings.Repeat(`x`, 40<<20))",
	"an error of 40 MB":           "func Double(x float64) float64 { panic(errors.New(strings.Repeat(`<`, 40<<20))) }",
	"an error that panics":        "type e struct{}\nfunc (e) Error() string { panic(e{}) }\npanic(e{})",
	"an error without end":        "type e struct{}\nfunc (e) Error() string { for {} }\npanic(e{})",
	"a text that exits":           "type s struct{}\nfunc (s) String() string { os.Exit(0); return `` }\nfmt.Println(s{})",
	"a value that is an error":    "func Double(x float64) error { return fmt.Errorf(`7`) }",
	"infinity":                    "func Double(x float64) float64 { return math.Inf(1) }",
	"no number":                   "func Double(x float64) float64 { return math.NaN() }",
	"a list of the answer":        "func Double(x float64) []float64 { return []float64{2 * x} }",
	"nothing at all":              "func Double(x float64) []float64 { return nil }",
	"text of the answer":          "func Double(x float64) string { return fmt.Sprint(2 * x) }",
	"an interface of text":        "func Double(x float64) any { return fmt.Sprint(2 * x) }",
	"the answer as a map":         "func Double(x float64) any { return map[string]float64{`v`: 2 * x} }",
	"a complex answer":            "func Double(x float64) complex128 { return complex(2*x, 1) }",
	"the argument":                "func Double(x float64) float64 { return x }",
	"a function":                  "func Double(x float64) func() float64 { return func() float64 { return 2 * x } }",
	"a channel":                   "func Double(x float64) chan float64 { c := make(chan float64, 1); c <- 2 * x; return c }",
	"redefined names":             "type float64 string\nvar nil, true, false, len = 1, 2, 3, 4",
	"redefined panic":             "func panic(any) {}\nfunc recover() any { return 7.0 }",
	"a package of its own":        "package check\nfunc Near(a, b, c any) {}",
	"an import of check":          "import check \"math\"",
	"an import with a dot":        "import . \"os\"\nfunc Double(x float64) float64 { Exit(0); return 0 }",
	"a cell that never parses":    strings.Repeat("{", 200000),
	"a long name":                 "var " + strings.Repeat("x", 1<<20) + " int",
	"a long line":                 "var s = `" + strings.Repeat("x", 4<<20) + "`\nfmt.Println(s)",
	"many declarations":           strings.Repeat("type _ struct{}\n", 20000),
	"deep types":                  "var x " + strings.Repeat("[]", 20000) + "int",
	"deep expressions":            "x := " + strings.Repeat("-", 100000) + "1",
	"a large array":               "var x [1 << 40]byte\nx[1] = 1",
	"an array of arrays":          "type a [1 << 20]int\nvar x [1 << 20]a",
	"a huge shift":                "const c = 1 << 100000 << 100000",
	"a huge quotient":             "const a = 1 << 9999\nconst b = a * a * a * a * a * a * a * a",
	"timers without end":          "for { time.AfterFunc(time.Hour, func() {}) }",
	"threads that are locked":     "for range 400 { go func() { runtime.LockOSThread(); select {} }() }\ntime.Sleep(time.Second)\nfor {}",
	"collects without end":        "for { runtime.GC() }",
	"changes its processors":      "runtime.GOMAXPROCS(1000)\nfor range 1000 { go func() { for {} }() }\nfor {}",
	"clears its outputs":          "for { display.Clear(false); fmt.Println(1) }",
	"shows HTML":                  "display.HTML(`<script>alert(1)</script><img src=x onerror=alert(1)>`)",
	"a large picture":             "display.Show(display.Bundle{`image/png`: strings.Repeat(`A`, 64<<20)})",
	"a panic in a goroutine":      "go func() { panic(`done`) }()\ntime.Sleep(100 * time.Millisecond)\nfunc Double(x float64) float64 { return 1 }",
	"a goroutine that goes on":    "go func() { for { fmt.Println(`still here`); time.Sleep(time.Millisecond) } }()",
	"a deferred end":              "func Double(x float64) float64 { defer os.Exit(0); return 2 * x }",
	"a goroutine's end":           "func Double(x float64) float64 { runtime.Goexit(); return 2 * x }",
	"magics":                      "%reset\n%engine compiled\n%%compile\nx := 1",
	"a module":                    "%get example.com/x@latest",
	"another file's cell":         "%%writefile ../../x.ipynb\n{}",
}

// TestInherited: files that the grader was started with are not open in what students wrote.
func TestInherited(t *testing.T) {
	if err := fence.Available(); err != nil {
		t.Skip(err)
	}
	f, err := os.Open("hostile_more_test.go")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD, 20) // without the flag that closes it
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	got := handIn(t, assignment(t), map[string]string{
		"reader": fmt.Sprintf("f := os.NewFile(%d, `x`)\nb := make([]byte, 100)\nn, err := f.ReadAt(b, 0)\nfmt.Println(`read`, n, err)", fd)})
	page := pageOf(t, got["reader"])
	if !strings.Contains(page, "read 0") {
		t.Errorf("the page says %s", page)
	}
}

// TestHiddenStaysHidden: whatever a submission keeps of what it was called with, and however it fails, its page shows nothing of
// the hidden tests.
func TestHiddenStaysHidden(t *testing.T) {
	for student, r := range handIn(t, assignment(t), map[string]string{
		"records":    "var seen []float64\nfunc Double(x float64) float64 { seen = append(seen, x); os.WriteFile(`seen`, fmt.Append(nil, seen), 0o644); return 2 * x }",
		"prints":     "func Double(x float64) float64 { fmt.Println(`with`, x); return 1 }",
		"panics":     "func Double(x float64) float64 { panic(fmt.Sprint(`with `, x)) }",
		"exits":      "func Double(x float64) float64 { if x > 40 { fmt.Println(x); panic(x) }; return 2 * x }",
		"other type": "func Double(x float64) []string { return nil }",
		"ends":       "func Double(x float64) float64 { if x > 40 { go func() { panic(x) }(); time.Sleep(time.Second) }; return 2 * x }",
		"brings up":  "var last float64\nfunc Double(x float64) float64 { defer func() { last = x }(); if x == 0 { return last }; return 2 * x }",
	}) {
		for _, secret := range []string{"42.125", "84.25"} {
			if page := pageOf(t, r); strings.Contains(page, secret) {
				t.Errorf("%s: the page has %s", student, secret)
			}
		}
	}
}

// TestFullDisk: what a submission may write is bounded where no file system of its own can be mounted, too, whether or not
// its files have names.
func TestFullDisk(t *testing.T) {
	if err := fence.Available(); err != nil {
		t.Skip(err)
	}
	t.Setenv("TMPDIR", t.TempDir()) // so that what is left there is this test's
	old := canMount
	defer func() { canMount = old }()
	for _, mount := range []bool{true, false} {
		if mount && !old() {
			continue
		}
		canMount = func() bool { return mount }
		got := handInWith(t, assignment(t), map[string]string{
			"right":    right,
			"unlinked": "var keep []*os.File\nvar n int\nfor i := range 200 { f, err := os.Create(fmt.Sprint(i)); if err != nil { break }; os.Remove(f.Name()); k, err := f.Write(make([]byte, 1<<20)); n += k; if err != nil { break }; keep = append(keep, f); time.Sleep(time.Millisecond) }\nfmt.Println(`wrote`, n)\ntime.Sleep(time.Second)",
		}, patient)
		r := got["unlinked"]
		if got["right"].Points != 4 || r.Points > 1 {
			t.Errorf("mounted %v: %v and %v points", mount, got["right"].Points, r.Points)
		}
		if mount {
			if page := pageOf(t, r); !strings.Contains(page, "wrote 8") && !strings.Contains(page, "wrote 9") {
				t.Errorf("it wrote other than the 8 MB that it may: %s", page)
			}
		} else if r.End != "its files took more than 8 MB" {
			t.Errorf("the note is %q", r.End)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "gaucho-grade-*", "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestOneClock: a notebook of many cells that wait ends when its time is up, and those that ran keep their points.
func TestOneClock(t *testing.T) {
	a := assignment(t)
	cells := []*notebook.Cell{cell("double", right, 0), cell("test", "", 3)}
	for range 3000 {
		cells = append(cells, cell("", "time.Sleep(200 * time.Millisecond)", 0))
	}
	cells = append(cells, cell("other", "", 1))
	path := filepath.Join(t.TempDir(), "ps.ipynb")
	if err := homework("", cells...).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Limits.Total = 2 * time.Second
	began := time.Now()
	reports, err := a.Run(context.Background(), []Submission{{Student: "sleeper", Path: path}}, o)
	if err != nil {
		t.Fatal(err)
	}
	if r := reports[0]; r.Points != 3 || r.End != "its cells took longer than 2s together" {
		t.Errorf("%v points, %q", r.Points, r.End)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("3000 cells of 200ms took %v where 2s were allowed", took)
	}
}

// TestNeighbours: a submission with more threads than processors takes nothing from the one next to it.
func TestNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	all := map[string]string{}
	for i := range 3 {
		all[fmt.Sprint("hog", i)] = "runtime.GOMAXPROCS(150)\nfor range 150 { go func() { for {} }() }\nfor {}"
		all[fmt.Sprint("right", i)] = "func Double(x float64) float64 { s := 0.0; for range 20000 { s += math.Sin(x) }; _ = s; return 2 * x }"
	}
	for student, r := range handIn(t, assignment(t), all) {
		if want := strings.HasPrefix(student, "right"); want != (r.Points == 4) {
			t.Errorf("%s: %v points, %s, %+v", student, r.Points, r.End, r.Marks)
		}
	}
}

// TestEndedWords: what a student hears of a process that ended says nothing of the grader's places.
func TestEndedWords(t *testing.T) {
	for student, r := range handIn(t, assignment(t), map[string]string{
		"exits later": "go func() { time.Sleep(50 * time.Millisecond); os.Exit(3) }()",
		"dies":        "go func() { time.Sleep(50 * time.Millisecond); panic(strings.Repeat(`x`, 1<<20)) }()",
	}) {
		page := pageOf(t, r)
		if strings.Contains(page, "fork/exec") || strings.Contains(page, os.Args[0]) || len(page) > 1<<20 {
			t.Errorf("%s: the page of %d bytes has the grader's places; %s", student, len(page), clip(page, 2000))
		}
		if strings.Contains(r.note(), "fork/exec") || len(r.note()) > 70<<10 {
			t.Errorf("%s: the note is %s", student, clip(r.note(), 200))
		}
	}
}

// TestPlaces: submissions at a time have processors of their own as long as there are enough.
func TestPlaces(t *testing.T) {
	all := processors()
	for _, n := range []int{1, 2, 3, 16} {
		places := newPlaces(n)
		var used []int
		for range n {
			place := <-places
			if len(place) == 0 {
				t.Errorf("%d at a time: one has no processor", n)
			}
			used = append(used, place...)
		}
		slices.Sort(used)
		if n <= len(all) && !slices.Equal(used, all) {
			t.Errorf("%d at a time: processors %v are given, there are %v", n, used, all)
		}
	}
}
