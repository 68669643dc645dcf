package interp

import (
	"context"
	"fmt"
	"go/types"
	"time"

	"gaucho/interp/wire"
)

// An unreadError is a variable of type error that a statement of the top level sets, and that nothing after it in the cell
// mentions.
type unreadError struct {
	name string
	line int
}

// unreadErrors finds them in a cell whose names mean what the scope says. A function of the cell that mentions the name may
// read it whenever it is called.
func unreadErrors(cell *parsedCell, sc *scope) []unreadError {
	var out []unreadError
	for i, p := range cell.pieces {
		if p.kind != varChunk || p.ours {
			continue
		}
		for _, name := range p.declares() {
			e := sc.names[name]
			if e == nil || e.cell != cell.id || !isErrorVar(e.obj) || p.text != e.text || mentioned(cell.pieces, i, name) {
				continue
			}
			out = append(out, unreadError{name, p.line})
		}
	}
	return out
}

func isErrorVar(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && types.Identical(v.Type(), types.Universe.Lookup("error").Type())
}

// mentioned reports whether a piece after the one with the index at, or a function before it, mentions a name.
func mentioned(pieces []*piece, at int, name string) bool {
	for i, p := range pieces {
		if i != at && (i > at || p.kind == funcChunk) && p.names.used[name] {
			return true
		}
		for _, n := range p.declares() {
			if i > at && n == name {
				return true // it is another variable by then
			}
		}
	}
	return false
}

// tellUnread says under a cell which errors that nothing has read are not nil.
func (s *Session) tellUnread(ctx context.Context, c Cell, prog *program) {
	var names []string
	lines := map[string]int{}
	s.front.Lock()
	for _, u := range prog.unread {
		if e := s.scope.names[u.name]; e != nil && e.cell == prog.id && isErrorVar(e.obj) { // the cell came so far
			names = append(names, u.name)
			lines[u.name] = u.line
		}
	}
	s.front.Unlock()
	if len(names) == 0 || ctx.Err() != nil || !s.point(ctx, names) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	seen, err := s.worker.Look(ctx, &wire.Look{Names: names})
	if err != nil || !seen.OK {
		return
	}
	for _, it := range seen.Items {
		if it.Text != "nil" {
			s.say(c, "%s", fmt.Sprintf("Note: %s of line %d is not nil, and nothing read it: %s\n", it.Name, lines[it.Name], it.Text))
		}
	}
}
