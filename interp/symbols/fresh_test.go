package symbols

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gaucho/internal/modpath"
	"gaucho/interp/docs"
)

// notForCells is the one public package of ours that cells cannot import: it runs servers.
const notForCells = "gaucho/stdlib/study/pool"

// TestFresh compares what was generated with what the sources of Gaucho's own packages export. Where it fails, run
// go generate ./interp/symbols.
func TestFresh(t *testing.T) {
	root := filepath.Join("..", "..")
	source := &sourceImporter{root: root, lib: NewImporter(), pkgs: map[string]*types.Package{}}
	paths := []string{}
	for _, dir := range []string{"stdlib", "plotting", "render"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if name := d.Name(); name == "internal" || name == "testdata" || strings.HasPrefix(name, "_") {
					return filepath.SkipDir
				}
				rel, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				importPath := "gaucho/" + filepath.ToSlash(rel)
				if p, err := build.ImportDir(path, 0); err == nil && len(p.GoFiles) > 0 && p.Name != "main" && importPath != notForCells {
					paths = append(paths, importPath)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range paths {
		want, err := source.Import(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got, err := source.lib.Import(path)
		if err != nil {
			t.Errorf("%v: run go generate ./interp/symbols", err)
			continue
		}
		var stale []string
		seen := map[string]bool{}
		for _, name := range append(want.Scope().Names(), got.Scope().Names()...) {
			if token.IsExported(name) && !seen[name] && !slices.Contains(moved[path].names, name) {
				seen[name] = true
				if signatures(got.Scope().Lookup(name)) != signatures(want.Scope().Lookup(name)) {
					stale = append(stale, name)
				}
			}
		}
		stale = append(stale, staleDocs(t, root, path)...)
		if stale != nil {
			t.Errorf("%s: generated before changes of %s: run go generate ./interp/symbols", path, strings.Join(stale, ", "))
		}
	}
}

// staleDocs lists what has another doc comment or example in the source of a package than in what was generated.
func staleDocs(t *testing.T, root, path string) (stale []string) {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = "linux", "amd64", false // whose examples are taken
	want, err := docs.Read(filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(path, "gaucho/"))), &c)
	if err != nil {
		t.Fatal(err)
	}
	got := Docs(path)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			stale = append(stale, "the documentation of "+cmp.Or(key, "the package"))
		}
	}
	return stale
}

// A sourceImporter type-checks Gaucho's packages from source, and takes others from lib.
type sourceImporter struct {
	root string
	lib  *Importer
	pkgs map[string]*types.Package
}

func (s *sourceImporter) Import(path string) (*types.Package, error) {
	path = modpath.Cell(path)
	rel, ok := strings.CutPrefix(path, "gaucho/")
	if !ok {
		if pkg, err := s.lib.Import(path); err == nil {
			return pkg, nil
		}
		pkg := types.NewPackage(path, importName(path)) // a dependency that the API does not mention
		pkg.MarkComplete()
		return pkg, nil
	}
	if pkg := s.pkgs[path]; pkg != nil {
		return pkg, nil
	}
	dir := filepath.Join(s.root, filepath.FromSlash(rel))
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: s, IgnoreFuncBodies: true, Sizes: Sizes(), Error: func(error) {}}
	pkg, _ := conf.Check(path, fset, files, nil)
	s.pkgs[path] = pkg
	return pkg, nil
}

func importName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
