// Command conform compares an engine with the Go compiler: it runs the Go distribution's run-tests through
// `gaucho run`, and writes the tables and the lists of failures of docs/conformance.md, or of docs/conformance127.md for a
// program that is built with Go 1.27. make conformance does both steps.
//
//	make && go run ./interp/lower/conform -gaucho ./gaucho > docs/conformance.md
//
// With -text FILE.go it prints what the interpreter is given for a program instead.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"gaucho/interp/engine"
	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// tested is what runs the tests.
var tested string

func main() {
	gaucho := flag.String("gaucho", "./gaucho", "the gaucho command to test")
	engines := flag.String("engines", "native,yaegi", "the engines to test")
	distribution := flag.String("distribution", "", "a `directory` with a whole Go, whose tests are run; the go command's own by default")
	text := flag.String("text", "", "print the lowered text of this program")
	flag.Parse()
	if *text != "" {
		if err := printText(*text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	path, err := filepath.Abs(*gaucho)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := all(path, *distribution, strings.Split(*engines, ","), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type library struct{ *symbols.Importer }

func (library) Source(path string) map[string]string { return symbols.Source(path) }
func (library) Has(path, name string) bool           { return symbols.Has(path, name) }
func (library) Asserts(path string) bool             { return symbols.Asserts(path) }
func (library) Module(path string) *modules.Package  { return nil }

// printText lowers a program and prints the text.
func printText(file string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	lib := library{symbols.NewImporter()}
	conf := types.Config{Importer: lib, Sizes: symbols.Sizes()}
	pkg, err := conf.Check("main", fset, []*ast.File{f}, info)
	if err != nil {
		return err
	}
	part := &engine.Part{Cell: 1, Fset: fset, Pkg: pkg, Info: info, Program: true}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			part.Funcs = append(part.Funcs, fd)
		}
	}
	u, err := lower.New(lib).Part(part)
	if err != nil {
		return err
	}
	fmt.Println(u.Text)
	return nil
}
