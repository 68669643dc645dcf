package interp

import (
	"context"
	"slices"

	"gaucho/interp/check"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// Fetching a module can take long, and what is checked holds the front end that completes and inspects. So the modules that
// a cell names are fetched before it is checked, while completion answers with what is known.

// fetch fetches the modules of what a cell imports, and returns how the cell gets others.
func (s *Session) fetch(ctx context.Context, c Cell, imports []string) *check.Fetching {
	f := &check.Fetching{Ctx: ctx, Failed: map[string]error{}, Tell: func(path string) {
		s.say(c, "Fetching the module of %s ...\n", path)
	}}
	if len(s.opts.Forbidden) > 0 {
		return f
	}
	sources := s.front.modules()
	for _, path := range imports {
		if (!modules.Outside(path) || slices.Contains(symbols.Paths(), path)) && !sources.Local(path) || sources.Loaded(path) != nil {
			continue
		}
		s.ignored.Do(func() { s.noteIgnored(c) })
		if err := sources.Fetch(f.Ctx, path, f.Tell); err != nil {
			f.Failed[path] = err
		}
	}
	return f
}

// noteIgnored says that vendored packages are not used.
func (s *Session) noteIgnored(c Cell) {
	if s.front.modules().Vendored() {
		s.say(c, "The vendor directory of the notebook's module is not used: modules come from the module cache, at the versions of go.mod.\n")
	}
}
