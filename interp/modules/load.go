package modules

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gaucho/internal/buildenv"

	"golang.org/x/mod/modfile"
)

// A Package is a package of a module, checked from its source.
type Package struct {
	Types   *types.Package
	Info    *types.Info
	Fset    *token.FileSet
	Files   []*ast.File
	Imports []*Package // those that were read from source too, in the order of their paths
	Module  *Module
	Dir     string
	Embeds  map[*types.Var][]string // files that //go:embed names, by their paths in Dir
	// Patterns are the patterns of its //go:embed lines, with the files that they match.
	Patterns map[string][]string
	Assembly []string // its files of assembly
	lang     string
	First    int // the number of the first file, of which the next have the next
}

// firstNumber is where the numbers of files begin. Numbers below are those of cells.
const firstNumber = 1 << 30

// plainTags choose the variants of packages that need neither assembly nor unsafe, where their authors offer them.
var plainTags = []string{"purego", "noasm", "nounsafe", "safe", "appengine"}

// File returns the name of the file with a number, as "module@version/file.go", and where it lies; empty for none.
func (s *Set) File(number int) (name, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := number - firstNumber; i >= 0 && i < len(s.files) {
		return s.files[i].name, s.files[i].path
	}
	return "", ""
}

// A file is one of a package: its name for people, and where it lies.
type file struct{ name, path string }

// Name is the package's path with the version of its module.
func (p *Package) Name() string {
	return p.Module.String() + strings.TrimPrefix(p.Types.Path(), p.Module.Path)
}

// Language is the version of Go that the package is written in, as go1.21.
func (p *Package) Language() string { return p.lang }

// Generic reports whether the package declares generic functions, or methods of generic types.
func (p *Package) Generic() bool {
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && (fn.Type.TypeParams != nil || fn.Recv != nil && ofGeneric(fn.Recv.List[0].Type)) {
				return true
			}
		}
	}
	return false
}

// ofGeneric reports whether a receiver's type has type parameters.
func ofGeneric(recv ast.Expr) bool {
	recv = ast.Unparen(recv)
	if star, ok := recv.(*ast.StarExpr); ok {
		recv = ast.Unparen(star.X)
	}
	switch recv.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// nameOf is the name for people of the file that lies at path.
func (p *Package) nameOf(path string) string {
	rel, err := filepath.Rel(p.Module.Dir, path)
	if err != nil {
		return path
	}
	return p.Module.String() + "/" + filepath.ToSlash(rel)
}

// Loaded returns a package that was imported before, nil for others.
func (s *Set) Loaded(path string) *Package {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.packages[path]
}

// Import returns a package, checked from its source, with all that it imports. Where the source has to be fetched, fetching
// is called first; without fetching nothing is fetched. The error for what is not to be had is an [Error]. A package takes about
// 2 ms for 1,000 lines.
func (s *Set) Import(ctx context.Context, path string, fetching func(path string)) (*Package, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.loading)
	if err := internal(s.cells, path); err != nil {
		return nil, err
	}
	return s.load(&loading{ctx, fetching}, path)
}

type loading struct {
	ctx      context.Context
	fetching func(path string)
}

// Outside reports whether an import path may be one of a module: its first element has a dot, as the name of a host.
func Outside(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func (s *Set) load(l *loading, path string) (*Package, error) {
	if p := s.packages[path]; p != nil {
		return p, nil
	}
	if s.loading[path] {
		return nil, &Error{"import cycle through package " + path}
	}
	s.loading[path] = true
	if !Outside(path) && !s.isLocal(path) {
		return nil, &Error{fmt.Sprintf("package %s is not among those that the interpreter has", path)}
	}
	m, dir, err := s.find(path)
	var absent *absentError
	if l.fetching != nil && (errors.Is(err, errNotRequired) || errors.As(err, &absent)) {
		l.fetching(path)
		if err := s.fetch(l.ctx, path, absent != nil); err != nil {
			return nil, err
		}
		m, dir, err = s.find(path)
	}
	if err != nil {
		if _, ok := err.(*Error); !ok {
			err = &Error{fmt.Sprintf("package %s cannot be had: %v", path, err)}
		}
		return nil, err
	}
	return s.read(l, path, m, dir)
}

// read parses and checks the package in a directory.
func (s *Set) read(l *loading, path string, m *Module, dir string) (*Package, error) {
	bp, err := s.buildContext().ImportDir(dir, 0)
	if err != nil {
		return nil, s.noFiles(path, dir, bp, err)
	}
	if bp.Name == "main" {
		return nil, &Error{fmt.Sprintf("package %s is a program, not an importable package", path)}
	}
	p := &Package{Fset: s.fset, Module: m, Dir: dir, lang: s.language(m), First: firstNumber + len(s.files), Info: newInfo()}
	for _, name := range bp.GoFiles {
		at := filepath.Join(dir, name)
		f, err := parser.ParseFile(s.fset, at, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, &Error{fmt.Sprintf("package %s cannot be read: %v", path, err)}
		}
		p.Files = append(p.Files, f)
		s.files = append(s.files, file{p.nameOf(at), at})
	}
	for _, name := range bp.SFiles {
		p.Assembly = append(p.Assembly, filepath.Join(dir, name))
	}
	if err := p.findPatterns(); err != nil {
		return nil, &Error{fmt.Sprintf("package %s: %v", path, err)}
	}
	if p.Types = s.fromCompiled(l, p, path); p.Types == nil {
		if err := s.check(l, p, path, usesC(bp)); err != nil {
			return nil, err
		}
		p.findEmbeds()
	}
	slices.SortFunc(p.Imports, func(a, b *Package) int { return strings.Compare(a.Types.Path(), b.Types.Path()) })
	s.packages[path] = p
	return p, nil
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
}

// Plain has packages read from now on in the variants that need neither assembly nor unsafe, for an engine that has neither.
func (s *Set) Plain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tags = plainTags
}

// buildContext chooses files as the go command does for this platform, without cgo.
func (s *Set) buildContext() *build.Context {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = runtime.GOOS, runtime.GOARCH, false
	c.BuildTags, c.ToolTags = s.tags, buildenv.Tags(c.ToolTags)
	return &c
}

// noFiles says why a directory has no files of a package.
func (s *Set) noFiles(path, dir string, bp *build.Package, err error) error {
	if _, none := err.(*build.NoGoError); none {
		if bp != nil && usesC(bp) {
			return &Error{fmt.Sprintf("package %s uses cgo, which cells cannot use", path)}
		}
		return &Error{fmt.Sprintf("package %s has no files for %s/%s", path, runtime.GOOS, runtime.GOARCH)}
	}
	return &Error{fmt.Sprintf("package %s cannot be read: %v", path, err)}
}

// usesC reports whether files were left out because they import "C".
func usesC(bp *build.Package) bool {
	for _, name := range bp.IgnoredGoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(bp.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, im := range f.Imports {
			if im.Path.Value == `"C"` {
				return true
			}
		}
	}
	return false
}

// check type-checks a package.
func (s *Set) check(l *loading, p *Package, path string, cgo bool) error {
	var first error
	conf := types.Config{
		Importer: importerFunc(func(dep string) (*types.Package, error) {
			t, err := s.dependency(l, p, path, dep)
			if err != nil && first == nil {
				first = &Error{fmt.Sprintf("package %s: %v", path, err)}
			}
			return t, err
		}),
		Sizes: types.SizesFor("gc", runtime.GOARCH), GoVersion: p.lang, Error: func(err error) {
			if first != nil {
				return
			}
			if te, ok := err.(types.Error); ok {
				at := te.Fset.Position(te.Pos)
				err = fmt.Errorf("%s:%d:%d: %s", p.nameOf(at.Filename), at.Line, at.Column, te.Msg)
			}
			first = &Error{fmt.Sprintf("package %s does not compile without cgo and assembly: %v", path, err)}
			if !cgo {
				first = &Error{fmt.Sprintf("package %s does not compile: %v", path, err)}
			}
		},
	}
	p.Types, _ = conf.Check(path, s.fset, p.Files, p.Info)
	return first
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// dependency is what a package imports: a package that comes with Gaucho, or one read from its source.
func (s *Set) dependency(l *loading, p *Package, path, dep string) (*types.Package, error) {
	if t, err := s.importer.Import(dep); err == nil {
		return t, nil
	}
	if err := internal(path, dep); err != nil {
		return nil, err
	}
	d, err := s.load(l, dep)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(p.Imports, d) {
		p.Imports = append(p.Imports, d)
	}
	return d.Types, nil
}

// internal refuses the import of another module's internal package, as Go does.
func internal(path, dep string) error {
	i := strings.LastIndex("/"+dep+"/", "/internal/")
	if i < 0 {
		return nil
	}
	root := dep[:max(i-1, 0)]
	if root != "" && (path == root || strings.HasPrefix(path, root+"/")) {
		return nil
	}
	return &Error{fmt.Sprintf("use of internal package %s not allowed", dep)}
}

// language is the version of Go that a module is written in.
func (s *Set) language(m *Module) string {
	text, err := os.ReadFile(filepath.Join(m.Dir, "go.mod"))
	if err == nil {
		if f, err := modfile.ParseLax("go.mod", text, nil); err == nil && f.Go != nil {
			return "go" + f.Go.Version
		}
	}
	return "go1.16"
}
