package depend

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// A closure is what a study's function needs in another session.
type closure struct {
	Replicate string
	Imports   map[string]string
	Decls     []*declaration
	Vars      map[string]string // types of variables that go along as values
}

// ClosureOf collects what the function of a study needs, nil for one that is not known.
func (l *Tracker) ClosureOf(sc *check.Scope, f *check.StudyFunc, ctx *types.Var) (*closure, error) {
	if f == nil {
		return nil, errors.New("a study can be sent to workers only if its Replicate is set in the study's composite literal, in a cell")
	}
	if locals := f.Locals(); len(locals) > 0 {
		return nil, fmt.Errorf("the study's function uses %s of the enclosing function and cannot be sent to workers: declare it at the top level of a cell",
			strings.Join(locals, ", "))
	}
	r := reachWithTypes(sc, f, ctx)
	for _, old := range slices.Sorted(maps.Keys(r.Older)) {
		return nil, fmt.Errorf("the study's function uses names that were declared again since: %s; run its cell again", old)
	}
	t := &closure{f.Text, maps.Clone(sc.Imports), nil, map[string]string{}}
	for name := range t.Imports {
		if check.Hidden(name) {
			delete(t.Imports, name)
		}
	}
	declared := map[string]*check.Entity{}
	for _, name := range slices.Sorted(maps.Keys(r.Names)) {
		e := r.Names[name]
		if v, ok := e.Obj.(*types.Var); ok && !l.isFunction(name, e, 0, "") {
			if !PlainType(v.Type()) {
				return nil, fmt.Errorf("the study's function uses the variable %s, and a %s cannot be sent to workers", name, check.TypeString(v.Type()))
			}
			t.Vars[name] = check.TypeString(v.Type())
			continue
		}
		declared[name] = e
	}
	t.Decls = declarationsOf(declared)
	return t, nil
}

// reachWithTypes is check.ReachOf, with the types of the variables among what is reached.
func reachWithTypes(sc *check.Scope, f *check.StudyFunc, ctx *types.Var) *check.Reach {
	whole := *f
	whole.Uses = maps.Clone(f.Uses)
	for {
		r, known := check.ReachOf(sc, nil, &whole, ctx), len(whole.Uses)
		for _, e := range r.Names {
			if v, ok := e.Obj.(*types.Var); ok {
				maps.Copy(whole.Uses, namedTypes(v.Type()))
			}
		}
		if len(whole.Uses) == known {
			return r
		}
	}
}

// isFunction reports whether a variable was declared as a function literal and is still that. Running is the source of the
// cell that runs, number that of its run.
func (l *Tracker) isFunction(name string, e *check.Entity, number int, running string) bool {
	if _, ok := e.Obj.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	source := running
	if e.Cell != number {
		c, ok := l.changes[name]
		if !ok || !c.declared || assignments(running, name) > 0 {
			return false
		}
		source = c.by.Cell.Source
	}
	if assignments(source, name) != 1 {
		return false
	}
	f := topLevel(e.Text)
	if f == nil {
		return false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fn.Body == nil || len(fn.Body.List) != 1 {
		return false
	}
	body := fn.Body.List
	if a, ok := body[0].(*ast.AssignStmt); ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
		_, literal := a.Rhs[0].(*ast.FuncLit)
		return literal
	}
	return false
}

// topLevel parses one chunk of a cell: a declaration, or a statement as the body of a function. It is nil for all else.
func topLevel(text string) *ast.File {
	for _, file := range []string{"package p\n" + text, "package p\nfunc _() {\n" + text + "\n}"} {
		if f, err := parser.ParseFile(token.NewFileSet(), "", file, parser.SkipObjectResolution); err == nil && len(f.Decls) == 1 {
			return f
		}
	}
	return nil
}

// assignments counts what may change a variable in a cell: assignments, declarations, and where its address is taken. It
// is 0 for a cell with magics.
func assignments(source, name string) (n int) {
	is := func(x ast.Expr) {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok && id.Name == name {
			n++
		}
	}
	note := func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				is(l)
			}
		case *ast.ValueSpec:
			for _, id := range x.Names {
				is(id)
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				is(x.X)
			}
		}
		return true
	}
	source = cell.Normalise(source)
	for _, c := range cell.Split(source) {
		switch f := topLevel(source[c.Start:c.End]); {
		case c.Kind == cell.ImportChunk:
		case c.Kind == cell.MagicChunk || f == nil:
			return 0
		default:
			ast.Inspect(f, note)
		}
	}
	return n
}
