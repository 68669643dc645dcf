package main

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// What compiled code asserts. A value of a cell's type reaches compiled code in a wrapper that has the methods of the
// interface asked for, and further ones where compiled code looks for them by a type assertion, as io.Copy looks for WriteTo in
// a reader. They are found in the sources of all packages.

// ownMethods are those that every wrapper has, to print and to encode as the value does.
var ownMethods = []string{"Unboxed", "Format", "MarshalJSON", "MarshalXML", "DisplayValue", "Func"}

// boxReaders are packages that get the values of cells' types as they are in cells' own interfaces: package rt stands
// between them and the cell, or they look at values by reflection.
var boxReaders = strings.Fields("context encoding/gob encoding/json encoding/xml errors fmt html/template log/slog reflect runtime text/template testing")

// asserted is what packages look for in values.
type asserted struct {
	methods methods
	inAny   map[string]bool // packages that look for methods in values of type any
}

// findAsserted looks through the functions of all packages.
func (b *build) findAsserted(src *sources) *asserted {
	a := &asserted{methods: methods{}, inAny: map[string]bool{}}
	for _, p := range b.order {
		if p.ImportPath == "unsafe" || p.ImportPath == "builtin" || emitted(p.ImportPath) || strings.HasPrefix(p.ImportPath, "gaucho/interp/") {
			continue
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		conf := b.config(p)
		conf.IgnoreFuncBodies = false
		conf.Error = func(error) {} // types of this check are others than those of the dependencies
		conf.Check(p.ImportPath, src.fset, p.files, info)
		add := func(x, to ast.Expr) { b.assertion(a, p, info.TypeOf(x), info.TypeOf(to)) }
		for _, f := range p.files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeAssertExpr:
					if n.Type != nil {
						add(n.X, n.Type)
					}
				case *ast.TypeSwitchStmt:
					typeSwitch(n, add)
				case *ast.IndexExpr: // reflect.TypeAssert[T]
					if sel, ok := n.X.(*ast.SelectorExpr); ok && sel.Sel.Name == "TypeAssert" {
						b.assertion(a, p, types.Universe.Lookup("any").Type(), info.TypeOf(n.Index))
					}
				}
				return true
			})
		}
	}
	return a
}

func typeSwitch(n *ast.TypeSwitchStmt, add func(x, to ast.Expr)) {
	var x ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	}
	for _, clause := range n.Body.List {
		for _, to := range clause.(*ast.CaseClause).List {
			add(x, to)
		}
	}
}

// assertion enters that a package asserts values of one type to be of another one.
func (b *build) assertion(a *asserted, p *pkg, from, to types.Type) {
	if from == nil || to == nil {
		return
	}
	iface, ok := to.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return
	}
	w, ok := b.wrapper("", iface)
	if !ok {
		return // no type of a cell can have its methods
	}
	if f, ok := from.Underlying().(*types.Interface); ok && f.Empty() && public(p) && !slices.Contains(boxReaders, p.ImportPath) {
		a.inAny[p.ImportPath] = true
	}
	for _, m := range w.methods {
		if !slices.Contains(ownMethods, m.name) {
			a.methods.add(m)
		}
	}
}

// everywhere reports whether all platforms have the packages that a method's types are of.
func everywhere(builds []*build, m wrapMethod) bool {
	for _, t := range slices.Concat(m.params, m.results) {
		for rest := t; ; {
			_, after, ok := strings.Cut(rest, "{")
			if !ok {
				break
			}
			path, tail, _ := strings.Cut(after, "}")
			for _, b := range builds {
				if path != "" && (b.pkgs[path] == nil || !public(b.pkgs[path])) {
					return false
				}
			}
			rest = tail
		}
	}
	return true
}

// everywhere returns the methods of types that all platforms have.
func (m methods) everywhere(builds []*build) methods {
	rest := maps.Clone(m)
	maps.DeleteFunc(rest, func(_ string, x wrapMethod) bool { return !everywhere(builds, x) })
	return rest
}

// writeMethods writes a file of methods.
func writeMethods(name string, m methods, out output) error {
	f := &goFile{imports: map[string]bool{}}
	f.methods(name, m)
	src, err := f.file(name, "")
	out[tablesDir+"/z"+name+".go"] = src
	return err
}
