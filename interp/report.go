package interp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gaucho/internal/words"
	"gaucho/interp/cell"
	"gaucho/interp/wire"
)

// compileError reports problems.
func compileError(at cell.Place, problems []cell.Problem) *Error {
	value, traceback := at.Report(problems)
	return &Error{Name: "CompileError", Value: value, Traceback: traceback}
}

func placeOf(c Cell, src string) cell.Place {
	p := cell.Place{Number: c.Number, Lines: strings.Split(src, "\n")}
	if c.Program {
		p.File = c.ID
	}
	return p
}

// failure reports what a cell failed with. When the worker went with it, the session begins anew.
func (s *Session) failure(c Cell, e *wire.Error) *Error {
	s.front.Lock()
	out := runError(e, s.front.placeOf)
	out.HTML = s.tracebackHTML(e)
	s.front.Unlock()
	if out.Lost = e.Lost; e.Lost {
		s.lose(e)
	}
	if e.Lost && !c.Program {
		out.Traceback = append(out.Traceback, "All variables are lost. %replay runs the session's declarations again and restores saved data.")
	}
	return out
}

// runError reports what a cell failed with while it ran. Frames are innermost last, as Python and IPython users
// expect them to end at the error.
func runError(e *wire.Error, places func(cell int) (cell.Place, bool)) *Error {
	out := &Error{Name: errorName(e.Name), Value: strings.TrimPrefix(e.Value, e.Name+": ")}
	frames := slices.Clone(e.Trace)
	slices.Reverse(frames)
	cycle := ""
	if overflows(e) {
		frames, cycle = oneCycle(frames)
	}
	for i := 0; i < len(frames); {
		f, n := frames[i], 1
		for i+n < len(frames) && frames[i+n] == f {
			n++
		}
		out.Traceback = append(out.Traceback, frameLines(f, places)...)
		if n > 1 {
			out.Traceback = append(out.Traceback, fmt.Sprintf("    (the same place %s)", words.Count(n-1, "more time")))
		}
		i += n
	}
	if cycle != "" {
		out.Traceback = append(out.Traceback, cycle)
	}
	out.Traceback = append(out.Traceback, headline(e)...)
	return out
}

// overflows reports whether a cell failed because functions called each other without end.
func overflows(e *wire.Error) bool { return strings.HasPrefix(e.Value, "stack overflow") }

// oneCycle cuts the calls of a stack that has overflown, outermost first, to the place where they began and one round of those
// that repeat, and says that they do. How often they did is not known.
func oneCycle(frames []wire.Frame) ([]wire.Frame, string) {
	begin := 0
	for begin < len(frames) && frames[begin].Function == "" {
		begin++
	}
	calls := frames[begin:]
	if len(calls) > 3 { // the last one may be on its way into its function
		calls = calls[:len(calls)-1]
	}
	for p := 1; p <= len(calls)/3; p++ {
		if slices.Equal(calls[p:], calls[:len(calls)-p]) {
			if p == 1 {
				return frames[:begin+1], "    (which calls itself without end)"
			}
			return frames[:begin+p], fmt.Sprintf("    (these %d places call each other without end)", p)
		}
	}
	return frames, ""
}

// frameLines shows a frame with its line of source, nothing of cells that are not known.
func frameLines(f wire.Frame, places func(cell int) (cell.Place, bool)) []string {
	p, ok := places(f.Cell)
	if !ok {
		return nil
	}
	where := p.Name(f.Line, 0)
	switch {
	case f.Start && f.Function != "":
		where += ", where " + f.Function + " starts"
	case f.Function != "":
		where += ", in " + f.Function
	}
	out := []string{cell.Bluish + where + cell.Plain}
	if f.Line >= 1 && f.Line <= len(p.Lines) {
		out = append(out, "    "+strings.TrimSpace(p.Lines[f.Line-1]))
	}
	return out
}

// unexportedType is the name of a type of a library that its users cannot name.
var unexportedType = regexp.MustCompile(`^\*?\w+\.\p{Ll}\w*$`)

// errorName is the name under which an error is reported: its type's, or "error" for the types of libraries that have no exported name.
func errorName(name string) string {
	switch {
	case unexportedType.MatchString(name) && !strings.HasPrefix(strings.TrimPrefix(name, "*"), "main."):
		return "error"
	case name == "value.Refused": // the interpreter's own, not of a package that a cell knows
		return "Refused"
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
	if n := len(e.Trace); overflows(e) && n > 0 && (e.Trace[n-1].Function != "" || e.Trace[n-1].Line != line) { // the stack's end is far
		e.Trace = append(e.Trace, wire.Frame{Cell: cell, Line: line})
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
		out = append(out, cell.Strong+l+cell.Plain)
	}
	return out
}
