package main

import (
	"bytes"
	"go/ast"
	gobuild "go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// docs collects the documentation of one package. Keys are "" for the package, "Name" for what it declares,
// "Name.Member" for fields and methods, and any of these with "=" and a label for examples.
type docs map[string]string

func (d docs) add(key, text string) {
	if text = strings.TrimSpace(text); text != "" && d[key] == "" {
		d[key] = text
	}
}

// writeDocs writes the documentation of all packages that cells can import.
func writeDocs(builds []*build, out output) error {
	all := map[string][]byte{}
	parsed := map[string]bool{}
	texts := map[string]docs{}
	for _, b := range builds {
		for _, p := range append(b.public, b.pkgs["builtin"]) {
			if emitted(p.ImportPath) {
				continue
			}
			d := texts[p.ImportPath]
			if d == nil {
				d = docs{}
				texts[p.ImportPath] = d
				if err := d.examples(p.Dir); err != nil {
					return err
				}
			}
			for _, name := range p.GoFiles {
				file := filepath.Join(p.Dir, name)
				if parsed[file] {
					continue
				}
				parsed[file] = true
				f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				d.file(f)
			}
		}
	}
	for path, d := range texts {
		var b bytes.Buffer
		for _, key := range slices.Sorted(maps.Keys(d)) {
			b.WriteString(key + "\x00" + d[key] + "\x00")
		}
		all[path] = b.Bytes()
	}
	union := &build{pkgs: map[string]*pkg{}}
	for _, b := range builds {
		maps.Copy(union.pkgs, b.pkgs)
	}
	out[dataDir+"/docs.bin"] = archive(union, all)
	return nil
}

func (d docs) file(f *ast.File) {
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
				key = receiver(decl.Recv.List[0].Type) + "." + key
			}
			d.add(key, decl.Doc.Text())
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				d.spec(decl, spec, f.Name.Name == "builtin")
			}
		}
	}
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func (d docs) spec(decl *ast.GenDecl, spec ast.Spec, all bool) {
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

func (d docs) fields(typ string, list *ast.FieldList) {
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

// examples adds the examples in a directory's test files. The value is the code, and after it the output as a comment.
func (d docs) examples(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err
	}
	linux := build0()
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if match, err := linux.MatchFile(dir, filepath.Base(name)); err != nil || !match || !bytes.Contains(src, []byte("\nfunc Example")) {
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

// build0 is the platform whose examples are taken.
func build0() *gobuild.Context {
	c := gobuild.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = platforms[0].os, platforms[0].arch, false
	return &c
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
