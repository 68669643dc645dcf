package interp

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A replayed is what it takes to declare a session again: imports, constants, types with their methods, functions.
type replayed struct {
	imports map[string]string
	decls   []replayedDecl
	data    map[string]savedValue // variables that can be brought back
	lost    []string              // and those that cannot
	kept    map[string]savedValue // the same, of a worker that is gone, until the next record
	left    []string
}

type replayedDecl struct {
	name, text string
	cell       int
}

// record takes down what is declared now. Where nothing is, as in a worker that was lost right after another one, what was
// taken down before stays.
func (r *replayed) record(s *scope) {
	if len(s.names) == 0 {
		return
	}
	r.imports = maps.Clone(s.imports)
	r.decls = nil
	r.data, r.lost = r.kept, r.left
	if r.kept == nil { // nothing was kept
		for name, e := range s.names {
			if _, isVar := e.obj.(*types.Var); isVar {
				r.lost = append(r.lost, name)
			}
		}
		slices.Sort(r.lost)
	}
	r.kept, r.left = nil, nil
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		e := s.names[name]
		if _, isVar := e.obj.(*types.Var); isVar || seen[e.text] {
			continue
		}
		seen[e.text] = true
		text := commented(e.doc) + e.text
		for _, m := range slices.Sorted(maps.Keys(e.methods)) {
			text += "\n" + commented(e.methods[m].doc) + e.methods[m].text
		}
		r.decls = append(r.decls, replayedDecl{name: name, text: text, cell: e.cell})
	}
	slices.SortStableFunc(r.decls, func(a, b replayedDecl) int { return a.cell - b.cell })
}

// leaveOut takes out the declarations that cannot be made again because they use variables that are lost, or others that
// are taken out, and returns their names. Where a package-level name is meant by an identifier the parser tells.
func (r *replayed) leaveOut() []string {
	gone := map[string]bool{}
	for _, name := range r.lost {
		gone[name] = true
	}
	var out []string
	for more := true; more; {
		more = false
		r.decls = slices.DeleteFunc(r.decls, func(d replayedDecl) bool {
			if !d.uses(gone) {
				return false
			}
			gone[d.name], more = true, true
			out = append(out, d.name)
			return true
		})
	}
	slices.Sort(out)
	return out
}

// uses reports whether a declaration mentions one of some names that other cells declare.
func (d replayedDecl) uses(names map[string]bool) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+d.text, 0)
	return err == nil && slices.ContainsFunc(f.Unresolved, func(id *ast.Ident) bool { return names[id.Name] })
}

// commented is a text as comment lines.
func commented(doc string) string {
	var b strings.Builder
	for line := range strings.Lines(doc) {
		b.WriteString("// " + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// source is a cell that declares it all again.
func (r *replayed) source() string {
	text := r.imported()
	for _, d := range r.decls {
		text += d.text + "\n"
	}
	return text
}

func (r *replayed) imported() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.imports)) {
		local := name
		if strings.HasPrefix(name, ".") {
			local = "."
		}
		fmt.Fprintf(&b, "import %s %q\n", local, r.imports[name])
	}
	return b.String()
}

func (r *replayed) names() []string {
	var out []string
	for _, d := range r.decls {
		out = append(out, d.name)
	}
	return out
}
