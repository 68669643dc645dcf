// Command conform runs Go programs through the lowerer and the interpreter, and compares what they write with what the
// Go compiler's programs write. It makes the table of docs/conformance.md.
//
//	conform run FILE.go     lower and run one program in this process
//	conform text FILE.go    print the lowered text
//	conform all [DIR...]    run the Go distribution's run-tests
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/traefik/yaegi/interp"

	"gaucho/interp/lower"
	"gaucho/interp/rt"
	"gaucho/interp/symbols"
	"gaucho/interp/symbols/tables"
)

type library struct{ *symbols.Importer }

func (library) Source(path string) map[string]string { return symbols.Source(path) }
func (library) Has(path, name string) bool           { return symbols.Has(path, name) }

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: conform run|text FILE.go, conform all [DIR...]")
		os.Exit(2)
	}
	switch os.Args[1] {
	case "run":
		os.Exit(run(os.Args[2]))
	case "text":
		u, err := compile(os.Args[2])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(u.Text)
	case "all":
		all(os.Args[2:])
	}
}

func compile(file string) (*lower.Unit, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	names := []string{file}
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}
	lib := library{symbols.NewImporter()}
	var first error
	conf := types.Config{Importer: lib, Sizes: symbols.Sizes(), Error: func(err error) {
		if first == nil {
			first = err
		}
	}}
	pkg, _ := conf.Check("main", fset, files, info)
	if first != nil {
		return nil, fmt.Errorf("CHECK: %v", first)
	}
	part := &lower.Part{Cell: 1, Fset: fset, Pkg: pkg, Info: info, Program: true}
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				part.Funcs = append(part.Funcs, fd)
			}
		}
	}
	u, err := lower.New(lib).Part(part)
	if rs, ok := err.(lower.Refusals); ok {
		var lines []string
		for _, r := range rs {
			lines = append(lines, fmt.Sprintf("REFUSED %s: %s", fset.Position(r.Pos), r.Msg))
		}
		return nil, fmt.Errorf("%s", strings.Join(lines, "\n"))
	}
	return u, err
}

var lineDirective = regexp.MustCompile(`(?m)^(//line c[0-9]+):`)

func run(file string) int {
	u, err := compile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	rt.Lookup = func(path, name string) reflect.Value { return tables.Table(path)[name] }
	os.Args = os.Args[2:3]
	defs, err := rt.Define(u.Types)
	if err != nil {
		fmt.Fprintln(os.Stderr, "DEFINE:", err)
		return 3
	}
	in := interp.New(interp.Options{Stdout: rt.Stdout, Stderr: rt.NoteWriter{}, Unrestricted: true})
	syms := rt.Symbols()
	for k, v := range rt.CellSymbols() {
		syms[k] = v
	}
	in.Use(interp.Exports{"gaucho/interp/rt/p": syms, "gaucho/types/p": defs})
	for _, path := range u.Imports {
		if path == "gaucho/interp/rt" || path == "gaucho/types" {
			continue
		}
		t := tables.Exports(path)
		if t == nil {
			fmt.Fprintln(os.Stderr, "NO TABLE", path)
			return 3
		}
		for _, m := range t {
			over := rt.Overrides(path)
			if len(over) == 0 {
				break
			}
			c := maps.Clone(m)
			maps.Copy(c, over)
			t = interp.Exports{path + "/p": c}
		}
		in.Use(t)
	}
	entry, err := load(in, u)
	if err != nil {
		fmt.Fprintln(os.Stderr, "EVAL:", err)
		return 3
	}
	if os.Getenv("CONFORM_CRASH") != "" {
		entry()
		return 0
	}
	end := rt.NewCell(1).Run(entry)
	switch {
	case end.Stop != nil && end.Stop.Name == "Exit":
		return end.Stop.Code
	case end.Stop != nil:
		fmt.Fprintln(os.Stderr, "stopped:", end.Stop)
		return 2
	case end.Panic != nil:
		v := rt.Panicked(end.Panic)
		if err, ok := v.(error); ok {
			fmt.Fprintf(os.Stderr, "panic: %v\n", err)
		} else {
			fmt.Fprintf(os.Stderr, "panic: %v\n", v)
		}
		for _, n := range end.Notes {
			fmt.Fprintf(os.Stderr, "\t%d:%d %s\n", n.Line, n.Column, n.Function)
		}
		return 2
	}
	return 0
}

func load(in *interp.Interpreter, u *lower.Unit) (entry func(), err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("crash: %v", r)
		}
	}()
	text := lineDirective.ReplaceAllString(u.Text, "${1}/"+interp.DefaultSourceName+":")
	if _, err := in.Eval(text); err != nil {
		return nil, err
	}
	v, err := in.Eval("main." + u.Entry)
	if err != nil {
		return nil, err
	}
	return v.Interface().(func()), nil
}
