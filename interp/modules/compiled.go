package modules

import (
	"bytes"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/gcexportdata"
)

// Checking a package from its source takes most of the time of a session that uses modules which were compiled before. So an engine
// that keeps compiled packages may give what the compiler says of their types.

// A Compiled gives the archive of a package that was compiled before, nil if it was not, and the path under which it was compiled. The
// package has no types yet; those that it imports have.
type Compiled interface {
	Archive(p *Package, path string) []byte
	CompiledPath(path string) string
}

// UseCompiled has packages read from now on get their types from what was compiled before. They have no Info then.
func (s *Set) UseCompiled(c Compiled) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compiled = c
}

// fromCompiled returns the types of a package that was compiled before, nil if it must be checked.
func (s *Set) fromCompiled(l *loading, p *Package, path string) *types.Package {
	if s.compiled == nil {
		return nil
	}
	var direct []*types.Package
	for _, name := range p.ImportPaths() {
		if name == "unsafe" {
			direct = append(direct, types.Unsafe)
			continue
		}
		t, err := s.dependency(l, p, path, name)
		if err != nil {
			return nil // which the check says in words
		}
		direct = append(direct, t)
	}
	archive := s.compiled.Archive(p, path)
	if archive == nil {
		return nil
	}
	t := s.exported(archive, path, p.Files[0].Name.Name, direct)
	if t != nil {
		t.SetImports(direct)
	}
	return t
}

// ImportPaths are the paths of the packages that a package imports, sorted.
func (p *Package) ImportPaths() (paths []string) {
	for _, f := range p.Files {
		for _, im := range f.Imports {
			if path, err := strconv.Unquote(im.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// exported reads the types of a package from its archive, nil if that mentions packages that are not to be had here: a type must not
// be two.
func (s *Set) exported(archive []byte, path, name string, direct []*types.Package) *types.Package {
	known := map[string]*types.Package{}
	var add func(t *types.Package)
	add = func(t *types.Package) {
		as := t.Path()
		if s.packages[as] != nil {
			as = s.compiled.CompiledPath(as)
		}
		if known[as] != nil {
			return
		}
		known[as] = t
		for _, im := range t.Imports() {
			add(im)
		}
	}
	for _, t := range direct {
		add(t)
	}
	own := s.compiled.CompiledPath(path)
	for {
		in, err := gcexportdata.NewReader(bytes.NewReader(archive)) //lint:ignore SA1019 where archives are read no more, packages are read from their source
		if err != nil {
			return nil
		}
		before := len(known)
		imports := maps.Clone(known)
		imports[own] = types.NewPackage(path, name)
		t, err := gcexportdata.Read(in, s.fset, imports, own)
		if err != nil {
			return nil
		}
		for as, found := range imports {
			if known[as] != nil || as == own {
				continue
			}
			more, err := s.importer.Import(as)
			if err == nil {
				add(more)
			} else if found.Scope().Len() > 0 {
				return nil
			} // else another package imports it, and nothing here is of it
		}
		if len(known) == before {
			return t
		}
	}
}
