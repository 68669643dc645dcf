package interp

import (
	"context"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// Fetching a module can take long, and what is checked holds the front end that completes and inspects. So the modules that
// a cell names are fetched before it is checked, while completion answers with what is known.

// fetching is how a cell gets modules.
type fetching struct {
	ctx    context.Context
	cell   Cell
	failed map[string]error // packages that were not to be had for this cell
}

// startFetching fetches the modules that a cell imports, and returns how it gets others.
func (s *Session) startFetching(ctx context.Context, c Cell, src string) *fetching {
	f := &fetching{ctx: ctx, cell: c, failed: map[string]error{}}
	s.front.Lock()
	importer, ok := s.checker.importer.(*fetcher)
	s.front.Unlock()
	if !ok || len(importer.forbidden) > 0 {
		return f
	}
	for _, path := range imported(src) {
		if (!modules.Outside(path) || slices.Contains(symbols.Paths(), path)) && !s.sources.Local(path) || s.sources.Loaded(path) != nil {
			continue
		}
		s.tellIgnored(c)
		if err := s.sources.Fetch(f.ctx, path, s.tellFetching(f)); err != nil {
			f.failed[path] = err
		}
	}
	return f
}

// imported are the paths of the packages that a cell's text imports.
func imported(src string) []string {
	var out []string
	for _, c := range split(src) {
		if c.kind != importChunk {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", "package main;"+src[c.start:c.end], parser.ImportsOnly)
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

// tellIgnored tells once, where a cell first needs a module, that a workspace or vendored packages beside the notebook are
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
		s.say(c, "The vendor folder beside the notebook is not used: modules are those of the module cache, at the versions of go.mod.\n")
	}
	dir, err := filepath.Abs(s.opts.Dir)
	for err == nil {
		file := filepath.Join(dir, "go.work")
		if _, err := os.Stat(file); err == nil {
			s.say(c, "%s is not used: notebooks follow the go.mod beside them, where a replace line can name a folder.\n", file)
			return
		}
		if filepath.Dir(dir) == dir {
			return
		}
		dir = filepath.Dir(dir)
	}
}
