package interp

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gaucho/interp/lower"
	"gaucho/interp/symbols"
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
			lib := &library{Importer: symbols.NewImporter()}
			s := &Session{checker: newChecker(lib, lib), lower: lower.New(lib), scope: newScope(), opts: Options{Log: testLog(t)}}
			s.places, s.sources = map[int]place{}, noModules(t, s.checker)
			lib.sources = s.sources
			head, blocks, _ := strings.Cut("\n"+string(text), "\n>>>")
			out := strings.TrimPrefix(head, "\n")
			for i, block := range strings.Split(blocks, "\n>>>") {
				note, body, _ := strings.Cut(block, "\n")
				src, want, _ := strings.Cut("\n"+body, "\n---\n")
				src, want = strings.Trim(src, "\n"), strings.TrimRight(want, "\n")
				got := s.loweredText(t, i+1, src, strings.Contains(note, "with places"))
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
func (s *Session) loweredText(t *testing.T, id int, src string, places bool) string {
	prog, problems := s.prepare(id, Cell{}, src, nil)
	if problems != nil {
		var lines []string
		for _, p := range problems {
			lines = append(lines, "refused: "+p.msg)
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
		s.scope.apply(st.checked.start)
		for _, u := range st.checked.steps {
			s.scope.apply(u)
		}
	}
	return strings.Join(texts, "\n\n")
}
