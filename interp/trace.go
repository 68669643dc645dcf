package interp

import (
	"fmt"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/wire"
)

// trace writes one event of a cell to Options.Trace: a headline, and text of several lines below it.
func (s *Session) trace(id int, headline, text string) {
	if s.opts.Trace == nil {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## run %d: %s\n", id, headline)
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
	s.tracing.Lock()
	defer s.tracing.Unlock()
	fmt.Fprint(s.opts.Trace, b.String())
}

// tracePlan writes how a cell, or what is between two of its magics, is laid out in stages.
func (s *Session) tracePlan(id int, stages []*cell.Stage) {
	if s.opts.Trace == nil {
		return
	}
	var b strings.Builder
	for i, st := range stages {
		for _, list := range []struct {
			what   string
			pieces []*cell.Piece
		}{{"import", st.Imports}, {"declare", st.Decls}, {"run", st.Body}} {
			for _, p := range list.pieces {
				first, rest, _ := strings.Cut(p.Text, "\n")
				if rest != "" {
					first += " ..."
				}
				fmt.Fprintf(&b, "stage %d, line %d: %s %s\n", i+1, p.Line, list.what, first)
			}
		}
	}
	s.trace(id, "plan", b.String())
}

// traceUnits writes what the engine made of a part, as it goes to the worker.
func (s *Session) traceUnits(id int, units []wire.Unit) {
	if s.opts.Trace == nil {
		return
	}
	for _, u := range units {
		switch {
		case u.Builtin != "":
			s.trace(id, "builtin "+u.Builtin, u.Text)
		case u.Package != "":
			s.trace(id, "package "+u.Package, u.Text)
		default:
			s.trace(id, "lowered, entry "+u.Entry, u.Text)
		}
	}
}

// traceDone writes how far a cell came.
func (s *Session) traceDone(id int, units int, done *wire.Done) {
	if s.opts.Trace == nil {
		return
	}
	how := fmt.Sprintf("ran %d of %d units", min(done.Unit, units), units)
	if done.Unit < units {
		how += fmt.Sprintf(", and %d statements of the next", max(done.Step, 0))
	}
	text := ""
	if done.Error != nil {
		text = done.Error.Name + ": " + strings.TrimPrefix(done.Error.Value, done.Error.Name+": ")
	}
	s.trace(id, how, text)
}
