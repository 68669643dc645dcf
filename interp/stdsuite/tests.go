package stdsuite

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
)

// module is the path under which a session has the stand-ins of internal packages, in its own directory.
const module = "example.org/std"

// Tests are the external tests of a package (those of package strings_test, say) as a cell. Declarations that a session
// does not take are dropped from it, with the tests that need them.
type Tests struct {
	Package string
	Names   []string          // of the tests, in the order of their files
	LeftOut map[string]string // why tests are not in the cell

	imports []string
	decls   []*decl
}

// A decl is a top-level declaration.
type decl struct {
	text    string
	names   []string        // what it declares; a method its receiver's type
	uses    map[string]bool // names of the package level
	method  bool
	test    bool
	dropped string // why it is not in the cell
	line    int    // where it begins in the cell
}

// ExternalTests returns the external tests of a package, without its examples.
func ExternalTests(root, pkg string) (*Tests, error) { return externalTests(root, pkg, pkg) }

// externalTests returns the external tests of a package, which import it from a path.
func externalTests(root, pkg, path string) (*Tests, error) {
	files, err := read(root, pkg, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "example")
	})
	if err != nil {
		return nil, err
	}
	t := &Tests{Package: pkg, LeftOut: map[string]string{}}
	paths := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f.AST.Name.Name, "_test") {
			if err := t.add(f, path, paths); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// add adds a file, which imports the package from a path. paths are those of the packages that earlier files import, by name: a
// cell has one set of imports.
func (t *Tests) add(f *File, path string, paths map[string]string) error {
	for _, im := range f.AST.Imports {
		p, name := strings.Trim(im.Path.Value, `"`), importName(im)
		if old, ok := paths[name]; ok && old != p && name != "." {
			var err error
			if f, err = f.renamed(name, name+"other"); err != nil {
				return err
			}
		}
	}
	for _, im := range f.AST.Imports {
		p, name := strings.Trim(im.Path.Value, `"`), importName(im)
		paths[name] = p
		if rest, ok := strings.CutPrefix(p, "internal/"); ok {
			if _, err := standins.ReadDir("standins/" + rest); err != nil {
				continue // what uses it is left out
			}
			p = module + "/standins/" + rest
		}
		if p == t.Package {
			p = path
		}
		if spec := fmt.Sprintf("import %s %q", name, p); !slices.Contains(t.imports, spec) {
			t.imports = append(t.imports, spec)
		}
	}
	for _, d := range f.AST.Decls {
		if isImport(d) {
			continue
		}
		x := f.decl(d)
		fn, isFunc := d.(*ast.FuncDecl)
		switch {
		case isTest(d):
			x.test = true
			t.Names = append(t.Names, fn.Name.Name)
		case isFunc && fn.Recv == nil && noTest.MatchString(fn.Name.Name):
			x.dropped = "no test"
		}
		t.decls = append(t.decls, x)
	}
	return nil
}

var noTest = regexp.MustCompile(`^(TestMain$|Benchmark|Fuzz)`)

// importName is the name by which a file knows a package that it imports.
func importName(im *ast.ImportSpec) string {
	p := strings.Trim(im.Path.Value, `"`)
	switch {
	case im.Name != nil:
		return im.Name.Name
	case path.Base(p) == "v2":
		return path.Base(path.Dir(p))
	}
	return path.Base(p)
}

// renamed is the file with another name for a package that it imports.
func (f *File) renamed(from, to string) (*File, error) {
	var text strings.Builder
	last := 0
	put := func(at token.Pos, length int, s string) {
		offset := f.Fset.Position(at).Offset
		text.Write(f.Text[last:offset])
		text.WriteString(s)
		last = offset + length
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			if importName(n) == from {
				put(n.Pos(), int(n.End()-n.Pos()), to+" "+n.Path.Value)
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == from && id.Obj == nil {
				put(id.Pos(), len(from), to)
			}
		}
		return true
	})
	text.Write(f.Text[last:])
	return parse(text.String())
}

// isTest reports whether a declaration is a test function.
func isTest(d ast.Decl) bool {
	fn, ok := d.(*ast.FuncDecl)
	return ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Type.Params.NumFields() == 1 && fn.Type.Results == nil &&
		fn.Type.TypeParams == nil && fn.Name.Name != "TestMain" && (len(fn.Name.Name) == 4 || !('a' <= fn.Name.Name[4] && fn.Name.Name[4] <= 'z'))
}

// decl is what the suite knows of a declaration.
func (f *File) decl(d ast.Decl) *decl {
	// What a cell declares is of package main, which tests of printing see.
	x := &decl{text: strings.ReplaceAll(f.of(d), f.AST.Name.Name+".", "main."), uses: map[string]bool{}}
	switch d := d.(type) {
	case *ast.FuncDecl:
		x.names = []string{d.Name.Name}
		if d.Recv != nil {
			x.method, x.names = true, []string{receiver(d.Recv.List[0].Type)}
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				x.names = append(x.names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					x.names = append(x.names, n.Name)
				}
			}
		}
	}
	f.names(d, x.uses)
	return x
}

// names adds the names of the package level that a declaration mentions.
func (f *File) names(d ast.Decl, uses map[string]bool) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.Ident:
			if n.Obj == nil || f.AST.Scope.Lookup(n.Name) == n.Obj {
				uses[n.Name] = true
			}
		}
		return true
	}
	ast.Inspect(d, visit)
}

// receiver is the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.ParenExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return token.ILLEGAL.String()
}

// Cell is the text of the cell.
func (t *Tests) Cell() string {
	lines := slices.Clone(t.imports)
	for _, d := range t.decls {
		if d.dropped == "" {
			d.line = len(lines) + 1
			lines = append(lines, strings.Split(d.text, "\n")...)
		}
	}
	return strings.Join(lines, "\n")
}

// Drop takes the declaration at a line of the cell out, with all that needs it, and reports whether there is one.
func (t *Tests) Drop(line int, why string) bool {
	var at *decl
	for _, d := range t.decls {
		if d.dropped == "" && d.line <= line && line < d.line+1+strings.Count(d.text, "\n") {
			at = d
		}
	}
	if at == nil {
		return false
	}
	t.drop(at, why)
	return true
}

func (t *Tests) drop(at *decl, why string) {
	at.dropped = why
	for _, n := range at.names {
		if slices.Contains(t.Names, n) {
			t.LeftOut[n] = why
		}
	}
	for _, d := range t.decls {
		if d.dropped != "" {
			continue
		}
		for _, n := range at.names {
			if n != "_" && n != "init" && (d.uses[n] || slices.Contains(d.names, n) && (d.method || at.method)) {
				t.drop(d, why)
				break
			}
		}
	}
}

// DropAll leaves out the tests that are still in the cell.
func (t *Tests) DropAll(why string) {
	for _, n := range t.Names {
		if t.LeftOut[n] == "" {
			t.LeftOut[n] = why
		}
	}
}
