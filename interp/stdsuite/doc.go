// Package stdsuite makes sessions of what the standard library's authors wrote to show and to test it: the Examples of its
// documentation and its tests. It reads them from GOROOT; nothing of them is kept here. The suite runs in the tests of
// package interp, a sample in go test and the whole with
//
//	go test ./interp -run StandardLibrary -library -page $PWD/docs/conformance-library.md
package stdsuite

import (
	"embed"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Packages are those that the suite is about.
var Packages = strings.Fields(`
	bufio bytes container/heap container/list container/ring context encoding/ascii85 encoding/asn1 encoding/base32
	encoding/base64 encoding/binary encoding/csv encoding/gob encoding/hex encoding/json encoding/pem encoding/xml errors fmt
	html/template io io/fs maps math math/big math/bits math/cmplx math/rand math/rand/v2 path path/filepath regexp
	regexp/syntax slices sort strconv strings sync sync/atomic text/template time unicode unicode/utf16 unicode/utf8`)

// A File is a parsed source file with its text.
type File struct {
	Name string
	Text []byte
	AST  *ast.File
	Fset *token.FileSet
}

// Root returns the directory with the standard library's source, or "" where its tests did not come with Go.
func Root() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if tests, _ := filepath.Glob(filepath.Join(root, "strings", "*_test.go")); len(tests) == 0 {
		return ""
	}
	return root
}

// read parses the files of a package that the go command would choose here and that choose accepts.
func read(root, pkg string, choose func(name string) bool) ([]*File, error) {
	dir := filepath.Join(root, filepath.FromSlash(pkg))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	ctx := build.Default
	ctx.CgoEnabled = false
	ctx.BuildTags = []string{"purego", "math_big_pure_go"} // a private copy has no assembly
	fset := token.NewFileSet()
	var files []*File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || !choose(e.Name()) {
			continue
		}
		if ok, err := ctx.MatchFile(dir, e.Name()); err != nil || !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, e.Name(), text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, &File{e.Name(), text, f, fset})
	}
	return files, nil
}

// of is the text of a node with its documentation.
func (f *File) of(n ast.Node) string {
	from := n.Pos()
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Doc != nil {
			from = n.Doc.Pos()
		}
	case *ast.GenDecl:
		if n.Doc != nil {
			from = n.Doc.Pos()
		}
	}
	return f.between(from, n.End())
}

func (f *File) between(from, to token.Pos) string {
	file := f.Fset.File(from)
	return string(f.Text[file.Offset(from):file.Offset(to)])
}

// parse reads a text that was made of a file.
func parse(text string) (*File, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", text, parser.ParseComments)
	return &File{"x.go", []byte(text), f, fset}, err
}

// printed is a syntax tree as text that was parsed again, so that its positions are those of the text.
func printed(fset *token.FileSet, tree *ast.File) (*File, error) {
	var b strings.Builder
	if err := format.Node(&b, fset, tree); err != nil {
		return nil, err
	}
	return parse(b.String())
}

// isImport reports whether a declaration is one of imports.
func isImport(d ast.Decl) bool {
	g, ok := d.(*ast.GenDecl)
	return ok && g.Tok == token.IMPORT
}

// body is what is between the braces of a function.
func (f *File) body(fn *ast.FuncDecl) string {
	return strings.Trim(f.between(fn.Body.Lbrace+1, fn.Body.Rbrace), "\n")
}

// sortLines sorts the lines of an output whose order is not given.
func sortLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

//go:embed standins
var standins embed.FS

// Prepare makes a directory that of a session with a package's examples and tests: links to what is in the package's own,
// which they read, and a module with stand-ins for internal packages.
func Prepare(dir, root, pkg string) error {
	entries, err := os.ReadDir(filepath.Join(root, pkg))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(root, pkg, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+module+"\n\ngo 1.26\n"), 0o666); err != nil {
		return err
	}
	return os.CopyFS(dir, standins)
}
