package interp

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestMistakes holds what a session says of the mistakes of testdata/mistakes.txt against what go build says first of the same
// statements in a function main. One is said otherwise on purpose and is not among them: where { is missing after an if and
// more statements follow, the compiler reports the end of the first of these, a session the end of the if's line.
func TestMistakes(t *testing.T) {
	text, err := os.ReadFile("testdata/mistakes.txt")
	if err != nil {
		t.Fatal(err)
	}
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(text), ">>>\n"), "\n"), "\n>>>\n")
	said := compilerSays(t, cells)
	for i, c := range cells {
		s := newSession(t, Options{Sink: &transcript{}})
		res := execute(s, 1, c)
		s.Close()
		got := "nothing"
		if res.Err != nil {
			got = res.Err.Value
			for _, l := range res.Err.Traceback {
				if m := mistakePlace.FindStringSubmatch(ansi.ReplaceAllString(l, "")); m != nil {
					got = fmt.Sprintf("%s:%s: %s", m[1], m[2], m[3])
					break
				}
			}
		}
		if len(said[i]) == 0 || got != said[i][0] {
			t.Errorf("%d\n%s\nsession  %s\ncompiler %q", i+1, c, got, said[i])
		}
	}
}

// TestUnfinished holds what a session says of a cell that ends too early against what the compiler says of a function main that
// ends there. Where the compiler reports the end of the file, a session may report that of the line, which comes before it.
func TestUnfinished(t *testing.T) {
	s := newSession(t, Options{Sink: &transcript{}})
	defer s.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.go")
	place := regexp.MustCompile(`:(\d+):(\d+: .*)`)
	for n, c := range []string{
		"strings.", "x :=", "y = 3 +", "fmt.Println(1", "for i := range 3 {", "x := []int{1, 2", "var x", "x = map[string]int{\"a\":", "a[1:",
		"type T struct {\n\ta int", "x.(", "go func() {", "defer func() {\n\tfmt.Println(1)", "var x int =", "x := func(a int", "if x == 3 {\n\ty = 4",
	} {
		if err := os.WriteFile(file, []byte("package main\nfunc main() {\n"+c), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "compile", "-o", filepath.Join(dir, "x.o"), file).CombinedOutput()
		m := place.FindStringSubmatch(string(out))
		if err == nil || m == nil {
			t.Fatalf("%q: the compiler says %s", c, out)
		}
		line, _ := strconv.Atoi(m[1])
		want := fmt.Sprintf("%d:%s", line-2, m[2])
		got := "nothing"
		if res := execute(s, n+1, c); res.Err != nil {
			for _, l := range res.Err.Traceback {
				if m := mistakePlace.FindStringSubmatch(ansi.ReplaceAllString(l, "")); m != nil {
					got = fmt.Sprintf("%s:%s: %s", m[1], m[2], m[3])
				}
			}
		}
		if strings.ReplaceAll(got, "unexpected newline", "unexpected EOF") != want {
			t.Errorf("%q\nsession  %s\ncompiler %s", c, got, want)
		}
	}
}

var mistakePlace = regexp.MustCompile(`^Cell \[\d+\], line (\d+), column (\d+): (.*)`)

var (
	compilerPackage = regexp.MustCompile(`^# mistakes/m(\d+)$`)
	compilerError   = regexp.MustCompile(`^(?:m\d+/)?cell:(\d+:\d+: .*)`)
	topLevel        = regexp.MustCompile(`^(func|type|const) `)
)

// compilerSays is what Go's compiler says of each of the cells, with places in the cell.
func compilerSays(t *testing.T, cells []string) [][]string {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module mistakes\n\ngo 1.26\n")
	for i, c := range cells {
		write(fmt.Sprintf("m%d/x.go", i), asProgram(c))
	}
	build := exec.Command("go", "build", "-gcflags=-e", "./...")
	build.Dir = dir
	out, err := build.CombinedOutput()
	if err == nil {
		t.Fatal("go build finds nothing wrong")
	}
	said, at := make([][]string, len(cells)), -1
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if m := compilerPackage.FindStringSubmatch(line); m != nil {
			fmt.Sscan(m[1], &at)
		} else if m := compilerError.FindStringSubmatch(line); m != nil && at >= 0 {
			if !strings.Contains(m[1], "declared and not used: ") || strings.HasPrefix(cells[at], "func") { // variables of a cell are for later ones
				said[at] = append(said[at], m[1])
			}
		} else if at < 0 {
			t.Fatalf("go build: %s", out)
		}
	}
	return said
}

// asProgram is a cell as a program: declarations first, and statements in main, all with the cell's lines.
func asProgram(c string) string {
	var head, decls, body strings.Builder
	head.WriteString("package main\n")
	for _, pkg := range []string{"fmt", "math", "strconv"} {
		if strings.Contains(c, pkg+".") {
			fmt.Fprintf(&head, "import %q\n", pkg)
		}
	}
	body.WriteString("func main() {\n")
	depth, to, last := 0, &body, (*strings.Builder)(nil)
	for i, line := range strings.Split(c, "\n") {
		if depth <= 0 {
			to = &body
			if topLevel.MatchString(line) {
				to = &decls
			}
		}
		if to != last {
			fmt.Fprintf(to, "//line cell:%d:1\n", i+1)
		}
		last = to
		fmt.Fprintln(to, line)
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	return head.String() + decls.String() + body.String() + "}\n"
}
