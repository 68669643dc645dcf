package interp

import (
	"encoding/json"
	"go/parser"
	"go/scanner"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/engine"
	"gaucho/interp/wire"
)

// compileProgram checks and lowers a whole Go program, as Go checks it: every import must be written and used.
func (s *Session) compileProgram(id int, src string, args []string) (*program, []cell.Problem) {
	if problems := cell.RefusedDirectives(id, src, 1); problems != nil {
		return nil, problems
	}
	f, err := parser.ParseFile(s.checker.Fset, cell.FileName(id), cell.OrdinaryLines(src), parser.SkipObjectResolution|parser.AllErrors|parser.ParseComments)
	if err != nil {
		var list scanner.ErrorList
		if l, ok := err.(scanner.ErrorList); ok {
			list = l
		}
		return nil, cell.SyntaxProblems(src, list)
	}
	if f.Name.Name != "main" {
		return nil, []cell.Problem{{Pos: s.checker.Fset.Position(f.Name.Pos()), Msg: "package " + f.Name.Name + " is not a main package"}}
	}
	if problems := cell.Bodyless(s.checker.Fset, f.Decls...); problems != nil {
		return nil, problems
	}
	calls := check.ProgramCalls(f)
	for _, c := range calls {
		f.Decls = append(f.Decls, c)
	}
	part, problems := s.checker.CheckProgram(id, f)
	if problems != nil {
		return nil, problems
	}
	for _, c := range calls {
		part.Body = append(part.Body, engine.Chunk{Stmt: c.Body.List[0]})
	}
	prog := &program{id: id}
	if problems := s.initModules(prog, s.checker.ImportedModules(f)); problems != nil {
		return nil, problems
	}
	st := step{checked: &check.Checked{Part: part}}
	if problems := s.lowerStage(&st); problems != nil {
		return nil, problems
	}
	js, err := json.Marshal(args)
	if err != nil {
		return nil, []cell.Problem{{Msg: err.Error()}}
	}
	prog.steps = append([]step{{unit: &wire.Unit{Builtin: "args", Text: string(js)}}}, append(prog.steps, st)...)
	return prog, nil
}
