package interp

import (
	"flag"
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

var rewrite = flag.Bool("update", false, "write anew what the Go compiler makes of testdata/everyday and lower/testdata/programs")

// TestEveryday runs the snippets of testdata/everyday, each in a session of its own, and compares what they print with
// what the Go compiler's program prints, which follows each snippet. go test -run Everyday -update writes it anew:
// there a snippet's declarations and its statements, put into main, are a program.
func TestEveryday(t *testing.T) {
	files, err := filepath.Glob("testdata/everyday/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no snippets", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if *rewrite {
				if err := os.WriteFile(file, updated(t, string(text)), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			r := &transcript{}
			s := newSession(t, Options{Engine: "yaegi", Sink: r})
			runSnippets(t, s, r, snippets(string(text)), func(got, want string) bool {
				return printed(got) == strings.TrimRight(bounds.ReplaceAllString(want, "$1"), "\n")
			})
		})
	}
}

// bounds are the numbers in Go's words for an index that is out of range, which the yaegi engine does not know.
var bounds = regexp.MustCompile(`(out of range) \[[^]\n]*\](?: with (?:length|capacity) \d+)?`)

// notes are what a file's session says of names that snippets before had otherwise.
var notes = regexp.MustCompile("(?m)^Note: .*\n")

// printed is what a snippet showed, without the notes.
func printed(got string) string { return strings.TrimRight(notes.ReplaceAllString(got, ""), "\n") }

type snippet struct{ title, src, want string }

// runSnippets runs snippets as the cells of a session, each of which must show what its file says.
func runSnippets(t *testing.T, s *Session, r *transcript, list []snippet, agree func(got, want string) bool) {
	t.Helper()
	for i, sn := range list {
		if got := runCell(s, r, i+1, sn.src); !agree(got, sn.want) {
			t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, sn.title, sn.src, got, sn.want)
		}
	}
}

func snippets(text string) []snippet {
	var out []snippet
	for _, block := range strings.Split("\n"+text, "\n>>>")[1:] {
		title, body, _ := strings.Cut(block, "\n")
		src, want, _ := strings.Cut("\n"+body+"\n", "\n---\n")
		out = append(out, snippet{title, strings.TrimPrefix(src, "\n"), want})
	}
	return out
}

func updated(t *testing.T, text string) []byte {
	var b strings.Builder
	for _, sn := range snippets(text) {
		fmt.Fprintf(&b, ">>>%s\n%s\n---\n%s", sn.title, strings.TrimRight(sn.src, "\n"), goBuilt(t, sn.src))
	}
	return []byte(b.String())
}

// goBuilt is what the program that a snippet stands for prints.
func goBuilt(t *testing.T, src string) string {
	var decls, body strings.Builder
	imports := map[string]bool{}
	c, _ := check.Open(token.NewFileSet(), t.TempDir(), nil, nil)
	cell, errs := cell.Parse(c.Fset, 1, src, cell.Split(src))
	if errs != nil {
		t.Fatalf("%v in\n%s", errs, src)
	}
	for _, p := range cell.Pieces {
		for name, sels := range p.Names.Qualified {
			if path := c.Find(name, sels); path != "" {
				imports[path] = true
			}
		}
		if p.InBody() {
			body.WriteString(p.Text + "\n")
		} else {
			decls.WriteString(p.Text + "\n")
		}
	}
	prog := "package main\n"
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		prog += fmt.Sprintf("import %q\n", path)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	os.WriteFile(file, []byte(prog+decls.String()+"func main() {\n"+body.String()+"}\n"), 0o666)
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%s\n%s", err, out, prog+decls.String()+body.String())
	}
	return string(out)
}
