package lower

import (
	"flag"
	"fmt"
	"go/format"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/engine"
)

var update = flag.Bool("update", false, "write testdata/golden anew")

// TestGolden compares what cells are lowered to with the transcripts of testdata/golden: one file is one session, with its
// cells after lines ">>>" and the lowered text of each after a line "---". The text is formatted here, and shown without the
// directives that give lines their places in cells, save in a cell whose ">>>" says "with places".
// go test ./interp/lower -run Golden -update writes the transcripts anew.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	t.Setenv("GOMODCACHE", t.TempDir())
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			k := newCells(t)
			head, blocks, _ := strings.Cut("\n"+string(text), "\n>>>")
			out := strings.TrimPrefix(head, "\n")
			for i, block := range strings.Split(blocks, "\n>>>") {
				note, body, _ := strings.Cut(block, "\n")
				src, want, _ := strings.Cut("\n"+body, "\n---\n")
				src, want = strings.Trim(src, "\n"), strings.TrimRight(want, "\n")
				got := k.lower(t, i+1, src, strings.Contains(note, "with places"))
				if got != want && !*update {
					t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, note, src, got, want)
				}
				out += fmt.Sprintf("\n>>>%s\n%s\n---\n%s\n", note, src, got)
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.TrimPrefix(out, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// cells are the cells of one session, without modules.
type cells struct {
	fset    *token.FileSet
	checker *check.Checker
	session *Session
	scope   *check.Scope
	history check.History
}

func newCells(t *testing.T) *cells {
	k := &cells{fset: token.NewFileSet(), scope: check.NewScope()}
	var lib *check.Library
	k.checker, lib = check.Open(k.fset, t.TempDir(), nil, nil)
	k.session = New(lib)
	return k
}

var directive = regexp.MustCompile(`(?m)^//line .*\n|/\*line [^*]*\*/`)

// lower lowers a cell and enters what it declares, as if it had run.
func (k *cells) lower(t *testing.T, id int, src string, places bool) string {
	mark, made := k.scope.Snapshot(), k.session.Snapshot()
	var stages []*check.Checked
	refused := func(problems []cell.Problem) string {
		for _, ch := range slices.Backward(stages) {
			ch.Revert()
		}
		k.session.Rollback(made)
		k.scope.Rollback(mark)
		var lines []string
		for _, p := range problems {
			lines = append(lines, "refused: "+p.Msg)
		}
		return strings.Join(lines, "\n")
	}
	parsed, problems := cell.Read(src).Parse(k.fset, id, false)
	if problems != nil {
		return refused(problems)
	}
	check.AddMusts(k.fset, parsed, k.scope)
	if problems := k.checker.AddHistory(parsed, k.scope, &k.history); problems != nil {
		return refused(problems)
	}
	show := cell.ShownPieces(parsed)
	cell.CallInitAndMain(parsed)
	var texts []string
	for _, st := range cell.Plan(parsed, k.scope.Live) {
		ch, problems := k.checker.Check(id, k.scope, st, show)
		if problems != nil {
			return refused(problems)
		}
		stages = append(stages, ch)
		u, err := k.session.Part(ch.Part)
		if list, ok := err.(engine.Refusals); ok {
			for _, r := range list {
				problems = append(problems, cell.Problem{Msg: r.Msg})
			}
			return refused(problems)
		} else if err != nil {
			t.Fatal(err)
		}
		if !places {
			formatted, err := format.Source([]byte(directive.ReplaceAllString(u.Text, "")))
			if err != nil {
				t.Fatalf("cell %d: the lowered text is no Go: %v\n%s", id, err, u.Text)
			}
			u.Text = string(formatted)
		}
		texts = append(texts, strings.TrimRight(u.Text, "\n"))
		k.scope.Apply(ch.Start)
		for _, u := range ch.Steps {
			k.scope.Apply(u)
		}
	}
	return strings.Join(texts, "\n\n")
}
