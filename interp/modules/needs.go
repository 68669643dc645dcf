package modules

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Needs are what a program takes along to build with the modules of a session.
type Needs struct {
	Mod  *modfile.File // requirements, replacements by other modules, exclusions
	Sums []string      // the lines of its go.sum
	Dirs []*Directory  // modules in directories
}

// A Directory is a module that lies in a directory, with the files of its packages that were imported.
type Directory struct {
	Path, Version, Dir string
	Files              map[string]string // where each lies, by its path in the module
}

// Needs returns what a program needs of the modules whose packages were imported, nil for none. Requirements that a go.mod
// lists beside them stay, so that versions are those of the session.
func (s *Set) Needs() *Needs {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.packages) == 0 {
		return nil
	}
	text, err := s.main.Format()
	if err != nil {
		return nil
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil
	}
	n := &Needs{Mod: mod, Dirs: s.directories()}
	for _, r := range s.main.Replace {
		if r.New.Version == "" {
			mod.DropReplace(r.Old.Path, r.Old.Version)
		}
	}
	for _, r := range s.main.Require {
		if s.inDirectory(r.Mod) {
			mod.DropRequire(r.Mod.Path) // those in Dirs have their own
		}
	}
	for _, p := range s.packages {
		if m := (module.Version{Path: p.Module.Path, Version: p.Module.Version}); !s.inDirectory(m) {
			mod.AddRequire(m.Path, m.Version)
		}
	}
	mod.Cleanup()
	mod.SortBlocks()
	for _, key := range slices.Sorted(maps.Keys(s.sums)) {
		n.Sums = append(n.Sums, key+" "+s.sums[key])
	}
	return n
}

// inDirectory reports whether a module is the notebook's own, which has no version, or replaced by a directory.
func (s *Set) inDirectory(m module.Version) bool {
	return m.Version == "" || s.replacement(m).Version == ""
}

// directories lists the modules in directories of which packages were imported, by path.
func (s *Set) directories() []*Directory {
	dirs := map[string]*Directory{}
	for _, p := range s.packages {
		m := p.Module
		if !s.inDirectory(module.Version{Path: m.Path, Version: m.Version}) {
			continue
		}
		d := dirs[m.Path]
		if d == nil {
			d = &Directory{Path: m.Path, Version: m.Version, Dir: m.Dir, Files: map[string]string{}}
			dirs[m.Path] = d
			d.add(m.Dir, "go.mod")
		}
		entries, _ := os.ReadDir(p.Dir)
		for _, e := range entries {
			if name := e.Name(); isSource(name) && e.Type().IsRegular() {
				d.add(p.Dir, name)
			}
		}
		for _, files := range p.Patterns {
			for _, name := range files {
				d.add(p.Dir, filepath.FromSlash(name))
			}
		}
	}
	return slices.SortedFunc(maps.Values(dirs), func(a, b *Directory) int { return strings.Compare(a.Path, b.Path) })
}

// isSource reports whether a file of a package's directory is part of the package, on this system or on another.
func isSource(name string) bool {
	switch filepath.Ext(name) {
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	case ".s", ".h":
		return true
	}
	return false
}

func (d *Directory) add(dir, name string) {
	file := filepath.Join(dir, name)
	if rel, err := filepath.Rel(d.Dir, file); err == nil {
		d.Files[filepath.ToSlash(rel)] = file
	}
}
