package modules

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// A Set is the modules of a session, and the packages that were read from them. Its methods may be called by several
// goroutines.
type Set struct {
	importer types.Importer // of packages that come with Gaucho
	fset     *token.FileSet
	cache    string // the module cache

	mu       sync.Mutex
	main     *modfile.File     // the session's own go.mod
	sums     map[string]string // the lines of its go.sum: hashes by "path version"
	local    *Module           // the one that the notebook's directory is of
	cells    string            // the path of a package in that directory
	broken   error             // why its go.mod or go.work cannot be used
	versions map[string]string // the build list; nil when it has to be made
	packages map[string]*Package
	loading  map[string]bool
	files    []file   // of the packages, by number
	tags     []string // by which files of packages are chosen
	compiled Compiled // packages that were compiled before; nil for none
	changed  bool     // packages are not of the versions of the build list any more
}

// A Module is one of the build list.
type Module struct {
	Path, Version string
	Dir           string // with its source
}

// String is the module as the go command names it.
func (m *Module) String() string {
	if m.Version == "" {
		return m.Path
	}
	return m.Path + "@" + m.Version
}

// New returns the modules that the go.mod in a directory or above requires, with those of the go.work that names it; none where
// there is no such file. Packages that the importer has are taken from there.
func New(folder string, importer types.Importer, fset *token.FileSet) *Set {
	s := &Set{
		importer: importer, fset: fset, cache: cacheDir(), sums: map[string]string{},
		packages: map[string]*Package{}, loading: map[string]bool{},
	}
	s.main, _ = modfile.Parse("go.mod", []byte("module gaucho.session\n\ngo 1.21\n"), nil)
	if s.broken = s.readNotebook(folder); s.broken != nil {
		s.broken = &Error{strings.ReplaceAll(s.broken.Error(), "\n", "; ")}
	}
	return s
}

// readSums reads a go.sum.
func readSums(text string) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 3 {
			sums[words[0]+" "+words[1]] = words[2]
		}
	}
	return sums
}

// buildList is the version of each module that the session may need. As the go command does, it looks into the requirements
// of those modules that the session requires itself, and further only below modules that list less than all they need.
func (s *Set) buildList() map[string]string {
	if s.versions != nil {
		return s.versions
	}
	list := map[string]string{}
	seen := map[module.Version]bool{}
	var visit func(m module.Version, deep bool)
	visit = func(m module.Version, deep bool) {
		if list[m.Path] == "" || semver.Compare(m.Version, list[m.Path]) > 0 {
			list[m.Path] = m.Version
		}
		if !deep || seen[m] {
			return
		}
		seen[m] = true
		f := s.requirements(m)
		if f == nil {
			return
		}
		for _, r := range f.Require {
			visit(r.Mod, !complete(f))
		}
	}
	for _, r := range s.main.Require {
		visit(r.Mod, true)
	}
	s.versions = list
	return list
}

// complete reports whether a go.mod requires all modules that its packages need, not only those that they import.
func complete(f *modfile.File) bool {
	return f.Go != nil && semver.Compare("v"+f.Go.Version, "v1.17") >= 0
}

// requirements is the go.mod of a module, nil where it is not to be had.
func (s *Set) requirements(m module.Version) *modfile.File {
	file := ""
	switch r := s.replacement(m); {
	case r.Version == "":
		file = filepath.Join(r.Path, "go.mod")
	default:
		file = s.cached(r, ".mod")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(file, text, nil)
	if err != nil {
		return nil
	}
	return f
}

// replacement is what stands for a module: itself, another one, or, without a version, a directory.
func (s *Set) replacement(m module.Version) module.Version {
	out := m
	for _, r := range s.main.Replace {
		if r.Old.Path == m.Path && (r.Old.Version == "" || r.Old.Version == m.Version) {
			out = r.New
			if r.Old.Version != "" {
				return out
			}
		}
	}
	return out
}

// errNotRequired says that no module of the build list provides a package, and absentError that its module has to be fetched.
var errNotRequired = errors.New("no module of the session provides it")

type absentError struct{ mod Module }

func (e *absentError) Error() string { return e.mod.String() + " is not in the module cache" }

// find is the module that provides a package, with the package's directory.
func (s *Set) find(path string) (*Module, string, error) {
	if s.broken != nil {
		return nil, "", s.broken
	}
	if s.isLocal(path) {
		return s.local, filepath.Join(s.local.Dir, filepath.FromSlash(strings.TrimPrefix(path, s.local.Path))), nil
	}
	list := s.buildList()
	var empty *Module
	for prefix := path; prefix != "."; prefix = parent(prefix) {
		v := list[prefix]
		if v == "" {
			continue
		}
		m, err := s.locate(module.Version{Path: prefix, Version: v})
		if err != nil {
			return nil, "", err
		}
		dir := filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(path, prefix)))
		if hasGo(dir) {
			return m, dir, nil
		}
		if empty == nil {
			empty = m
		}
	}
	if empty != nil {
		return nil, "", &Error{fmt.Sprintf("module %s has no package %s", empty, path)}
	}
	return nil, "", errNotRequired
}

func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return "."
}

func hasGo(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}

// locate finds the source of a module and checks it against the session's go.sum.
func (s *Set) locate(v module.Version) (*Module, error) {
	m := &Module{Path: v.Path, Version: v.Version}
	r := s.replacement(v)
	if r.Version == "" {
		m.Dir = r.Path
		if _, err := os.Stat(m.Dir); err != nil {
			return nil, &Error{fmt.Sprintf("module %s is replaced by a directory that does not exist: %s", v.Path, r.Path)}
		}
		return m, nil
	}
	m.Dir = s.sourceDir(r)
	if m.Dir == "" {
		return nil, &absentError{*m}
	}
	want := s.sums[r.Path+" "+r.Version]
	have, err := os.ReadFile(s.cached(r, ".ziphash"))
	if err == nil && want != "" && want != strings.TrimSpace(string(have)) {
		return nil, &Error{fmt.Sprintf("module %s is not what go.sum says: its checksum in the module cache is %s, that of go.sum %s",
			m, strings.TrimSpace(string(have)), want)}
	}
	return m, nil
}

// Local reports whether a package is one of the module in the notebook's directory.
func (s *Set) Local(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isLocal(path)
}

func (s *Set) isLocal(path string) bool {
	return s.local != nil && (path == s.local.Path || strings.HasPrefix(path, s.local.Path+"/"))
}
