package assist

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"gaucho/interp/api"
	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/symbols"
)

// cursorName stands for the identifier at the cursor while a cell is checked for completion.
const cursorName = "cursor" + cell.Mark

// Complete lists what can be at the cursor (a byte offset). It answers while a cell runs.
func (v *View) Complete(source string, cursor int) (out api.Completion) {
	cursor = max(0, min(cursor, len(source)))
	start := identStart(source, cursor)
	out = api.Completion{Start: start, End: cursor}
	if line, ok := magicLine(source, cursor); ok {
		return v.completeMagic(source, cursor, line)
	}
	if path, ok := importPrefix(source, cursor); ok {
		return v.completeImport(path, cursor)
	}
	if prefix, ok := openString(source, cursor); ok {
		if variable := v.keyed(source[:cursor-len(prefix)-1]); variable != "" {
			return v.completeKey(variable, prefix, cursor)
		}
		return v.completeFile(prefix, cursor)
	}
	v.Lock.Lock()
	defer v.Lock.Unlock()
	end := cursor + identLen(source[cursor:])
	marked := normaliseAt(source[:start]+cursorName+source[end:], &start)
	g := v.look(marked, start, strings.TrimSuffix(cursorName, cell.Mark))
	prefix := source[out.Start:cursor]
	out.Items = matching(v.itemsAt(g), prefix)
	if g == nil || g.selector() == nil {
		sc := v.Scope
		if g != nil {
			sc = g.scope
		}
		likelyFirst(out.Items, sc)
		out.Items = append(out.Items, v.elsewhere(sc, prefix)...)
	}
	if g != nil && g.typeStands() {
		out.Items = typesOnly(out.Items)
	}
	return out
}

// normaliseAt is normalise, with an offset into the text kept in step.
func normaliseAt(src string, at *int) string {
	*at -= strings.Count(src[:*at], "\r\n")
	return cell.Normalise(src)
}

// identStart is where the identifier before the cursor begins.
func identStart(src string, cursor int) int {
	for cursor > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:cursor])
		if !isIdentRune(r) {
			break
		}
		cursor -= n
	}
	return cursor
}

// itemsAt lists all that can be at the cursor, best first.
func (v *View) itemsAt(g *cursorContext) []api.Item {
	if g == nil {
		return v.nameItems(nil)
	}
	if sel := g.selector(); sel != nil {
		return v.memberItems(g, sel)
	}
	var items []api.Item
	for _, f := range g.missingFields() {
		items = append(items, api.Item{Text: f.Name() + ": ", Type: "field", Signature: check.TypeString(f.Type()), Own: true})
	}
	return append(items, v.nameItems(g)...)
}

// selector is the selector expression whose right side the cursor is on.
func (g *cursorContext) selector() *ast.SelectorExpr {
	if len(g.path) < 2 {
		return nil
	}
	sel, ok := g.path[len(g.path)-2].(*ast.SelectorExpr)
	if !ok || sel.Sel != g.hit {
		return nil
	}
	return sel
}

// memberItems lists the members of a package, a type or a value.
func (v *View) memberItems(g *cursorContext, sel *ast.SelectorExpr) []api.Item {
	var items []api.Item
	if id, ok := sel.X.(*ast.Ident); ok {
		if pkg, ok := g.check.Info.Uses[id].(*types.PkgName); ok {
			for _, n := range check.ExportedNames(pkg.Imported().Scope()) {
				items = append(items, itemOf(pkg.Imported().Scope().Lookup(n)))
			}
			return items
		}
	}
	for _, m := range check.MembersOf(g.check.Info.TypeOf(sel.X), v.Checker.Pkg) {
		items = append(items, itemOf(m.Obj))
	}
	return items
}

// missingFields are the fields that a struct literal around the cursor does not set yet.
func (g *cursorContext) missingFields() []*types.Var {
	for i := len(g.path) - 2; i >= 0; i-- {
		lit, ok := g.path[i].(*ast.CompositeLit)
		if !ok {
			if _, isKey := g.path[i].(*ast.KeyValueExpr); isKey {
				return nil
			}
			continue
		}
		t := g.check.Info.TypeOf(lit)
		if t == nil {
			return nil
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		set := map[string]bool{}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					set[id.Name] = true
				}
			}
		}
		var out []*types.Var
		for f := range st.Fields() {
			if !set[f.Name()] && (f.Exported() || f.Pkg() == g.v.Checker.Pkg) {
				out = append(out, f)
			}
		}
		return out
	}
	return nil
}

// nameItems lists names: local ones, the session's, packages, Go's own.
func (v *View) nameItems(g *cursorContext) []api.Item {
	var items []api.Item
	seen := map[string]bool{}
	add := func(it api.Item) {
		if !seen[it.Text] && it.Text != "_" && !strings.Contains(it.Text, cell.Mark) {
			seen[it.Text] = true
			items = append(items, it)
		}
	}
	sc := v.Scope
	if g != nil {
		sc = g.scope
		for inner := g.innermost(); inner != nil && inner != types.Universe; inner = inner.Parent() {
			for _, n := range inner.Names() {
				if obj := inner.Lookup(n); !obj.Pos().IsValid() || obj.Parent() != inner || obj.Pos() < g.hit.Pos() || check.IsGlobal(obj) {
					add(own(obj))
				}
			}
		}
	}
	for _, n := range v.Checker.Pkg.Scope().Names() {
		add(own(v.Checker.Pkg.Scope().Lookup(n)))
	}
	for _, n := range slices.Sorted(maps.Keys(sc.Names)) {
		add(own(sc.Names[n].Obj))
	}
	for _, n := range slices.Sorted(maps.Keys(sc.Imports)) {
		add(api.Item{Text: n, Type: "package"})
	}
	for _, path := range symbols.Paths() {
		add(api.Item{Text: symbols.Name(path), Type: "package"})
	}
	for _, n := range types.Universe.Names() {
		add(itemOf(types.Universe.Lookup(n)))
	}
	for _, m := range check.Musts {
		add(api.Item{Text: m.Name, Type: "function"})
	}
	add(api.Item{Text: "ctx", Type: "variable", Signature: "context.Context"})
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		add(api.Item{Text: tok.String(), Type: "keyword"})
	}
	return items
}

// own describes what the cell or the session declares.
func own(obj types.Object) api.Item {
	it := itemOf(obj)
	it.Own = true
	return it
}

// itemOf describes an object as a completion.
func itemOf(obj types.Object) api.Item {
	it := api.Item{Text: obj.Name()}
	switch o := obj.(type) {
	case *types.Func:
		it.Type, it.Signature = "function", strings.TrimPrefix(check.TypeString(o.Type()), "func")
		if o.Signature().Recv() != nil {
			it.Type = "method"
		}
	case *types.Var:
		it.Type, it.Signature = "variable", check.TypeString(o.Type())
		if o.IsField() {
			it.Type = "field"
		}
	case *types.Const:
		it.Type, it.Signature = "constant", check.TypeString(o.Type())
	case *types.TypeName:
		it.Type = "type"
	case *types.PkgName:
		it.Type = "package"
	case *types.Builtin:
		it.Type = "function"
	}
	return it
}

// matching keeps the items that begin with prefix, those in the same case first.
func matching(items []api.Item, prefix string) []api.Item {
	var exact, folded []api.Item
	lower := strings.ToLower(prefix)
	for _, it := range items {
		switch {
		case strings.HasPrefix(it.Text, prefix):
			exact = append(exact, it)
		case strings.HasPrefix(strings.ToLower(it.Text), lower):
			folded = append(folded, it)
		}
	}
	return append(exact, folded...)
}

// importPrefix returns the part of an import path before the cursor, when the cursor is in one.
func importPrefix(src string, cursor int) (string, bool) {
	line := src[strings.LastIndexByte(src[:cursor], '\n')+1 : cursor]
	quote := strings.IndexByte(line, '"')
	if quote < 0 || strings.Count(line, `"`) != 1 {
		return "", false
	}
	before := strings.TrimSpace(line[:quote])
	if before == "import" || strings.HasPrefix(before, "import ") {
		return line[quote+1:], true
	}
	// a line of an import group
	head := src[:cursor-len(line)]
	open := strings.LastIndex(head, "import (")
	inGroup := open >= 0 && !strings.Contains(head[open:], ")")
	return line[quote+1:], inGroup
}

// completeImport lists the packages that come with Gaucho, and those of modules that are at hand.
func (v *View) completeImport(prefix string, cursor int) api.Completion {
	out := api.Completion{Start: cursor - len(prefix), End: cursor}
	for _, path := range symbols.Paths() {
		if strings.HasPrefix(path, prefix) {
			out.Items = append(out.Items, api.Item{Text: path, Type: "path"})
		}
	}
	if len(v.Library.Forbidden) > 0 || prefix == "" {
		return out
	}
	for _, path := range v.Library.Modules.Paths(prefix) {
		if symbols.Name(path) == "" {
			out.Items = append(out.Items, api.Item{Text: path, Type: "path"})
		}
	}
	return out
}
