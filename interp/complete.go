package interp

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"unicode/utf8"

	"gaucho/interp/symbols"
)

// cursorName stands for the identifier at the cursor while a cell is checked for completion.
const cursorName = "cursor" + mark

// Complete lists what can stand at the cursor (a byte offset). It answers while a cell runs.
func (s *Session) Complete(source string, cursor int) (out Completion) {
	cursor = max(0, min(cursor, len(source)))
	start := identStart(source, cursor)
	out = Completion{Start: start, End: cursor}
	defer s.survive("completion", source)
	if line, ok := magicLine(source, cursor); ok {
		return s.completeMagic(source, cursor, line)
	}
	if path, ok := importPrefix(source, cursor); ok {
		return s.completeImport(path, cursor)
	}
	s.front.Lock()
	defer s.front.Unlock()
	end := cursor + identLen(source[cursor:])
	marked := normaliseAt(source[:start]+cursorName+source[end:], &start)
	g := s.look(marked, start, strings.TrimSuffix(cursorName, mark))
	items := s.itemsAt(g)
	out.Items = matching(items, source[out.Start:cursor])
	return out
}

// normaliseAt is normalise, with an offset into the text kept in step.
func normaliseAt(src string, at *int) string {
	*at -= strings.Count(src[:*at], "\r\n")
	return normalise(src)
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

// itemsAt lists all that can stand at the cursor, best first.
func (s *Session) itemsAt(g *sight) []Item {
	if g == nil {
		return s.nameItems(nil)
	}
	if sel := g.selector(); sel != nil {
		return s.memberItems(g, sel)
	}
	var items []Item
	for _, f := range g.missingFields() {
		items = append(items, Item{Text: f.Name() + ": ", Type: "field", Signature: typeString(f.Type())})
	}
	return append(items, s.nameItems(g)...)
}

// selector is the selector expression whose right side the cursor is on.
func (g *sight) selector() *ast.SelectorExpr {
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
func (s *Session) memberItems(g *sight, sel *ast.SelectorExpr) []Item {
	var items []Item
	if id, ok := sel.X.(*ast.Ident); ok {
		if pkg, ok := g.check.info.Uses[id].(*types.PkgName); ok {
			for _, n := range exported(pkg.Imported().Scope()) {
				items = append(items, itemOf(pkg.Imported().Scope().Lookup(n)))
			}
			return items
		}
	}
	for _, m := range membersOf(g.check.info.TypeOf(sel.X), s.checker.pkg) {
		items = append(items, itemOf(m.obj))
	}
	return items
}

// missingFields are the fields that a struct literal around the cursor does not set yet.
func (g *sight) missingFields() []*types.Var {
	for i := len(g.path) - 2; i >= 0; i-- {
		lit, ok := g.path[i].(*ast.CompositeLit)
		if !ok {
			if _, isKey := g.path[i].(*ast.KeyValueExpr); isKey {
				return nil
			}
			continue
		}
		t := g.check.info.TypeOf(lit)
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
			if !set[f.Name()] && (f.Exported() || f.Pkg() == g.s.checker.pkg) {
				out = append(out, f)
			}
		}
		return out
	}
	return nil
}

// nameItems lists names: local ones, the session's, packages, Go's own.
func (s *Session) nameItems(g *sight) []Item {
	var items []Item
	seen := map[string]bool{}
	add := func(it Item) {
		if !seen[it.Text] && it.Text != "_" && !strings.Contains(it.Text, mark) {
			seen[it.Text] = true
			items = append(items, it)
		}
	}
	sc := s.scope
	if g != nil {
		sc = g.scope
		for inner := g.innermost(); inner != nil && inner != types.Universe; inner = inner.Parent() {
			for _, n := range inner.Names() {
				if obj := inner.Lookup(n); !obj.Pos().IsValid() || obj.Parent() != inner || obj.Pos() < g.hit.Pos() || isGlobal(obj) {
					add(itemOf(obj))
				}
			}
		}
	}
	for _, n := range s.checker.pkg.Scope().Names() {
		add(itemOf(s.checker.pkg.Scope().Lookup(n)))
	}
	for _, n := range slices.Sorted(maps.Keys(sc.names)) {
		add(itemOf(sc.names[n].obj))
	}
	for _, n := range slices.Sorted(maps.Keys(sc.imports)) {
		add(Item{Text: n, Type: "package"})
	}
	for _, path := range symbols.Paths() {
		add(Item{Text: symbols.Name(path), Type: "package"})
	}
	for _, n := range types.Universe.Names() {
		add(itemOf(types.Universe.Lookup(n)))
	}
	for _, m := range musts {
		add(Item{Text: m.name, Type: "function"})
	}
	add(Item{Text: "ctx", Type: "variable", Signature: "context.Context"})
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		add(Item{Text: tok.String(), Type: "keyword"})
	}
	return items
}

// itemOf describes an object as a completion.
func itemOf(obj types.Object) Item {
	it := Item{Text: obj.Name()}
	switch o := obj.(type) {
	case *types.Func:
		it.Type, it.Signature = "function", strings.TrimPrefix(typeString(o.Type()), "func")
		if o.Signature().Recv() != nil {
			it.Type = "method"
		}
	case *types.Var:
		it.Type, it.Signature = "variable", typeString(o.Type())
		if o.IsField() {
			it.Type = "field"
		}
	case *types.Const:
		it.Type, it.Signature = "constant", typeString(o.Type())
	case *types.TypeName:
		it.Type = "type"
	case *types.PkgName:
		it.Type = "package"
	case *types.Builtin:
		it.Type = "function"
	}
	return it
}

// typeString is a type as it is written in a cell: packages by name, cells' own types bare.
func typeString(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	})
}

// matching keeps the items that begin with prefix, those in the same case first.
func matching(items []Item, prefix string) []Item {
	var exact, folded []Item
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
func (s *Session) completeImport(prefix string, cursor int) Completion {
	out := Completion{Start: cursor - len(prefix), End: cursor}
	for _, path := range symbols.Paths() {
		if strings.HasPrefix(path, prefix) {
			out.Items = append(out.Items, Item{Text: path, Type: "path"})
		}
	}
	s.front.Lock()
	sources := s.sources
	s.front.Unlock()
	if len(s.opts.Forbidden) > 0 || prefix == "" {
		return out
	}
	for _, path := range sources.Paths(prefix) {
		if symbols.Name(path) == "" {
			out.Items = append(out.Items, Item{Text: path, Type: "path"})
		}
	}
	return out
}

// survive has a half-typed cell that confuses the front end cost an answer, not the kernel.
func (s *Session) survive(what, source string) {
	if r := recover(); r != nil {
		s.opts.Log.Error(what+" failed", "panic", r, "cell", source, "stack", string(debug.Stack()))
	}
}
