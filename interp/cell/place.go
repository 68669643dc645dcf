package cell

import (
	"fmt"
	"slices"
	"strings"

	"gaucho/internal/words"
)

// A Place is where a cell came from, to name and show lines of it.
type Place struct {
	Number int
	File   string // of a program
	Lines  []string
}

// MaxPlace is the size of the largest cell whose lines are kept.
const MaxPlace = 1 << 20

// Kept is what is kept of the place of a cell that runs, for errors that come later.
func (p Place) Kept() Place {
	size := 0
	for _, l := range p.Lines {
		size += len(l)
	}
	if size > MaxPlace {
		p.Lines = nil
	}
	return p
}

// Name is how people find a line of the place; column 0 is left out.
func (p Place) Name(line, column int) string {
	if p.File != "" {
		if column > 0 {
			return fmt.Sprintf("%s:%d:%d", p.File, line, column)
		}
		return fmt.Sprintf("%s:%d", p.File, line)
	}
	if column > 0 {
		return fmt.Sprintf("Cell [%d], line %d, column %d", p.Number, line, column)
	}
	return fmt.Sprintf("Cell [%d], line %d", p.Number, line)
}

// Report is the form of problems: in a line, and with their lines and a caret under the place, all at once.
func (p Place) Report(problems []Problem) (value string, traceback []string) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	problems = slices.CompactFunc(problems, func(a, b Problem) bool { return a.Pos == b.Pos && a.Msg == b.Msg })
	value = problems[0].Msg
	if n := len(problems) - 1; n > 0 {
		value += fmt.Sprintf(" (and %s)", words.Count(n, "more error"))
	}
	for _, x := range problems {
		traceback = append(traceback, Bluish+p.Name(x.Pos.Line, x.Pos.Column)+": "+Plain+Strong+x.Msg+Plain)
		if x.Pos.Line >= 1 && x.Pos.Line <= len(p.Lines) {
			traceback = append(traceback, caret(p.Lines[x.Pos.Line-1], x.Pos.Column)...)
		}
		if x.Hint != "" {
			traceback = append(traceback, "    "+x.Hint)
		}
	}
	return value, traceback
}

// ANSI sequences. JupyterLab shows errors on pink or dark red, where of its colours bold cyan alone can be read on both.
const (
	Strong = "\x1b[1m"
	Bluish = "\x1b[1;36m"
	Plain  = "\x1b[0m"
)

// caret shows a line with a mark under its column (in bytes, from 1); column 0 marks nothing.
func caret(line string, column int) []string {
	out := []string{"    " + strings.ReplaceAll(line, "\t", "    ")}
	if column < 1 || column > len(line)+1 {
		return out
	}
	before := strings.ReplaceAll(line[:column-1], "\t", "    ")
	return append(out, "    "+strings.Repeat(" ", len([]rune(before)))+Strong+"^"+Plain)
}

// Commented is a text as comment lines.
func Commented(doc string) string {
	var b strings.Builder
	for line := range strings.Lines(doc) {
		b.WriteString("// " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}
