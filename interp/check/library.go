package check

import (
	"context"
	"errors"
	"go/token"
	"go/types"
	"strings"

	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// A Library is what cells can import.
type Library struct {
	*symbols.Importer
	Forbidden []string     // paths that may not be imported; one that ends in a slash is for all below it
	Modules   *modules.Set // packages that come with their source
	Fetching  *Fetching    // how the cell that is being checked gets modules; nil for none
}

func (l *Library) Import(path string) (*types.Package, error) {
	for _, f := range l.Forbidden {
		if path == f || strings.HasSuffix(f, "/") && strings.HasPrefix(path, f) {
			return nil, errForbidden
		}
	}
	return l.Importer.Import(path)
}

func (*Library) ByName(name string) []string          { return symbols.ByName(name) }
func (*Library) Source(path string) map[string]string { return symbols.Source(path) }
func (*Library) Has(path, name string) bool           { return symbols.Has(path, name) }
func (*Library) Asserts(path string) bool             { return symbols.Asserts(path) }

// Module returns a package that was read from its module's source, nil for others.
func (l *Library) Module(path string) *modules.Package {
	return l.Modules.Loaded(path)
}

// A Fetching is how a cell gets modules.
type Fetching struct {
	Ctx    context.Context
	Tell   func(path string) // that one is being fetched
	Failed map[string]error  // packages that were not to be had for this cell
}

// Open returns a checker of cells in a directory, and what they can import. before, if not nil, is the library of the checker
// that this one comes after: what was fetched stays, but types are read anew.
func Open(fset *token.FileSet, dir string, forbidden []string, before *Library) (*Checker, *Library) {
	lib := &Library{Importer: symbols.NewImporter(), Forbidden: forbidden}
	c := newChecker(fset, lib, lib)
	lib.Modules = modules.New(dir, lib, c.Fset)
	if before != nil {
		lib.Modules.After(before.Modules)
	}
	c.Importer = &fetcher{lib}
	return c, lib
}

// A fetcher imports packages of any module, as well as those that come with Gaucho. Only a cell that runs fetches.
type fetcher struct {
	*Library
}

// Import returns a package. Where it has to be fetched, only a cell that runs does so. The error for one that is not to be
// had is a [modules.Error].
func (m *fetcher) Import(path string) (*types.Package, error) {
	p, err := m.Library.Import(path)
	if err == nil || errors.Is(err, errForbidden) {
		return p, err
	}
	set := m.Modules
	if p := set.Loaded(path); p != nil {
		return p.Types, nil
	}
	if len(m.Forbidden) > 0 || !modules.Outside(path) && !set.Local(path) {
		return nil, err
	}
	f := m.Fetching
	ctx, tell := context.Background(), (func(string))(nil)
	if f != nil {
		if err := f.Failed[path]; err != nil {
			return nil, err
		}
		ctx, tell = f.Ctx, f.Tell
	}
	loaded, err := set.Import(ctx, path, tell)
	if err != nil {
		if f != nil {
			f.Failed[path] = err
		}
		return nil, err
	}
	return loaded.Types, nil
}
