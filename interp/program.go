package interp

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"gaucho/interp/lower"
	"gaucho/interp/wire"
)

// compileProgram checks and lowers a whole Go program, as Go checks it: every import must be written and used.
func (s *Session) compileProgram(id int, src string, args []string) (*program, []problem) {
	if problems := refusedDirectives(id, src, 1); problems != nil {
		return nil, problems
	}
	f, err := parser.ParseFile(s.checker.fset, fileName(id), ordinaryLines(src), parser.SkipObjectResolution|parser.AllErrors|parser.ParseComments)
	if err != nil {
		var list scanner.ErrorList
		if l, ok := err.(scanner.ErrorList); ok {
			list = l
		}
		return nil, syntaxProblems(src, list)
	}
	if f.Name.Name != "main" {
		return nil, []problem{{pos: s.checker.fset.Position(f.Name.Pos()), msg: "package " + f.Name.Name + " is not a main package"}}
	}
	if problems := bodyless(s.checker.fset, f.Decls...); problems != nil {
		return nil, problems
	}
	calls := programCalls(f)
	for _, c := range calls {
		f.Decls = append(f.Decls, c)
	}
	part, problems := s.checker.checkProgram(id, f)
	if problems != nil {
		return nil, problems
	}
	for _, c := range calls {
		part.Body = append(part.Body, lower.Chunk{Stmt: c.Body.List[0]})
	}
	prog := &program{id: id}
	if problems := s.initModules(prog, s.checker.importedModules(f)); problems != nil {
		return nil, problems
	}
	st := step{checked: &checked{part: part}}
	if problems := s.lowerStage(&st); problems != nil {
		return nil, problems
	}
	js, err := json.Marshal(args)
	if err != nil {
		return nil, []problem{{msg: err.Error()}}
	}
	prog.steps = append([]step{{unit: &wire.Unit{Builtin: "args", Text: string(js)}}}, append(prog.steps, st)...)
	return prog, nil
}

// importedModules are the packages that a file imports, of those that are run from their source.
func (c *checker) importedModules(f *ast.File) []importedModule {
	var out []importedModule
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if m := c.finder.Module(path); err == nil && m != nil {
			out = append(out, importedModule{m, spec.Pos()})
		}
	}
	return out
}

// programCalls gives the init functions names of their own and returns functions that call them and main, in order.
func programCalls(f *ast.File) []*ast.FuncDecl {
	cell := &parsedCell{program: true}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			cell.pieces = append(cell.pieces, &piece{decl: fn, kind: funcChunk, names: names{used: map[string]bool{}}})
		}
	}
	callInitAndMain(cell)
	var calls []*ast.FuncDecl
	for _, p := range cell.pieces {
		if p.stmt != nil {
			calls = append(calls, statementFunc(p.stmt))
		}
	}
	return calls
}

// checkProgram type-checks a program and lays it out: variables in the order of their initialisation.
func (c *checker) checkProgram(id int, f *ast.File) (*lower.Part, []problem) {
	st := c.newStage(id, newScope(), &stage{}, nil)
	var problems []problem
	conf := types.Config{
		Context: c.context, Importer: c.importer, Sizes: sizes, GoVersion: goVersion,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok && e.Msg != "" && e.Msg[0] != '\t' {
				problems = append(problems, problem{pos: c.fset.Position(e.Pos), msg: e.Msg})
			}
		},
	}
	c.empty()
	types.NewChecker(&conf, c.fset, c.pkg, st.info).Files([]*ast.File{f})
	if main := c.pkg.Scope().Lookup("main"); main == nil && problems == nil {
		problems = append(problems, problem{pos: c.fset.Position(f.Name.Pos()), msg: "function main is undeclared in the main package"})
	}
	if problems != nil {
		return nil, problems
	}
	p := &lower.Part{
		Cell: id, Fset: c.fset, Pkg: c.pkg, Info: st.info, Program: true,
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
	p.Body = initChunks(st.info, specs)
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
func initChunks(info *types.Info, specs []*ast.ValueSpec) []lower.Chunk {
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
	var out []lower.Chunk
	for _, s := range specs {
		c := lower.Chunk{Var: s}
		for _, n := range s.Names {
			if v, ok := info.Defs[n].(*types.Var); ok && n.Name != "_" {
				c.Declares = append(c.Declares, v)
			}
		}
		out = append(out, c)
	}
	return out
}
