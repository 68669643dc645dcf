package interp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gaucho/interp/wire"
)

// A stale cell is one that ran before something that it uses was declared again or changed, or one that uses what such a
// cell made.
type staleCell struct {
	run *ranCell
	why string
}

// stale lists the stale cells in the order in which they ran.
func (l *ledger) stale() []staleCell {
	var out []staleCell
	stale := map[*ranCell]bool{}
	for _, r := range l.runs {
		if why := l.why(r, stale); why != "" {
			stale[r] = true
			out = append(out, staleCell{r, why})
		}
	}
	return out
}

// why says why a cell is stale, in words; empty when it is not. Cells that ran earlier have been looked at.
func (l *ledger) why(r *ranCell, stale map[*ranCell]bool) string {
	var reasons []string
	read, bound := l.needs(r)
	for _, name := range slices.Concat(read, bound) {
		c, ok := l.changes[name]
		switch {
		case !ok:
		case c.at > r.at && c.declared && c.again:
			reasons = append(reasons, fmt.Sprintf("In [%d] declared %s again", c.by.cell.Number, name))
		case c.at > r.at && c.declared:
			reasons = append(reasons, fmt.Sprintf("In [%d] declared %s", c.by.cell.Number, name))
		case c.at > r.at:
			reasons = append(reasons, fmt.Sprintf("In [%d] changed %s", c.by.cell.Number, name))
		case c.at < r.at && stale[c.by]:
			reasons = append(reasons, fmt.Sprintf("%s is from In [%d], which is stale", name, c.by.cell.Number))
		}
	}
	return strings.Join(reasons, "; ")
}

func (s *Session) staleCells() []staleCell {
	s.front.Lock()
	defer s.front.Unlock()
	return s.ledger.stale()
}

// staleMagic lists the stale cells.
func (s *Session) staleMagic(_ context.Context, c Cell, _ string) *wire.Error {
	list := s.staleCells()
	if len(list) == 0 {
		s.opts.Sink.Stream(c.ID, "stdout", "No cell is stale.\n")
		return nil
	}
	var b strings.Builder
	for _, st := range list {
		fmt.Fprintf(&b, "In [%d]: %s\n    %s\n", st.run.cell.Number, firstLine(st.run.cell.Source), st.why)
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

// rerunMagic runs the stale cells again, in the order in which they ran. What they show appears here.
func (s *Session) rerunMagic(ctx context.Context, c Cell, _ string) *wire.Error {
	list := s.staleCells()
	slices.SortStableFunc(list, func(a, b staleCell) int { return a.run.at - b.run.at })
	if len(list) == 0 {
		s.opts.Sink.Stream(c.ID, "stdout", "No cell is stale.\n")
	}
	for _, st := range list {
		cell := st.run.cell
		s.opts.Sink.Stream(c.ID, "stdout", fmt.Sprintf("In [%d]: %s\n", cell.Number, firstLine(cell.Source)))
		cell.ID, cell.Stdin = c.ID, c.Stdin
		res := s.execute(ctx, cell)
		if res.Err != nil {
			s.opts.Sink.Stream(c.ID, "stderr", strings.Join(res.Err.Traceback, "\n")+"\n")
			return &wire.Error{Name: res.Err.Name, Value: fmt.Sprintf("In [%d] failed: %s", cell.Number, res.Err.Value)}
		}
		if res.Display != nil {
			s.opts.Sink.Display(c.ID, *res.Display)
		}
	}
	return nil
}
