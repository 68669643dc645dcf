package assist

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/types"
	"html"
	"strings"

	"gaucho/interp/docs"
	"gaucho/interp/symbols"
)

// Inspect describes what is at the cursor (a byte offset), or, where nothing is known of that, the function whose call is open there: signature and
// doc comment, with detail 1 or more also examples and, for what cells declared, the source. The bundle has text/plain
// and text/markdown, and is nil if there is nothing to say. variable is the name of the session's variable that it is about, if
// it is about one. It answers while a cell runs.
func (v *View) Inspect(source string, cursor, detail int) (bundle map[string]any, variable string) {
	cursor = max(0, min(cursor, len(source)))
	if line, ok := magicLine(source, cursor); ok {
		return inspectMagic(line), ""
	}
	v.Lock.Lock()
	defer v.Lock.Unlock()
	start := identStart(source, cursor)
	d := v.describeAt(source, start)
	if call := openCall(source, start); d.head == "" && call >= 0 {
		d = v.describeAt(source, call)
	}
	if d.head == "" {
		return nil, ""
	}
	return d.bundle(detail), d.variable
}

// describeAt describes the name that begins at a place of a cell.
func (v *View) describeAt(source string, start int) (d description) {
	name := source[start : start+identLen(source[start:])]
	if name == "" {
		return d
	}
	src := normaliseAt(source, &start)
	if g := v.look(src, start, name); g != nil {
		d = v.describe(g)
	}
	if paths := symbols.ByName(name); d.head == "" && len(paths) > 0 {
		d = v.describePackage(paths[0], name)
	}
	return d
}

// openCall is where the name of the function begins whose argument list the cursor is in, -1 for none.
func openCall(src string, cursor int) int {
	depth := 0
	for i := cursor - 1; i >= 0; i-- {
		switch src[i] {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth--
		case '(':
			if depth--; depth < 0 {
				end := i
				if start := identStart(src, end); start < end {
					return start
				}
				return -1
			}
		}
	}
	return -1
}

// A description is what there is to say about a name.
type description struct {
	head     string // declaration
	variable string // of the session, by its name
	doc      string
	source   string
	examples []docs.Example
	contents []group // what a package or a type has
}

func (v *View) describe(g *cursorContext) description {
	obj := g.check.Info.Uses[g.hit]
	if obj == nil {
		obj = g.check.Info.Defs[g.hit]
	}
	if sel := g.selector(); obj == nil && sel != nil {
		if found := g.check.Info.Selections[sel]; found != nil {
			obj = found.Obj()
		}
	}
	if obj == nil {
		return description{}
	}
	if p, ok := obj.(*types.PkgName); ok {
		return v.describePackage(p.Imported().Path(), p.Imported().Name())
	}
	d := description{head: ObjectString(obj)}
	pkg := obj.Pkg()
	switch {
	case pkg == nil:
		d.doc = symbols.Doc("builtin", obj.Name(), "")
	case pkg == v.Checker.Pkg:
		d.ownDeclaration(g.scope, obj)
		if e := v.Scope.Names[obj.Name()]; e != nil && e.Obj == obj {
			if _, ok := obj.(*types.Var); ok {
				d.variable = obj.Name()
			}
		}
	default:
		name, member := docKey(g, obj)
		texts := v.docsOf(pkg.Path())
		d.doc, d.examples = texts.Doc(name, member), texts.Examples(name, member)
	}
	if t, ok := typeOfValue(obj); ok {
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg() != v.Checker.Pkg {
			d.contents = typeContents(n, v.docsOf(n.Obj().Pkg().Path()))
		}
	}
	return d
}

// namedOf is the name of a type or of what it points to.
func namedOf(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// docKey is how the documentation of an object is found: by its own name, or by its type's and its own.
func docKey(g *cursorContext, obj types.Object) (name, member string) {
	if f, ok := obj.(*types.Func); ok {
		if recv := f.Signature().Recv(); recv != nil {
			if n := namedOf(recv.Type()); n != "" {
				return n, f.Name()
			}
			if sel := g.selector(); sel != nil { // a method of an interface
				return namedOf(g.check.Info.TypeOf(sel.X)), f.Name()
			}
		}
	}
	if v, ok := obj.(*types.Var); ok && v.IsField() {
		if sel := g.selector(); sel != nil {
			return namedOf(g.check.Info.TypeOf(sel.X)), v.Name()
		}
		for i := len(g.path) - 1; i >= 0; i-- {
			if lit, ok := g.path[i].(*ast.CompositeLit); ok {
				return namedOf(g.check.Info.TypeOf(lit)), v.Name()
			}
		}
	}
	return obj.Name(), ""
}

// ObjectString is the declaration of an object.
func ObjectString(obj types.Object) string {
	qualify := func(p *types.Package) string {
		if p.Path() == "main" {
			return ""
		}
		return p.Name()
	}
	text := types.ObjectString(obj, qualify)
	if t, ok := obj.(*types.TypeName); ok && !t.IsAlias() {
		if st, ok := t.Type().Underlying().(*types.Struct); ok {
			text = "type " + t.Name() + " struct {\n"
			hidden := false
			for f := range st.Fields() {
				if f.Exported() || f.Pkg().Path() == "main" {
					text += "    " + f.Name() + " " + types.TypeString(f.Type(), qualify) + "\n"
				} else {
					hidden = true
				}
			}
			if hidden {
				text += "    // and unexported fields\n"
			}
			text += "}"
		}
	}
	return text
}

func (v *View) describePackage(path, name string) description {
	texts := v.docsOf(path)
	d := description{head: fmt.Sprintf("package %s // import %q", name, path), doc: texts.Doc("", ""), examples: texts.Examples("", "")}
	if pkg, err := v.Checker.Importer.Import(path); err == nil {
		d.contents = packageContents(pkg, texts)
	}
	return d
}

// docsOf is the documentation of a package: of one that comes with Gaucho, or of a module's from its source, which is read
// once. The caller holds the lock.
func (v *View) docsOf(path string) docs.Docs {
	if symbols.Name(path) != "" {
		return symbols.Docs(path)
	}
	if d, known := v.Docs[path]; known {
		return d
	}
	var d docs.Docs
	if p := v.Library.Modules.Loaded(path); p != nil {
		d, _ = docs.Read(p.Dir, &build.Default)
	}
	v.Docs[path] = d
	return d
}

// bundle is the description as text and as Markdown.
func (d description) bundle(detail int) map[string]any {
	var text, md strings.Builder
	text.WriteString(d.head + "\n")
	fmt.Fprintf(&md, "```go\n%s\n```\n", d.head)
	if d.doc != "" {
		fmt.Fprintf(&text, "\n%s\n", strings.TrimRight(d.doc, "\n"))
		fmt.Fprintf(&md, "\n%s\n", markdownDoc(d.doc))
	}
	if detail > 0 {
		list, marked := contentsText(d.contents)
		text.WriteString(list)
		md.WriteString(marked)
	}
	if detail > 0 && d.source != "" {
		fmt.Fprintf(&text, "\n%s\n", d.source)
		fmt.Fprintf(&md, "\n```go\n%s\n```\n", d.source)
	}
	if detail > 0 {
		for _, ex := range d.examples {
			fmt.Fprintf(&text, "\nExample%s:\n%s\n", suffixed(ex.Suffix), indent(ex.Code))
			fmt.Fprintf(&md, "\n**Example%s**\n\n```go\n%s\n```\n", suffixed(html.EscapeString(ex.Suffix)), ex.Code)
		}
	}
	return map[string]any{"text/plain": text.String(), "text/markdown": md.String()}
}

func suffixed(name string) string {
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ")
}
