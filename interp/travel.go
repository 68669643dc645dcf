package interp

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/wire"
)

// A study whose function was written in a cell can run in other sessions, on other machines. What goes there is a cell:
// the declarations that the function reaches, its variables with the values that they have now, and a study with the
// function that runs.

// travelBytes is what the variables of a function that travels may hold in all.
const travelBytes = 64 << 20

// travelImports are what the values of variables are written with.
const travelImports = `import (
	travel2base64 "encoding/base64"
	travel2binary "encoding/binary"
	travel2math "math"
	travel2strings "strings"
	travel2study "gaucho/stdlib/study"
)
`

// StudyProgram returns a cell for another session, that runs a study whose Replicate is that of the study of this session
// with the given Study.Source. All else about that study is made up: who runs the cell takes the function (see
// study.SetRunner). It is an error when the function cannot travel, because it uses variables of a function around it, or
// variables of the session that hold more than numbers, strings and bools, slices, arrays and maps of them, dense matrices
// and vectors, up to 64 MB in all. Functions in variables travel when they stand there as written. No cell may be running.
func (s *Session) StudyProgram(ctx context.Context, source string) (string, error) {
	s.executing.Lock()
	defer s.executing.Unlock()
	t, err := s.pack(source)
	if err != nil {
		return "", err
	}
	values, err := s.travelValues(ctx, t.vars)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString((&replayed{imports: t.imports}).source())
	b.WriteString(travelImports)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "var %s %s = %s\n", name, t.vars[name], values[name])
	}
	b.WriteString((&replayed{decls: t.decls}).source())
	fmt.Fprintf(&b, "(&travel2study.Study{Replicate: %s}).Run(ctx, nil)\n", t.replicate)
	return b.String(), nil
}

// A luggage is what a study's function takes along.
type luggage struct {
	replicate string
	imports   map[string]string
	decls     []replayedDecl
	vars      map[string]string // types of variables that travel as values
}

// pack collects what the function of a study needs.
func (s *Session) pack(source string) (*luggage, error) {
	s.front.Lock()
	defer s.front.Unlock()
	f := s.studies.funcs[source]
	if f == nil {
		return nil, errors.New("a study travels when its Replicate stands in the study's literal in a cell")
	}
	if len(f.locals) > 0 {
		return nil, fmt.Errorf("the study's function uses %s of the function around it and cannot travel: declare it at the top level of a cell",
			strings.Join(f.locals, ", "))
	}
	r := reachOf(s.scope, f.uses)
	for _, old := range slices.Sorted(maps.Keys(r.older)) {
		return nil, fmt.Errorf("the study's function uses what was declared again since: %s; run its cell again", old)
	}
	t := &luggage{f.text, maps.Clone(s.scope.imports), nil, map[string]string{}}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		e := r.names[name]
		if v, ok := e.obj.(*types.Var); ok && !s.isFunction(name, e) {
			if !plainType(v.Type()) {
				return nil, fmt.Errorf("the study's function uses the variable %s, and a %s cannot travel", name, typeString(v.Type()))
			}
			t.vars[name] = typeString(v.Type())
			continue
		}
		if seen[e.text] {
			continue
		}
		seen[e.text] = true
		text := e.text
		for _, m := range slices.Sorted(maps.Keys(e.methods)) {
			text += "\n" + e.methods[m].text
		}
		t.decls = append(t.decls, replayedDecl{name: name, text: text, cell: e.cell})
	}
	slices.SortStableFunc(t.decls, func(a, b replayedDecl) int { return a.cell - b.cell })
	return t, nil
}

// isFunction reports whether a variable was declared as a function literal and is still that.
func (s *Session) isFunction(name string, e *entity) bool {
	if _, ok := e.obj.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	c, ok := s.ledger.changes[name]
	if !ok || !c.declared || assignments(c.by.cell.Source, name) != 1 {
		return false
	}
	f := topLevel(e.text)
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
	source = normalise(source)
	for _, c := range split(source) {
		switch f := topLevel(source[c.start:c.end]); {
		case c.kind == importChunk:
		case c.kind == magicChunk || f == nil:
			return 0
		default:
			ast.Inspect(f, note)
		}
	}
	return n
}

// travelValues asks the worker for the values of variables as Go source.
func (s *Session) travelValues(ctx context.Context, vars map[string]string) (map[string]string, error) {
	values := map[string]string{}
	if len(vars) == 0 {
		return values, nil
	}
	s.watch(ctx)
	names := slices.Sorted(maps.Keys(vars))
	seen, err := s.worker.Look(ctx, &wire.Look{Names: names, Source: true, Travel: travelBytes})
	if err != nil {
		return nil, err
	}
	if !seen.OK {
		return nil, errors.New("the session does not tell the values of its variables")
	}
	var total int64
	for _, it := range seen.Items {
		values[it.Name] = it.Text
		total += it.Size
	}
	for _, name := range names {
		if values[name] == "" {
			return nil, fmt.Errorf("the variable %s, a %s, cannot travel: it holds more than %d MB, or no matrix, or goroutines are still at work on it",
				name, vars[name], travelBytes>>20)
		}
	}
	if total > travelBytes {
		return nil, fmt.Errorf("the variables %s hold %d MB, of which %d can travel", strings.Join(names, ", "), total>>20, travelBytes>>20)
	}
	return values, nil
}
