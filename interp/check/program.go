package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"gaucho/interp/cell"
	"gaucho/interp/engine"
)

// ImportedModules are the packages that a file imports, of those that are run from their source.
func (c *Checker) ImportedModules(f *ast.File) []ImportedModule {
	var out []ImportedModule
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if m := c.finder.Module(path); err == nil && m != nil {
			out = append(out, ImportedModule{m, spec.Pos()})
		}
	}
	return out
}

// ProgramCalls gives the init functions names of their own and returns functions that call them and main, in order.
func ProgramCalls(f *ast.File) []*ast.FuncDecl {
	parsed := &cell.Cell{Pasted: true}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			parsed.Pieces = append(parsed.Pieces, &cell.Piece{Decl: fn, Kind: cell.FuncChunk, Names: cell.Names{Used: map[string]bool{}}})
		}
	}
	cell.CallInitAndMain(parsed)
	var calls []*ast.FuncDecl
	for _, p := range parsed.Pieces {
		if p.Stmt != nil {
			calls = append(calls, statementFunc(p.Stmt))
		}
	}
	return calls
}

// CheckProgram type-checks a program and lays it out: variables in the order of their initialisation.
func (c *Checker) CheckProgram(id int, f *ast.File) (*engine.Part, []cell.Problem) {
	st := c.NewStage(id, NewScope(), &cell.Stage{}, nil)
	var problems []cell.Problem
	conf := types.Config{
		Context: c.context, Importer: c.Importer, Sizes: Sizes, GoVersion: GoVersion,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok && e.Msg != "" && e.Msg[0] != '\t' {
				problems = append(problems, cell.Problem{Pos: c.Fset.Position(e.Pos), Msg: e.Msg})
			}
		},
	}
	c.empty()
	types.NewChecker(&conf, c.Fset, c.Pkg, st.Info).Files([]*ast.File{f})
	if main := c.Pkg.Scope().Lookup("main"); main == nil && problems == nil {
		problems = append(problems, cell.Problem{Pos: c.Fset.Position(f.Name.Pos()), Msg: "function main is undeclared in the main package"})
	}
	if problems != nil {
		return nil, problems
	}
	p := &engine.Part{
		Cell: id, Fset: c.Fset, Pkg: c.Pkg, Info: st.Info, Program: true,
		Keeps: map[*types.Var]*types.Var{}, Replaces: map[*types.Func]*types.Func{},
	}
	var specs []*ast.ValueSpec
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "_" {
				p.Funcs = append(p.Funcs, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.Types = append(p.Types, spec)
				case *ast.ValueSpec:
					if d.Tok == token.VAR {
						specs = append(specs, separate(spec)...)
					}
				}
			}
		}
	}
	p.Body = initChunks(st.Info, specs)
	return p, nil
}

// separate makes a spec for each variable of var a, b = x, y, because they may be initialised at different times.
func separate(spec *ast.ValueSpec) []*ast.ValueSpec {
	if len(spec.Names) != len(spec.Values) {
		return []*ast.ValueSpec{spec}
	}
	var out []*ast.ValueSpec
	for i := range spec.Names {
		out = append(out, &ast.ValueSpec{Names: spec.Names[i : i+1], Type: spec.Type, Values: spec.Values[i : i+1]})
	}
	return out
}

// initChunks puts variables in the order of their initialisation, those without a value first.
func initChunks(info *types.Info, specs []*ast.ValueSpec) []engine.Chunk {
	byValue := map[ast.Expr]int{}
	for i, init := range info.InitOrder {
		byValue[init.Rhs] = i + 1
	}
	rank := func(s *ast.ValueSpec) int {
		if len(s.Values) == 0 {
			return 0
		}
		return byValue[s.Values[0]]
	}
	slices.SortStableFunc(specs, func(a, b *ast.ValueSpec) int { return rank(a) - rank(b) })
	var out []engine.Chunk
	for _, s := range specs {
		c := engine.Chunk{Var: s}
		for _, n := range s.Names {
			if v, ok := info.Defs[n].(*types.Var); ok && n.Name != "_" {
				c.Declares = append(c.Declares, v)
			}
		}
		out = append(out, c)
	}
	return out
}
