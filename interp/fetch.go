package interp

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// Fetching a module can take long, and what is checked holds the front end that completes and inspects. So the modules that
// a cell names are fetched before it is checked, while completion answers with what is known.

// startFetching fetches the modules that a cell imports, and returns how it gets others.
func (s *Session) startFetching(ctx context.Context, c Cell, t cell.Text) *check.Fetching {
	f := &check.Fetching{Ctx: ctx, Failed: map[string]error{}, Tell: func(path string) {
		s.say(c, "Fetching the module of %s ...\n", path)
	}}
	if len(s.opts.Forbidden) > 0 {
		return f
	}
	sources := s.modules()
	for _, path := range imported(t) {
		if (!modules.Outside(path) || slices.Contains(symbols.Paths(), path)) && !sources.Local(path) || sources.Loaded(path) != nil {
			continue
		}
		s.tellIgnored(c)
		if err := sources.Fetch(f.Ctx, path, f.Tell); err != nil {
			f.Failed[path] = err
		}
	}
	return f
}

// modules are those that cells import from.
func (s *Session) modules() *modules.Set {
	s.front.Lock()
	defer s.front.Unlock()
	return s.library.Modules
}

// imported are the paths of the packages that a cell's text imports.
func imported(t cell.Text) []string {
	var out []string
	for _, c := range t.Chunks {
		if c.Kind != cell.ImportChunk {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+t.Source[c.Start:c.End], parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				out = append(out, path)
			}
		}
	}
	return out
}

// tellIgnored says once, when a cell first needs a module, that a workspace or vendored packages next to the notebook are
// not used.
func (s *Session) tellIgnored(c Cell) {
	if s.toldIgnored {
		return
	}
	s.toldIgnored = true
	if _, err := os.Stat(filepath.Join(s.opts.Dir, "go.mod")); err != nil {
		return
	}
	if _, err := os.Stat(filepath.Join(s.opts.Dir, "vendor", "modules.txt")); err == nil {
		s.say(c, "The vendor directory next to the notebook is not used: modules come from the module cache, at the versions of go.mod.\n")
	}
	dir, err := filepath.Abs(s.opts.Dir)
	for err == nil {
		file := filepath.Join(dir, "go.work")
		if _, err := os.Stat(file); err == nil {
			s.say(c, "%s is not used: cells use the go.mod next to the notebook, in which a replace line can name a directory.\n", file)
			return
		}
		if filepath.Dir(dir) == dir {
			return
		}
		dir = filepath.Dir(dir)
	}
}
