package worker

import (
	"fmt"
	"regexp"
	"strings"

	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
	"gaucho/interp/wire"
)

// failure puts the ending of a cell in the terms of the wire; nil when the cell ran to its end.
func (w *server) failure(end run.Ending) *wire.Error {
	switch {
	case end.Stop != nil:
		return &wire.Error{Name: end.Stop.Name, Value: end.Stop.Value, Code: end.Stop.Code, Trace: frames(end.Notes)}
	case end.Panic != nil:
		name, message := value.Describe(end.Panic)
		name, message = run.PlainNames(name), olderType(run.PlainNames(message))
		return &wire.Error{Name: name, Value: message, Trace: frames(end.Notes), Calls: calls(end.Calls)}
	}
	return nil
}

// olderType says why an assertion fails for a type that a cell has declared again.
func olderType(message string) string {
	return strings.Replace(message, "(types from different packages)",
		"(the value was made with an earlier declaration of the type; make it again with the present one)", 1)
}

// failureText reports in words that something other than a cell's main goroutine failed.
func (w *server) failureText(what string, e *wire.Error) string {
	if e == nil {
		return ""
	}
	return fmt.Sprintf("%s: %s: %s\n%s", what, e.Name, strings.TrimPrefix(e.Value, e.Name+": "), strings.Join(w.places(e), ""))
}

// traceback returns the lines of an error output: what failed, and where.
func (w *server) traceback(e *wire.Error) []string {
	lines := []string{"\x1b[1m" + e.Name + "\x1b[0m: " + strings.TrimPrefix(e.Value, e.Name+": ")}
	for _, place := range w.places(e) {
		lines = append(lines, strings.TrimSuffix(place, "\n"))
	}
	return lines
}

// places returns a line for each place that an error passed; where it passed one several times in a row, as in a recursion, a line
// says how often.
func (w *server) places(e *wire.Error) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var lines []string
	last, again := "", 0
	for _, f := range e.Trace {
		if _, ok := w.numbers[f.Cell]; !ok {
			continue // of a module
		}
		line := fmt.Sprintf("    Cell [%d], line %d", w.numbers[f.Cell], f.Line)
		switch {
		case f.Start && f.Function != "":
			line += ", where " + f.Function + " starts"
		case f.Function != "":
			line += ", in " + f.Function
		}
		if line != last {
			lines, last, again = append(lines, line+"\n"), line, 0
			continue
		}
		if again++; again == 1 {
			lines = append(lines, "    (the same place 1 more time)\n")
		} else {
			lines[len(lines)-1] = fmt.Sprintf("    (the same place %d more times)\n", again)
		}
	}
	return lines
}

// frames turns the places that a panic passed into frames with the names that the cell's author gave.
func frames(notes []run.Note) []wire.Frame {
	list := make([]wire.Frame, 0, len(notes))
	for _, n := range notes {
		if strings.HasPrefix(n.Function, "s_") {
			continue // it only calls what initialises packages
		}
		f := wire.Frame{Cell: n.Cell, Line: n.Line, Column: n.Column, Function: functionName(n.Function), Start: n.Start}
		list = append(list, f)
	}
	return list
}

// calls puts calls of libraries in the terms of the wire.
func calls(list []run.Call) []wire.Call {
	var out []wire.Call
	for _, c := range list {
		out = append(out, wire.Call(c))
	}
	return out
}

// functionName restores a function's name from the one in lowered text: f_step_1 is step, f_PǃM_1_2 is P.M, and c_12 is
// the top level of a cell. A function literal has the name of the function that it is in, and .func.
func functionName(s string) string {
	if name, ok := nativeName(s); ok {
		return name
	}
	name, literal := s, false
	for strings.HasSuffix(name, ".func") {
		name, literal = strings.TrimSuffix(name, ".func"), true
	}
	switch {
	case strings.HasPrefix(name, "f_"):
		name = strings.ReplaceAll(loweredName.ReplaceAllString(name[2:], ""), "ǃ", ".")
	case strings.HasPrefix(name, "c_"):
		if literal {
			return "func"
		}
		return ""
	}
	if literal {
		return name + ".func"
	}
	return name
}

// nativeName restores a function's name from the one in a compiled cell: Fǃstep is step, FǃPǃM.func1 a literal in P.M,
// FǃPǃM-range1 the body of a loop over a function in P.M, and entryǃ the top level of a cell.
func nativeName(s string) (string, bool) {
	if i := strings.LastIndex(s, ".Fǃ"); i >= 0 { // of a function that the compiler has put into another
		s = s[i+1:]
	}
	name, rest, _ := strings.Cut(s, ".")
	name, _, _ = strings.Cut(name, "[")
	name, _, _ = strings.Cut(name, "-range")
	literal := strings.Contains(rest, "func")
	loop := loopBody.MatchString(s)
	if name == "entryǃ" {
		if loop {
			return "the loop", true
		}
		if literal {
			return "func", true
		}
		return "", true
	}
	if strings.HasPrefix(s, "(*") || strings.Contains(rest, "ǃ") || !strings.HasPrefix(name, "Fǃ") {
		return strings.ReplaceAll(s, run.HiddenMethod, ""), strings.HasPrefix(s, "(*")
	}
	words := strings.Split(name, "ǃ")[1:]
	if n := len(words) - 1; n > 0 && strings.Trim(words[n], "0123456789") == "" {
		words = words[:n] // the second of its name in the package
	}
	name = strings.Join(words, ".")
	if literal {
		name += ".func"
	}
	if loop {
		name = "the loop of " + name
	}
	return name, true
}

// loopBody is the end of the name of a function that the compiler makes of the body of a loop over a function.
var loopBody = regexp.MustCompile(`-range\d+$`)

// loweredName is what lowering adds to a function's name to distinguish its versions.
var loweredName = regexp.MustCompile(`_1(_[0-9]+)?$`)
