package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/internal/modpath"
)

// A library is a package with its documentation.
type library struct {
	*doc.Package
	fset *token.FileSet
	text strings.Builder
}

// load reads the documentation of the package in a directory, as it is on Linux/amd64.
func load(dir, importPath string) (*library, error) {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = "linux", "amd64", false
	b, err := ctx.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	l := &library{fset: token.NewFileSet()}
	var files []*ast.File
	for _, name := range slices.Concat(b.GoFiles, b.TestGoFiles, b.XTestGoFiles) {
		f, err := parser.ParseFile(l.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	l.Package, err = doc.NewFromFiles(l.fset, files, importPath)
	return l, err
}

// page is the library's page: its documentation, a list of what it has, and then each function and type.
func (l *library) page() string {
	l.text.Reset()
	fmt.Fprintf(&l.text, "# %s\n\n`import \"%s\"`\n\n%s\n## Contents\n\n", l.Name, l.ImportPath, l.markdown(l.Doc, 2))
	for _, f := range l.Funcs {
		l.entry(f.Name, f.Doc)
	}
	for _, t := range l.Types {
		l.entry(t.Name, t.Doc)
		for _, f := range slices.Concat(t.Funcs, t.Methods) {
			l.text.WriteString("  ")
			l.entry(qualified(f), f.Doc)
		}
	}
	l.examples(l.Examples)
	for _, v := range slices.Concat(l.Consts, l.Vars) {
		l.value(v)
	}
	for _, f := range l.Funcs {
		l.function(f, "##")
	}
	for _, t := range l.Types {
		l.declared(t)
	}
	return l.text.String()
}

// entry is a line of the contents.
func (l *library) entry(name, text string) {
	plain := name[strings.LastIndexByte(name, '.')+1:]
	fmt.Fprintf(&l.text, "* [%s](#%s): %s\n", name, anchor(name), strings.TrimPrefix(l.Synopsis(text), plain+" "))
}

// markdown is a doc comment with headings of a level, whose links lead to headings of these pages; other packages are at pkg.go.dev.
func (l *library) markdown(text string, level int) string {
	p := l.Printer()
	p.HeadingLevel = level
	p.HeadingID = func(*comment.Heading) string { return "" }
	p.DocLinkURL = func(link *comment.DocLink) string {
		name := link.Name
		if link.Recv != "" {
			name = link.Recv + "." + name
		}
		switch {
		case link.ImportPath == "" || link.ImportPath == l.ImportPath:
			if l.field(link.Recv, link.Name) {
				name = link.Recv
			}
			return "#" + anchor(name)
		case strings.HasPrefix(link.ImportPath, modpath.Path+"/"):
			page := path.Base(link.ImportPath) + ".md"
			if name == "" {
				return page
			}
			return page + "#" + anchor(name)
		}
		return link.DefaultURL("https://pkg.go.dev/")
	}
	return string(p.Markdown(l.Parser().Parse(text)))
}

// field reports whether a type has no method of that name, so that what is meant is a field or a method of an interface.
func (l *library) field(typ, name string) bool {
	i := slices.IndexFunc(l.Types, func(t *doc.Type) bool { return t.Name == typ })
	return i >= 0 && !slices.ContainsFunc(l.Types[i].Methods, func(f *doc.Func) bool { return f.Name == name })
}

// anchor is what a heading is known by: the form that GitHub and Sphinx make of it.
func anchor(heading string) string { return strings.ToLower(strings.ReplaceAll(heading, ".", "")) }

// qualified is a method's name after its type's.
func qualified(f *doc.Func) string {
	if f.Recv == "" {
		return f.Name
	}
	recv, _, _ := strings.Cut(strings.TrimPrefix(f.Recv, "*"), "[")
	return recv + "." + f.Name
}

func (l *library) declared(t *doc.Type) {
	fmt.Fprintf(&l.text, "\n## %s\n\n", t.Name)
	l.code(t.Decl)
	l.text.WriteString("\n" + l.markdown(t.Doc, 4))
	l.examples(t.Examples)
	for _, v := range slices.Concat(t.Consts, t.Vars) {
		l.value(v)
	}
	for _, f := range slices.Concat(t.Funcs, t.Methods) {
		l.function(f, "###")
	}
}

func (l *library) function(f *doc.Func, level string) {
	fmt.Fprintf(&l.text, "\n%s %s\n\n", level, qualified(f))
	l.code(f.Decl)
	l.text.WriteString("\n" + l.markdown(f.Doc, 4))
	l.examples(f.Examples)
}

func (l *library) value(v *doc.Value) {
	l.text.WriteString("\n")
	for _, name := range v.Names {
		fmt.Fprintf(&l.text, "<a id=\"%s\"></a>\n", anchor(name))
	}
	l.text.WriteString("\n")
	l.code(v.Decl)
	if v.Doc != "" {
		l.text.WriteString("\n" + l.markdown(v.Doc, 4))
	}
}

func (l *library) examples(all []*doc.Example) {
	for _, e := range all {
		l.text.WriteString("\nExample")
		if e.Suffix != "" {
			fmt.Fprintf(&l.text, " (%s)", strings.ReplaceAll(e.Suffix, "_", " "))
		}
		l.text.WriteString(":\n\n")
		l.code(e.Code)
		if e.Output != "" {
			fmt.Fprintf(&l.text, "\n```text\n%s\n```\n", strings.TrimRight(e.Output, "\n"))
		}
	}
}

// code is a declaration or a block as Go's text.
func (l *library) code(node any) {
	if d, ok := node.(*ast.FuncDecl); ok {
		d.Doc, d.Body = nil, nil
	}
	if d, ok := node.(*ast.GenDecl); ok {
		d.Doc = nil
	}
	var b strings.Builder
	if err := format.Node(&b, l.fset, node); err != nil {
		panic(err) // what was parsed can be written
	}
	text := b.String()
	if _, ok := node.(*ast.BlockStmt); ok { // the body of an example
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, "{"), "}"))
		text = strings.ReplaceAll(text, "\n\t", "\n")
		text, _, _ = strings.Cut(text, "\n// Output:")
	}
	fmt.Fprintf(&l.text, "```go\n%s\n```\n", strings.TrimSpace(text))
}
