package assist

import (
	"fmt"
	"go/doc"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/check"
	"gaucho/interp/docs"
)

// A group is a heading, and lines below it of what a package or a type has.
type group struct {
	name  string
	lines []entry
}

// An entry is a declaration without its keyword, and the first sentence of its documentation.
type entry struct{ text, synopsis string }

func (g *group) add(text, comment string) {
	if !strings.Contains(comment, "Deprecated: ") {
		g.lines = append(g.lines, entry{text, new(doc.Package).Synopsis(comment)})
	}
}

// packageContents are the functions, types, variables and constants that a package exports.
func packageContents(pkg *types.Package, texts docs.Docs) []group {
	functions, kinds, values := group{name: "Functions"}, group{name: "Types"}, group{name: "Variables and constants"}
	relative := types.RelativeTo(pkg)
	for _, name := range check.ExportedNames(pkg.Scope()) {
		comment := texts.Doc(name, "")
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			functions.add(name+signatureText(obj, relative), comment)
		case *types.TypeName:
			kinds.add(name, comment)
		default:
			values.add(name+" "+types.TypeString(obj.Type(), relative), comment)
		}
	}
	return []group{functions, kinds, values}
}

// typeContents are the exported fields and methods of a type, and the functions of its package that return one.
func typeContents(t types.Type, texts docs.Docs) []group {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	pkg, name := n.Obj().Pkg(), n.Obj().Name()
	relative := types.RelativeTo(pkg)
	makers, fields, methods := group{name: "Made by"}, group{name: "Fields"}, group{name: "Methods"}
	for _, f := range check.ExportedNames(pkg.Scope()) {
		if obj, ok := pkg.Scope().Lookup(f).(*types.Func); ok && returns(obj, n) {
			makers.add(f+signatureText(obj, relative), texts.Doc(f, ""))
		}
	}
	for _, m := range check.MembersOf(n, pkg) {
		if !m.Obj.Exported() {
			continue
		}
		if f, ok := m.Obj.(*types.Func); ok {
			methods.add(f.Name()+signatureText(f, relative), texts.Doc(name, f.Name()))
		} else {
			fields.add(m.Obj.Name()+" "+types.TypeString(m.Obj.Type(), relative), texts.Doc(name, m.Obj.Name()))
		}
	}
	for _, g := range []*group{&fields, &methods} {
		slices.SortStableFunc(g.lines, func(a, b entry) int { return strings.Compare(a.text, b.text) })
	}
	return []group{makers, fields, methods}
}

// returns reports whether the first result of a function is a type, or a pointer to one.
func returns(f *types.Func, n *types.Named) bool {
	results := f.Signature().Results()
	if results.Len() == 0 {
		return false
	}
	t := types.Unalias(results.At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	made, ok := t.(*types.Named)
	return ok && made.Origin() == n.Origin()
}

func signatureText(f *types.Func, q types.Qualifier) string {
	return strings.TrimPrefix(types.TypeString(f.Signature(), q), "func")
}

// contentsText is groups as text and as Markdown, a line for each entry.
func contentsText(groups []group) (text, md string) {
	var t, m strings.Builder
	for _, g := range groups {
		if len(g.lines) == 0 {
			continue
		}
		fmt.Fprintf(&t, "\n%s\n", g.name)
		fmt.Fprintf(&m, "\n**%s**\n\n", g.name)
		for _, e := range g.lines {
			if e.synopsis == "" {
				fmt.Fprintf(&t, "    %s\n", e.text)
				fmt.Fprintf(&m, "- `%s`\n", e.text)
				continue
			}
			fmt.Fprintf(&t, "    %s — %s\n", e.text, e.synopsis)
			fmt.Fprintf(&m, "- `%s` — %s\n", e.text, strings.TrimSpace(markdownDoc(e.synopsis)))
		}
	}
	return t.String(), m.String()
}

// typeOfValue is the type whose fields and methods a name has: of a library's type, or of a variable of one.
func typeOfValue(obj types.Object) (types.Type, bool) {
	switch obj := obj.(type) {
	case *types.TypeName:
		return obj.Type(), true
	case *types.Var:
		t := types.Unalias(obj.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		n, ok := t.(*types.Named)
		return t, ok && token.IsExported(n.Obj().Name())
	}
	return nil, false
}
