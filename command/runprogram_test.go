package command

import (
	"strings"
	"testing"
)

// TestRunProgramAsGo runs programs that look at what is around them. What they print, and their exit statuses, are those of go build
// with Go 1.26, but for the one that is refused.
func TestRunProgramAsGo(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		imports, body, out, errs string
		status                   int
	}{
		{"fmt runtime time", `go func() { time.Sleep(50 * time.Millisecond); fmt.Println("other") }(); runtime.Goexit()`,
			"other\n", "fatal error: no goroutines (main called runtime.Goexit) - deadlock!", 2},
		{"flag fmt", `n := flag.Int("quickchecks", 1, "mine"); flag.Parse(); fmt.Println(*n, flag.NArg())`, "1 0\n", "", 0},
		{"fmt os", `os.Stdout.Close(); _, err := fmt.Println("x"); fmt.Fprintln(os.Stderr, err)`, "", "file already closed", 0},
		{"fmt os", `fmt.Println("x"); os.Exit(-1)`, "x\n", "", -1},
	} {
		write(t, dir, "prog.go", "package main\n\nimport (\n\""+strings.ReplaceAll(c.imports, " ", "\"\n\"")+"\"\n)\n\nfunc main() {\n"+c.body+"\n}\n")
		out, errs, status := gaucho(t, dir, "run", "prog.go")
		if status != c.status && uint8(status) != uint8(c.status) || out != c.out || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: status %d, printed %q and %q", c.body, status, out, errs)
		}
	}
	loop := "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tvar f func() int\n\tfor i := 0; i < 3; i++ {\n\t\tif i == 0 {\n\t\t\tf = func() int { return i }\n\t\t}\n\t}\n\tfmt.Println(f())\n}\n"
	write(t, dir, "loop.go", "//go:build go1.21\n\n"+loop) // which prints 3
	if out, errs, status := gaucho(t, dir, "run", "loop.go"); status != 1 || out != "" || !strings.Contains(errs, "a file of the language of go1.21") || !strings.Contains(errs, "loop.go:1:1: ") {
		t.Errorf("a file of Go 1.21: status %d, printed %q and %q", status, out, errs)
	}
	write(t, dir, "loop.go", "//go:build go1.22\n\n"+loop)
	if out, errs, status := gaucho(t, dir, "run", "loop.go"); status != 0 || out != "0\n" {
		t.Errorf("a file of Go 1.22: status %d, printed %q and %q", status, out, errs)
	}
}
