package assist

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// ownDeclaration adds what the session knows of a declaration of its own: the comment above it, its source, and of a type
// its fields with their comments and its methods.
func (d *description) ownDeclaration(sc *check.Scope, obj types.Object) {
	e := sc.Names[obj.Name()]
	if e != nil && e.Obj == obj {
		d.source, d.doc = cmp.Or(e.Written, e.Text), e.Doc
		if t, ok := obj.(*types.TypeName); ok {
			d.head = ownType(t, e)
		}
		return
	}
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		d.doc = fieldComment(sc, obj)
		return
	}
	if t := sc.Names[namedOf(f.Signature().Recv().Type())]; t != nil && t.Methods[f.Name()] != nil {
		d.source, d.doc = t.Methods[f.Name()].Text, t.Methods[f.Name()].Doc
	}
}

// ownType is the declaration of a cell's type, with the comments of its fields, and its methods, each with the first
// sentence of its comment.
func ownType(t *types.TypeName, e *check.Entity) string {
	head := ObjectString(t)
	comments := fieldComments(e, t.Name())
	if st, ok := t.Type().Underlying().(*types.Struct); ok && len(comments) > 0 {
		head = "type " + t.Name() + " struct {\n"
		for f := range st.Fields() {
			head += "    " + f.Name() + " " + check.TypeString(f.Type())
			if text := comments[f.Name()]; text != "" {
				head += " // " + strings.ReplaceAll(text, "\n", " ")
			}
			head += "\n"
		}
		head += "}"
	}
	named, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok {
		return head
	}
	methods := slices.SortedFunc(named.Methods(), func(a, b *types.Func) int { return cmp.Compare(a.Name(), b.Name()) })
	for i, m := range methods {
		if strings.Contains(m.Name(), cell.Mark) {
			continue
		}
		if i == 0 {
			head += "\n"
		}
		head += "\n" + ObjectString(m)
		if p := e.Methods[m.Name()]; p != nil && p.Doc != "" {
			head += " // " + new(doc.Package).Synopsis(p.Doc)
		}
	}
	return head
}

// fieldComments are the comments of the fields of a struct type, above or after them, by name.
func fieldComments(e *check.Entity, name string) map[string]string {
	out := map[string]string{}
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+e.Written, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return out
	}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok || spec.Name.Name != name {
			return false
		}
		for _, field := range st.Fields.List {
			text := strings.TrimSpace(cmp.Or(field.Doc.Text(), field.Comment.Text()))
			for _, id := range field.Names {
				if text != "" {
					out[id.Name] = text
				}
			}
		}
		return false
	})
	return out
}

// fieldComment is the comment of a field of one of the session's types.
func fieldComment(sc *check.Scope, obj types.Object) string {
	v, ok := obj.(*types.Var)
	if !ok || !v.IsField() {
		return ""
	}
	for _, e := range sc.Names {
		t, ok := e.Obj.(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := t.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if f == v {
				return fieldComments(e, t.Name())[v.Name()]
			}
		}
	}
	return ""
}
