package lower

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A source is a package of the standard library that was checked from its source, because it has generic functions or
// types, which compiled symbol tables cannot hold.
type source struct {
	pkg   *types.Package
	info  *types.Info
	fset  *token.FileSet
	decls map[*types.Func]*declared
}

// source checks a package from source, once in a session.
func (e *emitter) source(path string) *source {
	s := e.s
	if src, ok := s.sources[path]; ok {
		return src
	}
	s.sources[path] = nil
	texts := s.lib.Source(path)
	if texts == nil {
		return nil
	}
	src := &source{fset: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
	}}
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		f, err := parser.ParseFile(src.fset, name, texts[name], parser.SkipObjectResolution)
		if err == nil {
			files = append(files, f)
		}
	}
	conf := types.Config{Importer: s.lib, Error: func(error) {}, FakeImportC: true}
	src.pkg, _ = conf.Check(path, src.fset, files, src.info)
	src.decls = map[*types.Func]*declared{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := src.info.Defs[fd.Name].(*types.Func); ok {
					src.decls[obj] = &declared{decl: fd, info: src.info, fset: src.fset, pkg: src.pkg, src: true}
				}
			}
		}
	}
	s.sources[path] = src
	return src
}

// exported is the type that the session's importer knows under the name of a type that was checked from source.
func (e *emitter) exported(n *types.Named) *types.Named {
	pkg := n.Obj().Pkg()
	if pkg == nil || isCell(pkg) {
		return n
	}
	src := e.s.sources[pkg.Path()]
	if src == nil || src.pkg != pkg || n.Obj().Parent() != pkg.Scope() {
		return n
	}
	imp, err := e.s.lib.Import(pkg.Path())
	if err != nil {
		return n
	}
	if obj, ok := imp.Scope().Lookup(n.Obj().Name()).(*types.TypeName); ok {
		if m, ok := types.Unalias(obj.Type()).(*types.Named); ok {
			return m
		}
	}
	return n
}

// sourceNamed is the instance, in the world of the package's source, of a generic type of a compiled package; nil for
// all other types.
func (e *emitter) sourceNamed(n *types.Named) *types.Named {
	obj := n.Obj()
	if obj.Pkg() == nil || isCell(obj.Pkg()) || n.TypeArgs().Len() == 0 {
		return nil
	}
	src := e.source(obj.Pkg().Path())
	if src == nil || src.pkg == obj.Pkg() {
		return nil
	}
	so, ok := src.pkg.Scope().Lookup(obj.Name()).(*types.TypeName)
	if !ok {
		return nil
	}
	origin, ok := so.Type().(*types.Named)
	if !ok {
		return nil
	}
	args := slices.Collect(n.TypeArgs().Types())
	inst, err := types.Instantiate(e.s.tctx, origin, args, false)
	if err != nil {
		return nil
	}
	return inst.(*types.Named)
}

// declaration finds the body of a function or method. For those of compiled packages it looks in the package's source,
// and returns the function object of that world.
func (e *emitter) declaration(f *types.Func) (*types.Func, *declared) {
	f = f.Origin()
	if d := e.s.bodyOf(f); d != nil {
		return f, d
	}
	if f.Pkg() == nil || e.s.interpreted(f.Pkg()) {
		return f, nil
	}
	src := e.source(f.Pkg().Path())
	if src == nil {
		return f, nil
	}
	if src.pkg == f.Pkg() {
		return f, src.decls[f]
	}
	recv := f.Signature().Recv()
	if recv == nil {
		if g, ok := src.pkg.Scope().Lookup(f.Name()).(*types.Func); ok {
			return g, src.decls[g]
		}
		return f, nil
	}
	n := recvNamed(recv.Type())
	if n == nil {
		return f, nil
	}
	tn, ok := src.pkg.Scope().Lookup(n.Obj().Name()).(*types.TypeName)
	if !ok {
		return f, nil
	}
	if m, ok := tn.Type().(*types.Named); ok {
		for g := range m.Methods() {
			if g.Name() == f.Name() {
				return g, src.decls[g]
			}
		}
	}
	return f, nil
}

func recvNamed(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}
