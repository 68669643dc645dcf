package lower

import (
	"context"
	"go/types"

	"gaucho/interp/engine"
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// Yaegi is the kind of engine whose units are text for the interpreter.
type Yaegi struct{}

func (Yaegi) Name() string { return "yaegi" }

// New returns an engine that interprets cells, and packages of modules in the variants that suit it.
func (Yaegi) New(lib engine.Library, sources *modules.Set, _ func(cell int) string) engine.Engine {
	if sources != nil {
		sources.Plain()
	}
	return New(lib)
}

// Suspect reports false: interpreted code can do to the worker only what compiled functions do that it calls.
func (Yaegi) Suspect(*wire.Error) bool { return false }

func (Yaegi) Close() error { return nil }

// Build has nothing to do: the interpreter takes the text.
func (s *Session) Build(context.Context, *wire.Unit, func(what string)) error { return nil }

// Pointers returns nil: a part takes them, as &x.
func (s *Session) Pointers([]*types.Var) [][2]string { return nil }
