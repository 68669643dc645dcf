package interp

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/wire"
)

// ANSI sequences. JupyterLab shows errors on pink or dark red, where of its colours bold cyan alone can be read on both.
const (
	strong = "\x1b[1m"
	bluish = "\x1b[1;36m"
	plain  = "\x1b[0m"
)

// compileError reports problems with their lines and a caret under the place, all at once.
func compileError(at place, problems []problem) *Error {
	slices.SortStableFunc(problems, func(a, b problem) int {
		if a.pos.Line != b.pos.Line {
			return a.pos.Line - b.pos.Line
		}
		return a.pos.Column - b.pos.Column
	})
	problems = slices.CompactFunc(problems, func(a, b problem) bool { return a.pos == b.pos && a.msg == b.msg })
	e := &Error{Name: "CompileError", Value: problems[0].msg}
	if n := len(problems) - 1; n > 0 {
		e.Value += fmt.Sprintf(" (and %s)", count(n, "more error"))
	}
	for _, p := range problems {
		e.Traceback = append(e.Traceback, bluish+at.name(p.pos.Line, p.pos.Column)+": "+plain+strong+p.msg+plain)
		if p.pos.Line >= 1 && p.pos.Line <= len(at.lines) {
			e.Traceback = append(e.Traceback, caret(at.lines[p.pos.Line-1], p.pos.Column)...)
		}
		if p.hint != "" {
			e.Traceback = append(e.Traceback, "    "+p.hint)
		}
	}
	return e
}

// caret shows a line with a mark under its column (in bytes, from 1); column 0 marks nothing.
func caret(line string, column int) []string {
	out := []string{"    " + strings.ReplaceAll(line, "\t", "    ")}
	if column < 1 || column > len(line)+1 {
		return out
	}
	before := strings.ReplaceAll(line[:column-1], "\t", "    ")
	return append(out, "    "+strings.Repeat(" ", len([]rune(before)))+strong+"^"+plain)
}

// count is "1 error", "2 errors".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A place is where a cell came from, to name and show lines of it.
type place struct {
	number int
	file   string // of a program
	lines  []string
}

func placeOf(c Cell, src string) place {
	p := place{number: c.Number, lines: strings.Split(src, "\n")}
	if c.Program {
		p.file = c.ID
	}
	return p
}

// maxPlace is the size of the largest cell whose lines are kept.
const maxPlace = 1 << 20

// kept is what is kept of the place of a cell that runs, for errors that come later.
func (p place) kept() place {
	size := 0
	for _, l := range p.lines {
		size += len(l)
	}
	if size > maxPlace {
		p.lines = nil
	}
	return p
}

// name is how people find a line of the place; column 0 is left out.
func (p place) name(line, column int) string {
	if p.file != "" {
		if column > 0 {
			return fmt.Sprintf("%s:%d:%d", p.file, line, column)
		}
		return fmt.Sprintf("%s:%d", p.file, line)
	}
	if column > 0 {
		return fmt.Sprintf("Cell [%d], line %d, column %d", p.number, line, column)
	}
	return fmt.Sprintf("Cell [%d], line %d", p.number, line)
}

// runError reports what a cell failed with while it ran. Frames stand innermost last, as Python and IPython users
// expect them to end at the error.
func runError(e *wire.Error, places func(cell int) (place, bool)) *Error {
	out := &Error{Name: errorName(e.Name), Value: strings.TrimPrefix(e.Value, e.Name+": ")}
	frames := slices.Clone(e.Trace)
	slices.Reverse(frames)
	for i := 0; i < len(frames); {
		f, n := frames[i], 1
		for i+n < len(frames) && frames[i+n] == f {
			n++
		}
		out.Traceback = append(out.Traceback, frameLines(f, places)...)
		if n > 1 {
			out.Traceback = append(out.Traceback, fmt.Sprintf("    (the same place %s)", count(n-1, "more time")))
		}
		i += n
	}
	out.Traceback = append(out.Traceback, headline(e)...)
	return out
}

// frameLines shows a frame with its line of source, nothing of cells that are not known.
func frameLines(f wire.Frame, places func(cell int) (place, bool)) []string {
	p, ok := places(f.Cell)
	if !ok {
		return nil
	}
	where := p.name(f.Line, 0)
	switch {
	case f.Start && f.Function != "":
		where += ", where " + f.Function + " starts"
	case f.Function != "":
		where += ", in " + f.Function
	}
	out := []string{bluish + where + plain}
	if f.Line >= 1 && f.Line <= len(p.lines) {
		out = append(out, "    "+strings.TrimSpace(p.lines[f.Line-1]))
	}
	return out
}

// errorName is the name under which an error is reported: its type's, or "error" for the types that only hold a text.
func errorName(name string) string {
	switch name {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors", "*errors.joinError":
		return "error"
	}
	return name
}

// atStatement puts the statement of the top level that a cell came to in the place of the cell's start, where the engine
// knew no more.
func atStatement(e *wire.Error, cell, line int) {
	if len(e.Trace) == 0 && (e.Name == "Interrupt" || e.Name == "fatal error") { // in a wait of a library's
		e.Trace = []wire.Frame{{Cell: cell, Line: line}}
		return
	}
	for i, f := range e.Trace {
		if f.Start && f.Function == "" && f.Cell == cell {
			e.Trace[i] = wire.Frame{Cell: cell, Line: line}
		}
	}
}

// headline is the last word of a traceback: what went wrong.
func headline(e *wire.Error) []string {
	text := e.Value
	if name := errorName(e.Name); name != "" && !strings.HasPrefix(e.Value, name) {
		text = name + ": " + e.Value
	}
	var out []string
	for _, l := range strings.Split(text, "\n") {
		out = append(out, strong+l+plain)
	}
	return out
}

// oldCallers tells that a function has a new signature and who still calls the old one.
func oldCallers(f *types.Func, callers []string) string {
	verb := "calls"
	if len(callers) > 1 {
		verb = "call"
	}
	return fmt.Sprintf("%s has a new signature; %s %s the earlier one until declared again", f.Name(), strings.Join(callers, ", "), verb)
}
