package interp

import (
	"context"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/wire"
)

// actions answer the magics that concern the session.
var actions map[string]func(s *Session, ctx context.Context, c Cell, arg string) *wire.Error

func init() { // it refers to itself by way of what it calls
	actions = map[string]func(s *Session, ctx context.Context, c Cell, arg string) *wire.Error{
		"%who":    (*Session).who,
		"%whos":   (*Session).whos,
		"%del":    (*Session).del,
		"%test":   (*Session).testMagic,
		"%stale":  (*Session).staleMagic,
		"%rerun":  (*Session).rerunMagic,
		"%get":    (*Session).getMagic,
		"%reset":  (*Session).resetMagic,
		"%replay": (*Session).replayMagic,
		"%load":   (*Session).load,
		"%fmt":    (*Session).formatMagic,
		"%doc":    (*Session).docMagic,
		"%magics": (*Session).listMagics,
	}
}

// listMagics prints all magics with their help.
func (s *Session) listMagics(_ context.Context, c Cell, _ string) *wire.Error {
	var b strings.Builder
	for _, name := range cell.MagicNames() {
		b.WriteString(cell.MagicNamed(name).Help())
	}
	b.WriteString("!command\n    Runs a command in the shell.\n")
	s.opts.Sink.Stream(c.ID, "stdout", b.String())
	return nil
}
