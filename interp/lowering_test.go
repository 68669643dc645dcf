package interp

import (
	"fmt"
	"go/format"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/lower"
)

// TestLowering compares what cells are lowered to with the transcripts of lower/testdata/golden: one file is one session,
// with its cells after lines ">>>" and the lowered text of each after a line "---". The text is formatted here, and shown
// without the directives that give lines their places in cells, save in a cell whose ">>>" says "with places".
// go test ./interp -run Lowering -update writes the transcripts anew.
func TestLowering(t *testing.T) {
	files, err := filepath.Glob("lower/testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f := newFront(t)
			head, blocks, _ := strings.Cut("\n"+string(text), "\n>>>")
			out := strings.TrimPrefix(head, "\n")
			for i, block := range strings.Split(blocks, "\n>>>") {
				note, body, _ := strings.Cut(block, "\n")
				src, want, _ := strings.Cut("\n"+body, "\n---\n")
				src, want = strings.Trim(src, "\n"), strings.TrimRight(want, "\n")
				got := f.loweredText(t, i+1, src, strings.Contains(note, "with places"))
				if got != want && !*rewrite {
					t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, note, src, got, want)
				}
				out += fmt.Sprintf("\n>>>%s\n%s\n---\n%s\n", note, src, got)
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(strings.TrimPrefix(out, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

var directive = regexp.MustCompile(`(?m)^//line .*\n|/\*line [^*]*\*/`)

// loweredText lowers the cell and enters what it declares, as if it had run.
func (f *front) loweredText(t *testing.T, id int, src string, places bool) string {
	prog, problems := f.compileText(id, src)
	if problems != nil {
		var lines []string
		for _, p := range problems {
			lines = append(lines, "refused: "+p.Msg)
		}
		return strings.Join(lines, "\n")
	}
	var texts []string
	for _, st := range prog.steps {
		text := st.unit.Text
		if places {
			texts = append(texts, strings.TrimRight(text, "\n"))
		} else {
			formatted, err := format.Source([]byte(directive.ReplaceAllString(text, "")))
			if err != nil {
				t.Fatalf("cell %d: the lowered text is no Go: %v\n%s", id, err, text)
			}
			texts = append(texts, strings.TrimRight(string(formatted), "\n"))
		}
		f.scope.Apply(st.checked.Start)
		for _, u := range st.checked.Steps {
			f.scope.Apply(u)
		}
	}
	return strings.Join(texts, "\n\n")
}

// newFront is the front of a session of the interpreter, without a worker and without modules.
func newFront(t *testing.T) *front {
	t.Setenv("GOMODCACHE", t.TempDir())
	f := &front{kind: lower.Yaegi{}}
	f.open(&Options{Log: testLog(t), Dir: t.TempDir()})
	f.renew(0, nil)
	return f
}

// compileText compiles the text of a cell.
func (f *front) compileText(id int, src string) (*program, []cell.Problem) {
	parsed, problems := cell.Read(src).Parse(f.fset, id, false)
	if problems != nil {
		return nil, problems
	}
	return f.compile(parsed, Cell{}, nil)
}

// testLog fails the test when the front end reports a mistake of its own.
func testLog(t *testing.T) *slog.Logger {
	return slog.New(slog.NewTextHandler(failWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}

type failWriter struct{ t *testing.T }

func (w failWriter) Write(p []byte) (int, error) {
	w.t.Errorf("%s", p)
	return len(p), nil
}
