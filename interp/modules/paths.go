package modules

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// mostPaths is how many import paths are listed at most.
const mostPaths = 300

// Paths lists import paths that begin with a prefix, sorted: packages of the module next to the notebook and of those that the
// session requires, and of the module cache the modules, or the packages of the module that the prefix names.
func (s *Set) Paths(prefix string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &listing{prefix: prefix, found: map[string]bool{}}
	if s.local != nil {
		l.packages(s.local.Path, s.local.Dir)
	}
	list := s.buildList()
	for mod, version := range list {
		if l.mayHold(mod) {
			if m, err := s.locate(module.Version{Path: mod, Version: version}); err == nil {
				l.packages(mod, m.Dir)
			}
		}
	}
	folder := prefix[:strings.LastIndexByte(prefix, '/')+1]
	if escaped, err := module.EscapePath(strings.TrimSuffix(folder, "/")); err == nil || folder == "" {
		l.cached(s, filepath.Join(s.cache, "cache", "download"), escaped, list)
	}
	if mod, versions := s.cachedVersions(strings.TrimSuffix(folder, "/")); versions != nil && list[mod] == "" {
		semver.Sort(versions)
		l.packages(mod, s.sourceDir(module.Version{Path: mod, Version: versions[len(versions)-1]}))
	}
	var out []string
	for p := range l.found {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

type listing struct {
	prefix string
	found  map[string]bool
}

// mayHold reports whether a module may have packages that begin with the prefix.
func (l *listing) mayHold(mod string) bool {
	return strings.HasPrefix(mod, l.prefix) || strings.HasPrefix(l.prefix, mod+"/")
}

// add takes a path that begins with the prefix, as long as there is room.
func (l *listing) add(p string) {
	if strings.HasPrefix(p, l.prefix) && len(l.found) < mostPaths {
		l.found[p] = true
	}
}

// packages adds those of the module in a directory that others may import.
func (l *listing) packages(mod, dir string) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || len(l.found) >= mostPaths {
			return fs.SkipAll
		}
		rel, _ := filepath.Rel(dir, name)
		p := path.Join(mod, filepath.ToSlash(rel))
		if d.IsDir() {
			base := d.Name()
			_, nested := os.Stat(filepath.Join(name, "go.mod"))
			if name != dir && (base == "internal" || base == "testdata" || base == "vendor" || strings.ContainsAny(base[:1], "._") || nested == nil || !l.mayHold(p)) {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			l.add(path.Dir(p))
		}
		return nil
	})
}

// cached adds the modules below a directory of the module cache's downloads.
func (l *listing) cached(s *Set, root, folder string, list map[string]string) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(folder)))
	if err != nil || len(l.found) >= mostPaths {
		return
	}
	for _, e := range entries {
		switch name := path.Join(folder, e.Name()); {
		case e.Name() == "@v":
			if mod, err := module.UnescapePath(folder); err == nil && list[mod] == "" {
				if _, versions := s.cachedVersions(mod); versions != nil {
					l.add(mod)
				}
			}
		case e.IsDir() && !strings.HasPrefix(e.Name(), "@") && name != "sumdb":
			if mod, err := module.UnescapePath(name); err == nil && !l.mayHold(mod) {
				continue
			}
			l.cached(s, root, name, list)
		}
	}
}
