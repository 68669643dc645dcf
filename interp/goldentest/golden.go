// Package goldentest compares what engines make of cells with transcripts.
package goldentest

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/engine"
)

// Run compares what an engine makes of cells with the transcripts of testdata/golden: one file is one session, with its cells
// after lines ">>>" and the text of each after a line "---". open starts an engine; text returns what is shown of a unit, for
// a cell whose ">>>" is followed by the note. With update, the transcripts are written again.
func Run(t *testing.T, update bool, open func(*check.Library) engine.Engine, text func(u *engine.Unit, note string) string) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	t.Setenv("GOMODCACHE", t.TempDir())
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			transcript, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			k := newCells(t, open)
			head, blocks, _ := strings.Cut("\n"+string(transcript), "\n>>>")
			out := strings.TrimPrefix(head, "\n")
			for i, block := range strings.Split(blocks, "\n>>>") {
				note, body, _ := strings.Cut(block, "\n")
				src, want, _ := strings.Cut("\n"+body, "\n---\n")
				src, want = strings.Trim(src, "\n"), strings.TrimRight(want, "\n")
				got := k.text(t, i+1, src, func(u *engine.Unit) string { return text(u, note) })
				if got != want && !update {
					t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, note, src, got, want)
				}
				out += fmt.Sprintf("\n>>>%s\n%s\n---\n%s\n", note, src, got)
			}
			if update {
				if err := os.WriteFile(file, []byte(strings.TrimPrefix(out, "\n")), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Texts returns the texts that an engine makes of the cells of one session.
func Texts(t *testing.T, open func(*check.Library) engine.Engine, sources []string) []string {
	t.Setenv("GOMODCACHE", t.TempDir())
	k := newCells(t, open)
	var texts []string
	for i, src := range sources {
		texts = append(texts, k.text(t, i+1, src, func(u *engine.Unit) string { return u.Text }))
	}
	return texts
}

// cells are the cells of one session, without modules.
type cells struct {
	fset    *token.FileSet
	checker *check.Checker
	engine  engine.Engine
	scope   *check.Scope
	history check.History
}

func newCells(t *testing.T, open func(*check.Library) engine.Engine) *cells {
	k := &cells{fset: token.NewFileSet(), scope: check.NewScope()}
	var lib *check.Library
	k.checker, lib = check.Open(k.fset, t.TempDir(), nil, nil)
	k.engine = open(lib)
	return k
}

// text returns what the engine makes of a cell and enters what it declares, as if it had run.
func (k *cells) text(t *testing.T, id int, src string, text func(*engine.Unit) string) string {
	mark, made := k.scope.Snapshot(), k.engine.Snapshot()
	var stages []*check.Checked
	var texts []string
	problems := k.walk(id, src, func(ch *check.Checked) []cell.Problem {
		stages = append(stages, ch)
		u, err := k.engine.Part(ch.Part)
		if refusals, ok := err.(engine.Refusals); ok {
			var problems []cell.Problem
			for _, r := range refusals {
				problems = append(problems, cell.Problem{Msg: r.Msg})
			}
			return problems
		} else if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.TrimRight(text(u), "\n"))
		return nil
	})
	if problems == nil {
		return strings.Join(texts, "\n\n")
	}
	for _, ch := range slices.Backward(stages) {
		ch.Revert()
	}
	k.engine.Rollback(made)
	k.scope.Rollback(mark)
	var lines []string
	for _, p := range problems {
		lines = append(lines, "refused: "+p.Msg)
	}
	return strings.Join(lines, "\n")
}

// walk checks the stages of a cell.
func (k *cells) walk(id int, src string, checked func(*check.Checked) []cell.Problem) []cell.Problem {
	parsed, problems := cell.Read(src).Parse(k.fset, id, cell.Options{})
	if problems != nil {
		return problems
	}
	check.AddMusts(k.fset, parsed, k.scope)
	if problems := k.checker.AddHistory(parsed, k.scope, &k.history); problems != nil {
		return problems
	}
	show := cell.ShownPieces(parsed)
	cell.CallInitAndMain(parsed)
	return check.Walk{Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) {
		ch, problems := k.checker.Check(id, k.scope, st, show)
		if problems == nil {
			problems = checked(ch)
		}
		return ch, problems
	}}.Through(parsed, k.scope)
}
