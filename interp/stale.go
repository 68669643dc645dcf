package interp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gaucho/interp/depend"
	"gaucho/interp/wire"
)

func (s *Session) staleCells() []depend.StaleCell {
	s.front.Lock()
	defer s.front.Unlock()
	return s.front.depends.Stale()
}

// staleMagic lists the stale cells, and those that may be.
func (s *Session) staleMagic(_ context.Context, c Cell, _ string) *wire.Error {
	list := s.staleCells()
	if len(list) == 0 {
		s.opts.Sink.Stream(c.ID, "stdout", "No cell is stale.\n")
		return nil
	}
	var b strings.Builder
	for _, st := range list {
		why := st.Why
		if st.Unknown {
			why = "may be stale: " + why
		}
		fmt.Fprintf(&b, "In [%d]: %s\n    %s\n", st.Run.Cell.Number, firstLine(st.Run.Cell.Source), why)
	}
	s.opts.Sink.Stream(c.ID, "stdout", b.String())
	return nil
}

// firstLine is the first line of a cell that says something.
func firstLine(src string) string {
	for line := range strings.Lines(src) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			return line
		}
	}
	return strings.TrimSpace(src)
}

// rerunMagic runs the stale cells again, and those that may be, in the order in which they ran. What they show appears here.
func (s *Session) rerunMagic(ctx context.Context, c Cell, _ string) *wire.Error {
	list := s.staleCells()
	slices.SortStableFunc(list, func(a, b depend.StaleCell) int { return a.Run.At - b.Run.At })
	if len(list) == 0 {
		s.opts.Sink.Stream(c.ID, "stdout", "No cell is stale.\n")
	}
	for _, st := range list {
		ran := st.Run.Cell
		again := Cell{ID: c.ID, Number: ran.Number, NotebookID: ran.NotebookID, Source: ran.Source, Silent: ran.Silent, Stdin: c.Stdin, Shared: c.Shared}
		s.opts.Sink.Stream(c.ID, "stdout", fmt.Sprintf("In [%d]: %s\n", ran.Number, firstLine(ran.Source)))
		res := s.executeSource(ctx, again)
		if res.Err != nil {
			s.opts.Sink.Stream(c.ID, "stderr", strings.Join(res.Err.Traceback, "\n")+"\n")
			return &wire.Error{Name: res.Err.Name, Value: fmt.Sprintf("In [%d] failed: %s", ran.Number, res.Err.Value)}
		}
		if res.Display != nil {
			s.opts.Sink.Display(c.ID, *res.Display)
		}
	}
	return nil
}
