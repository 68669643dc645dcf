package interp

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"gaucho/interp/cell"
	"gaucho/interp/wire"
)

// A tracer writes what becomes of each cell, if to is not nil.
type tracer struct {
	mu sync.Mutex
	to io.Writer
}

// event writes one event of a cell: a headline, and text of several lines below it.
func (t *tracer) event(id int, headline, text string) {
	if t.to == nil {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## run %d: %s\n", id, headline)
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		b.WriteString("    " + strings.TrimSuffix(line, "\n") + "\n")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprint(t.to, b.String())
}

// plan writes how a cell, or what is between two of its magics, is laid out in stages.
func (t *tracer) plan(id int, stages []*cell.Stage) {
	if t.to == nil {
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
	t.event(id, "plan", b.String())
}

// units writes what the engine made of a part, as it goes to the worker.
func (t *tracer) units(id int, units []wire.Unit) {
	if t.to == nil {
		return
	}
	for _, u := range units {
		switch {
		case u.Builtin != "":
			t.event(id, "builtin "+u.Builtin, u.Text)
		case u.Package != "":
			t.event(id, "package "+u.Package, u.Text)
		default:
			t.event(id, "lowered, entry "+u.Entry, u.Text)
		}
	}
}

// done writes how far a cell came.
func (t *tracer) done(id int, units int, done *wire.Done) {
	if t.to == nil {
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
	t.event(id, how, text)
}
