package main

import (
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFindAsserted: of a package that nobody has listed, the interfaces are found that it asserts, in all the ways in which
// it can, and none that no type of a cell can have, nor what it only mentions.
func TestFindAsserted(t *testing.T) {
	const src = `package p
type hasSub interface{ Sub(name string, n ...int) (bool, error) }
type mentioned interface{ Mentioned() }
type hidden interface{ hidden() }
type secret struct{}
type Concrete struct{}
func (Concrete) OfAConcreteType() {}
func F(m mentioned, e error) any {
	if s, ok := m.(hasSub); ok { s.Sub("x") }
	switch v := e.(type) {
	case interface{ Timeout() bool }: v.Timeout()
	case hidden, Concrete2:
	case interface{ Secret() secret }:
	}
	switch m.(type) { case interface{ InCase(*Concrete) chan<- map[string]Concrete }: }
	return func(x mentioned) bool { _, ok := x.(Concrete); _ = x.(interface{ InClosure() }); return ok }
}
type Concrete2 struct{}
func (Concrete2) Error() string { return "" }
func (Concrete) Mentioned() {}
`
	a := assertedIn(t, src)
	want := []string{"InCase[*{x/p}.Concrete] [chan<- map[string]{x/p}.Concrete]", "InClosure[] []", "Sub[string ...int] [bool error]", "Timeout[] [bool]"}
	if got := slices.Sorted(maps.Keys(a.methods)); !slices.Equal(got, want) {
		t.Errorf("found %q\nwant  %q", got, want)
	}
	if a.inAny["x/p"] {
		t.Error("asserts nothing of values of type any")
	}
	if a := assertedIn(t, "package p\nfunc F(x any) { _, _ = x.(interface{ M() }) }"); !a.inAny["x/p"] {
		t.Error("what is asserted of an any is not entered")
	}
}

// assertedIn is what the generator finds in a package.
func assertedIn(t *testing.T, src string) *asserted {
	t.Helper()
	s := &sources{fset: token.NewFileSet()}
	f, err := parser.ParseFile(s.fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p := &pkg{ImportPath: "x/p", Name: "p", wanted: true, files: []*ast.File{f}}
	b := &build{platform: platforms[0], pkgs: map[string]*pkg{"x/p": p}, order: []*pkg{p}}
	if p.types, err = b.config(p).Check("x/p", s.fset, p.files, nil); err != nil {
		t.Fatal(err)
	}
	return b.findAsserted(s)
}

// TestOptionalOfStandardLibrary reads the standard library without types, by the names of its interfaces alone, and compares
// the methods of those that it asserts with the generated list.
func TestOptionalOfStandardLibrary(t *testing.T) {
	root := filepath.Join(gobuild.Default.GOROOT, "src")
	if _, err := os.Stat(filepath.Join(root, "io")); err != nil {
		t.Skip("the Go distribution here has no source of the standard library")
	}
	listed := listedMethods(t)
	n := &nameReader{root: root, packages: map[string]*namedPackage{}}
	found := n.assertions(t)
	for m, where := range found {
		if !listed[m] {
			t.Errorf("%s: %s is asserted and not in the list", where, m)
		}
	}
	// What was once lost without a word, each met in a program.
	for _, m := range strings.Fields(`WriteTo/1/2 ReadFrom/1/2 Sub/1/2 AfterFunc/1/1 Opaque/0/1 Ping/1/1 Value/0/2 CheckNamedValue/1/1
		Unwrap/0/1 FlushError/0/1 Hijack/0/3 SetReadDeadline/1/1 EnableFullDuplex/0/1 Public/0/1 Sign/3/2 Timeout/0/1 Temporary/0/1
		Is/1/1 As/1/1 IsBoolFlag/0/1 WriteString/1/2 ReadDir/1/2 Stat/1/2`) {
		if found[m] == "" {
			t.Errorf("%s is not found in the source", m)
		}
		if !listed[m] {
			t.Errorf("%s is not in the list", m)
		}
	}
	t.Logf("%d methods in the source, %d in the list", len(found), len(listed))
}

// listedMethods are the methods in the generated lists, as name/parameters/results. The file of the newer release counts for both:
// it lists more.
func listedMethods(t *testing.T) map[string]bool {
	listed := map[string]bool{}
	for _, file := range []string{"../tables/zasserted.go", "../tables/zgo127.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				listed[shape(fn.Name.Name, fn.Type)] = true
			}
		}
	}
	for _, name := range ownMethods { // whose signatures every wrapper has
		for _, sig := range []string{"/0/1", "/0/2", "/2/0", "/2/1"} {
			listed[name+sig] = true
		}
	}
	return listed
}

func shape(name string, fn *ast.FuncType) string {
	return fmt.Sprintf("%s/%d/%d", name, fn.Params.NumFields(), fn.Results.NumFields())
}

// A nameReader reads packages of a tree of sources, whose names it resolves by imports and declarations.
type nameReader struct {
	root     string
	packages map[string]*namedPackage
}

type namedPackage struct {
	files []*ast.File
	types map[string]*namedType
}

type namedType struct {
	path string
	file *ast.File
	spec *ast.TypeSpec
}

// read parses a package as the generator's first platform has it; nil is a package without files.
func (n *nameReader) read(path string) *namedPackage {
	if p, ok := n.packages[path]; ok {
		return p
	}
	ctx := gobuild.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = platforms[0].os, platforms[0].arch, false
	dir := filepath.Join(n.root, filepath.FromSlash(path))
	var p *namedPackage
	if found, err := ctx.ImportDir(dir, 0); err == nil {
		p = &namedPackage{types: map[string]*namedType{}}
		for _, name := range found.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			p.files = append(p.files, f)
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
					for _, s := range g.Specs {
						spec := s.(*ast.TypeSpec)
						p.types[spec.Name.Name] = &namedType{path, f, spec}
					}
				}
			}
		}
	}
	n.packages[path] = p
	return p
}

// assertions are the methods of the interfaces that the packages assert, each with a package that does.
func (n *nameReader) assertions(t *testing.T) map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(n.root, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(n.root, name)
		rel = filepath.ToSlash(rel)
		if rel == "cmd" || rel == "vendor" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") {
			return filepath.SkipDir
		}
		p := n.read(rel)
		if p == nil || rel == "builtin" {
			return nil
		}
		for _, f := range p.files {
			ast.Inspect(f, func(x ast.Node) bool {
				var to []ast.Expr
				switch x := x.(type) {
				case *ast.TypeAssertExpr:
					to = []ast.Expr{x.Type}
				case *ast.TypeSwitchStmt:
					for _, c := range x.Body.List {
						to = append(to, c.(*ast.CaseClause).List...)
					}
				}
				for _, e := range to {
					if methods, ok := n.methods(rel, f, e); ok {
						for _, m := range methods {
							found[m] = rel
						}
					}
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// methods are those of an interface; ok is false where the expression is none, or no type of a cell can have its methods.
func (n *nameReader) methods(path string, f *ast.File, e ast.Expr) (methods []string, ok bool) {
	switch e := e.(type) {
	case *ast.InterfaceType:
		for _, field := range e.Methods.List {
			fn, isMethod := field.Type.(*ast.FuncType)
			if !isMethod {
				more, ok := n.methods(path, f, field.Type)
				if !ok {
					return nil, false
				}
				methods = append(methods, more...)
				continue
			}
			if !field.Names[0].IsExported() || !n.sayable(path, f, fn) {
				return nil, false
			}
			methods = append(methods, shape(field.Names[0].Name, fn))
		}
		return methods, true
	case *ast.Ident, *ast.SelectorExpr:
		if t := n.resolve(path, f, e); t != nil && t.spec.TypeParams == nil {
			return n.methods(t.path, t.file, t.spec.Type)
		}
		if id, ok := e.(*ast.Ident); ok && id.Name == "error" {
			return []string{"Error/0/1"}, true
		}
	}
	return nil, false
}

// resolve is the declaration of a named type.
func (n *nameReader) resolve(path string, f *ast.File, e ast.Expr) *namedType {
	name := ""
	switch e := e.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		if !ok {
			return nil
		}
		path, name = imported(f, id.Name), e.Sel.Name
	}
	if p := n.read(path); p != nil {
		return p.types[name]
	}
	return nil
}

// imported is the path of the package that a file knows by a name.
func imported(f *ast.File, name string) string {
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		if i.Name != nil && i.Name.Name == name || i.Name == nil && importedName(p) == name {
			return p
		}
	}
	return ""
}

// sayable reports whether another package can write a method's types: all names in it are Go's own, or exported by packages that
// all can import.
func (n *nameReader) sayable(path string, f *ast.File, fn *ast.FuncType) bool {
	open := func(p string) bool {
		return !slices.ContainsFunc(strings.Split(p, "/"), func(e string) bool { return e == "internal" || e == "vendor" })
	}
	ok := true
	var look func(ast.Node) bool
	look = func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.Field: // without its name
			ast.Inspect(x.Type, look)
			return false
		case *ast.SelectorExpr:
			id, _ := x.X.(*ast.Ident)
			ok = ok && id != nil && open(imported(f, id.Name)) && x.Sel.IsExported()
			return false
		case *ast.Ident:
			if types.Universe.Lookup(x.Name) == nil {
				ok = ok && x.IsExported() && open(path)
			}
		}
		return true
	}
	ast.Inspect(fn, look)
	return ok
}
