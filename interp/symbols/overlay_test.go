package symbols

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pullProgram uses Pull as a program under test: what it prints must not depend on whose Pull it is.
const pullProgram = `package main

import (
	"fmt"
	"iter"
)

var _ iter.Seq[int]

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		defer fmt.Println("seq ends")
		for i := range n {
			if !yield(i) {
				fmt.Println("stopped at", i)
				return
			}
		}
	}
}

func try(what string, f func()) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Println(what, "panics:", p)
		}
	}()
	f()
}

func main() {
	next, stop := PULL[int](count(2))
	for range 4 {
		fmt.Println(next())
	}
	stop()

	next, stop = PULL[int](count(5))
	fmt.Println(next())
	stop()
	stop()
	fmt.Println(next())

	_, stop = PULL[int](count(5))
	stop()

	next, stop = PULL[int](func(yield func(int) bool) { yield(1); panic("boom") })
	fmt.Println(next())
	try("next", func() { next() })
	fmt.Println(next())
	stop()

	next, stop = PULL[int](func(yield func(int) bool) { defer func() { panic("late") }(); yield(1) })
	next()
	try("stop", stop)
	stop()

	var keep func(int) bool
	next, _ = PULL[int](func(yield func(int) bool) { keep = yield; yield(7) })
	fmt.Println(next())
	fmt.Println(next())
	fmt.Println(keep(1))

	var again func() (int, bool)
	again, _ = PULL[int](func(yield func(int) bool) { try("nested next", func() { again() }); yield(8) })
	fmt.Println(again())

	next2, stop2 := PULL2[int, string](func(yield func(int, string) bool) { yield(1, "a"); yield(2, "b") })
	fmt.Println(next2())
	fmt.Println(next2())
	fmt.Println(next2())
	stop2()

	done := make(chan bool)
	go func() {
		defer close(done)
		next, _ := PULL[int](func(yield func(int) bool) { GOEXIT() })
		next()
		fmt.Println("not reached")
	}()
	<-done
}
`

// TestPull runs the program with the overlay's Pull and with the library's.
func TestPull(t *testing.T) {
	overlay, err := os.ReadFile("gen/overlay/iter.go")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(overlay), "//go:build ignore", "", 1)
	text = strings.Replace(text, "package iter", "package main", 1)
	run := func(pull string, extra string) string {
		dir := t.TempDir()
		program := strings.NewReplacer("PULL", pull, "GOEXIT", "runtime.Goexit", `"iter"`, "\"iter\"\n\t\"runtime\"").Replace(pullProgram)
		for name, text := range map[string]string{"main.go": program, "iter.go": extra, "go.mod": "module m\n\ngo 1.26\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", pull, err, out)
		}
		return string(out)
	}
	got, want := run("Pull", text), run("iter.Pull", "package main\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
