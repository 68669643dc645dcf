package assist

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"gaucho/interp/api"
	"gaucho/interp/cell"
)

// keyed returns the variable whose keys can be in the string literal after src: the map that it is an index of, or the table whose
// column it names. It returns "" where a string can hold anything, or is for a file.
func (v *View) keyed(src string) string {
	v.Lock.Lock()
	defer v.Lock.Unlock()
	at := len(src)
	marked := normaliseAt(src+cursorName, &at)
	g := v.look(marked, at, strings.TrimSuffix(cursorName, cell.Mark))
	if g == nil || len(g.path) < 2 {
		return ""
	}
	if index, ok := g.path[len(g.path)-2].(*ast.IndexExpr); ok && index.Index == g.hit {
		return g.variable(index.X, isMap)
	}
	if call, ok := g.path[len(g.path)-2].(*ast.CallExpr); ok && g.takesFile(call) {
		return ""
	}
	return g.tableAround()
}

// takesFile reports whether the parameter at the cursor is a file's name, as Gaucho's and Go's libraries call it.
func (g *cursorContext) takesFile(call *ast.CallExpr) bool {
	f, ok := g.check.Info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return false
	}
	for i, arg := range call.Args {
		if arg == g.hit && i < f.Params().Len() {
			switch f.Params().At(i).Name() {
			case "file", "filename", "path", "dir":
				return true
			}
		}
	}
	return false
}

// tableAround is the table that a call around the cursor is a method of, at the beginning of a chain, or is given: t in
// t.Where(...).GroupBy("") and in plotting.Facet(t, "").
func (g *cursorContext) tableAround() string {
	for i := len(g.path) - 2; i >= 0; i-- {
		call, ok := g.path[i].(*ast.CallExpr)
		if !ok {
			continue
		}
		for _, e := range append([]ast.Expr{chainStart(call.Fun)}, call.Args...) {
			if name := g.variable(e, isTable); name != "" {
				return name
			}
		}
	}
	return ""
}

// chainStart is t in t.A().B().
func chainStart(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.CallExpr:
			e = x.Fun
		default:
			return e
		}
	}
}

// variable is the name of a session's variable of a type that is right, or "".
func (g *cursorContext) variable(e ast.Expr, right func(types.Type) bool) string {
	id, ok := e.(*ast.Ident)
	if !ok {
		return ""
	}
	obj, ok := g.check.Info.Uses[id].(*types.Var)
	if !ok || !right(obj.Type()) {
		return ""
	}
	return id.Name
}

func isMap(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	key, ok := m.Key().Underlying().(*types.Basic)
	return ok && key.Kind() == types.String
}

func isTable(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := p.Elem().(*types.Named)
	return ok && named.Obj().Name() == "Table" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "gaucho/stdlib/table"
}

// completeKey completes a key. One that cannot stand between quotes as it is, is left out.
func (v *View) completeKey(variable, prefix string, cursor int) api.Completion {
	out := api.Completion{Start: cursor - len(prefix), End: cursor}
	if v.Keys == nil {
		return out
	}
	for _, key := range v.Keys(variable) {
		if strings.HasPrefix(key, prefix) && strconv.Quote(key) == `"`+key+`"` {
			out.Items = append(out.Items, api.Item{Text: key, Type: "key"})
		}
	}
	return out
}
