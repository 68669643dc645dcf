package export

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// Some of what a session does has no form that a person would want to read in a program. What a notebook does of it is said.

// noteStage says where the program departs from the notebook. It is called before the stage is taken.
func (e *exporter) noteStage(s *check.Stage) {
	added := map[*cell.Piece]bool{}
	for _, d := range s.Added {
		added[s.PieceOf[d]] = true
	}
	plain := slices.SortedFunc(maps.Keys(s.Plain), func(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) })
	for _, d := range plain {
		m := s.Plain[d]
		if m == nil || !added[s.PieceOf[d]] || e.bodies[m] != nil || !e.seen[check.ReceiverOf(m)] {
			continue
		}
		e.note(s.Cell, "%s gets its method %s here, but has it from the beginning in the program, where earlier cells may print or do something else",
			check.ReceiverOf(m).Name(), m.Name())
	}
	e.noteEnds(s)
	e.see(s)
}

// see keeps which types the cells' values that are passed on or shown have: a method that comes later may change what was done
// with them.
func (e *exporter) see(s *check.Stage) {
	for x := range s.Info.Types {
		if call, ok := x.(*ast.CallExpr); ok {
			for _, arg := range call.Args {
				e.seeType(s.Info.Types[arg].Type)
			}
		}
	}
	for _, c := range s.InOrder() {
		if c.Show {
			e.seeType(s.Info.Types[c.Func.Body.List[0].(*ast.ExprStmt).X].Type)
		}
	}
}

func (e *exporter) seeType(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		obj := t.Origin().Obj()
		if obj.Pkg() != e.checker.Pkg || e.seen[obj] {
			return
		}
		e.seen[obj] = true
		e.seeType(t.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			e.seeType(f.Type())
		}
	case *types.Map:
		e.seeType(t.Key())
		e.seeType(t.Elem())
	case interface{ Elem() types.Type }:
		e.seeType(t.Elem())
	}
}

// ends are the functions that end a cell in a notebook, which a program ends with.
var ends = map[string]bool{"os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true, "runtime.Goexit": true, "syscall.Exit": true}

// noteEnds names the calls that end a cell, and more of a program.
func (e *exporter) noteEnds(s *check.Stage) {
	found := map[string]bool{}
	for _, obj := range s.Info.Uses {
		if f, ok := obj.(*types.Func); ok && f.Pkg() != nil && ends[f.Pkg().Path()+"."+f.Name()] {
			found[f.Pkg().Name()+"."+f.Name()] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		e.note(s.Cell, "%s ends its cell in the notebook, and the whole program", name)
	}
	panics := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		b, builtin := s.Info.Uses[id].(*types.Builtin)
		return ok && builtin && b.Name() == "panic"
	}
	for _, n := range codeOf(s) {
		ast.Inspect(n, func(n ast.Node) bool {
			if g, ok := n.(*ast.GoStmt); ok && contains(g, panics) {
				e.note(s.Cell, "a panic in a goroutine is reported in the notebook, and ends the program")
				return false
			}
			return true
		})
	}
}

// codeOf is what a stage has of functions and statements.
func codeOf(s *check.Stage) (list []ast.Node) {
	for _, d := range slices.Concat(s.Funcs, s.Methods, s.Added) {
		list = append(list, d)
	}
	for _, c := range s.InOrder() {
		if c.Spec != nil {
			list = append(list, c.Spec)
		} else {
			list = append(list, c.Func)
		}
	}
	return list
}

func contains(n ast.Node, is func(ast.Node) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		found = found || n != nil && is(n)
		return !found
	})
	return found
}

// noteUnreached says of what a cell that may fail declares again that the program takes it as declared; first is the number of
// objects before its stage.
func (e *exporter) noteUnreached(s *check.Stage, first int, began bool) {
	for _, obj := range e.order[first:] {
		_, variable := obj.(*types.Var)
		again := slices.ContainsFunc(e.order[:first], func(o types.Object) bool { return o.Name() == obj.Name() })
		if again && (variable || began) {
			e.note(s.Cell, "the cell may fail before it declares %s again, and later cells then use the earlier one; the program uses this one", obj.Name())
		}
	}
}

// noteInput says where a program reads its input otherwise than a notebook, in which each read asks for a line.
func (e *exporter) noteInput() {
	readers := 0
	for pos, obj := range e.objects {
		if obj.Pkg() == nil || obj.Pkg().Path() != "os" || obj.Name() != "Stdin" || !e.selected[pos] {
			continue
		}
		readers++
	}
	if readers > 1 && slices.ContainsFunc(slices.Collect(maps.Values(e.objects)), func(o types.Object) bool {
		return o.Pkg() != nil && o.Pkg().Path() == "bufio" && (o.Name() == "NewScanner" || o.Name() == "NewReader")
	}) {
		e.notes = append(e.notes, "The notebook asks for a line each time it reads; in the program the first buffered reader of os.Stdin takes all that is there.")
	}
}

// noteWidgets says what becomes of widgets, which nobody sees in a program.
func (e *exporter) noteWidgets() {
	for _, obj := range e.objects {
		if obj.Pkg() != nil && obj.Pkg().Path() == "gaucho/stdlib/widgets" {
			e.notes = append(e.notes, "Nobody moves widgets in a program: the function of Interact is called once, and what it prints and shows comes above the widget's text.")
			return
		}
	}
}

// lasting are the magics after which a notebook's later cells do or show something else.
var lasting = []string{"%reset", "%rerun", "%replay", "%precision", "%del"}

// noteMagic says of a magic that a program has nothing like it.
func (e *exporter) noteMagic(number int, line string) {
	name, _, _ := strings.Cut(line, " ")
	if slices.Contains(lasting, name) {
		e.note(number, "%s becomes a comment: what it changes for later cells in the notebook, it does not change in the program", line)
		return
	}
	e.note(number, "%s has no meaning in a program and becomes a comment", line)
}
