// Package docs reads the documentation of Go packages from their source, in the form in which the inspector looks it up. The
// generator of package symbols uses it for packages that come with Gaucho, a session for those of modules.
package docs

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Docs is the documentation of one package. Keys are "" for the package, "Name" for what it declares, "Name.Member" for
// fields and methods, and any of these with "=" and a label for examples.
type Docs map[string]string

// Doc returns the doc comment of the package (name and member empty), of what it declares at package level (member
// empty), or of a field or method of a type; empty where there is none.
func (d Docs) Doc(name, member string) string { return d[key(name, member)] }

func key(name, member string) string {
	if member != "" {
		return name + "." + member
	}
	return name
}

// An Example is a runnable example from a package's tests.
type Example struct {
	Suffix string // tells apart several examples of one name; may be empty
	Code   string // the body, with the expected output as a comment at its end
}

// Examples returns the examples of the package (name and member empty), a function or type, or a method, sorted by suffix.
func (d Docs) Examples(name, member string) []Example {
	var list []Example
	for k, code := range d {
		if suffix, ok := strings.CutPrefix(k, key(name, member)+"="); ok {
			list = append(list, Example{suffix, code})
		}
	}
	slices.SortFunc(list, func(a, b Example) int { return strings.Compare(a.Suffix, b.Suffix) })
	return list
}

// Read reads the documentation of the package in a directory, of the files that the build context chooses. It takes about 1 ms for
// 1,000 lines.
func Read(dir string, c *build.Context) (Docs, error) {
	d := Docs{}
	p, err := c.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	for _, name := range append(p.GoFiles, p.CgoFiles...) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		d.AddFile(f)
	}
	return d, d.AddExamples(dir, c)
}

func (d Docs) add(key, text string) {
	if text = strings.TrimSpace(text); text != "" && d[key] == "" {
		d[key] = text
	}
}

// AddFile adds the comments of a file.
func (d Docs) AddFile(f *ast.File) {
	if text := strings.TrimSpace(f.Doc.Text()); text != "" {
		d[""] = strings.TrimSpace(d[""] + "\n\n" + text)
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if !decl.Name.IsExported() && f.Name.Name != "builtin" {
				continue
			}
			key := decl.Name.Name
			if decl.Recv != nil {
				key = Receiver(decl.Recv.List[0].Type) + "." + key
			}
			d.add(key, decl.Doc.Text())
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.spec(decl, spec, f.Name.Name == "builtin")
			}
		}
	}
}

// Receiver returns the name of a method's type.
func Receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return Receiver(e.X)
	case *ast.IndexExpr:
		return Receiver(e.X)
	case *ast.IndexListExpr:
		return Receiver(e.X)
	case *ast.ParenExpr:
		return Receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func (d Docs) spec(decl *ast.GenDecl, spec ast.Spec, all bool) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if all || spec.Name.IsExported() {
			d.add(spec.Name.Name, firstText(spec.Doc, decl.Doc, spec.Comment))
		}
		switch t := spec.Type.(type) {
		case *ast.StructType:
			d.fields(spec.Name.Name, t.Fields)
		case *ast.InterfaceType:
			d.fields(spec.Name.Name, t.Methods)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if all || name.IsExported() {
				d.add(name.Name, firstText(spec.Doc, spec.Comment, decl.Doc))
			}
		}
	}
}

func (d Docs) fields(typ string, list *ast.FieldList) {
	for _, field := range list.List {
		for _, name := range field.Names {
			if name.IsExported() {
				d.add(typ+"."+name.Name, firstText(field.Doc, field.Comment))
			}
		}
	}
}

func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}

// AddExamples adds the examples in a directory's test files, of those that the build context chooses. The value is the code, and after it the output as a comment.
func (d Docs) AddExamples(dir string, c *build.Context) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if match, err := c.MatchFile(dir, filepath.Base(name)); err != nil || !match || !bytes.Contains(src, []byte("\nfunc Example")) {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, e := range doc.Examples(f) {
			key, suffix, _ := strings.Cut(e.Name, "_")
			if member, rest, _ := strings.Cut(suffix, "_"); token.IsExported(member) {
				key, suffix = key+"."+member, rest
			}
			text, err := exampleText(fset, e)
			if err != nil {
				return err
			}
			d.add(key+"="+suffix, text)
		}
	}
	return nil
}

func exampleText(fset *token.FileSet, e *doc.Example) (string, error) {
	var b bytes.Buffer
	conf := printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}
	if err := conf.Fprint(&b, fset, &printer.CommentedNode{Node: e.Code, Comments: e.Comments}); err != nil {
		return "", err
	}
	text := strings.TrimSpace(b.String())
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		text = strings.ReplaceAll(strings.TrimSuffix(inner, "}"), "\n\t", "\n")
	}
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "\n// Output:"); i >= 0 && e.Output != "" {
		text = strings.TrimSpace(text[:i])
	}
	if e.Output != "" {
		text += "\n// Output:\n// " + strings.ReplaceAll(strings.TrimSpace(e.Output), "\n", "\n// ")
	}
	return text, nil
}
