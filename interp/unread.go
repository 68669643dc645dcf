package interp

import (
	"context"
	"fmt"
	"time"

	"gaucho/interp/wire"
)

// tellUnread says under a cell which errors that nothing has read are not nil.
func (s *Session) tellUnread(ctx context.Context, c Cell, prog *program) {
	var names []string
	lines := map[string]int{}
	for _, u := range s.front.unread(prog) {
		names = append(names, u.Name)
		lines[u.Name] = u.Line
	}
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
