package depend

import (
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

// A Declarations is what it takes to declare a session again: imports, constants, types with their methods, functions.
type Declarations struct {
	Imports map[string]string
	Decls   []declaration
	Data    map[string]SavedValue // variables that can be brought back
	Lost    []string              // and those that cannot
}

type declaration struct {
	name, text string
	cell       int
}

// Record takes down what is declared now, with what was saved of variables. Where nothing is declared, as in a worker that was
// lost right after another one, what was taken down before stays.
func (r *Declarations) Record(s *check.Scope, saved map[string]SavedValue) {
	if len(s.Names) == 0 {
		return
	}
	r.Imports = maps.Clone(s.Imports)
	r.Decls = nil
	r.Data, r.Lost = map[string]SavedValue{}, nil
	for name, e := range s.Names {
		if v, isVar := e.Obj.(*types.Var); isVar && !check.Hidden(name) {
			if d := saved[name]; d.Text+d.File != "" && d.Type == check.TypeString(v.Type()) {
				r.Data[name] = d
			} else {
				r.Lost = append(r.Lost, name)
			}
		}
	}
	slices.Sort(r.Lost)
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Names)) {
		e := s.Names[name]
		if _, isVar := e.Obj.(*types.Var); isVar || seen[e.Text] {
			continue
		}
		seen[e.Text] = true
		text := cell.Commented(e.Doc) + e.Text
		for _, m := range slices.Sorted(maps.Keys(e.Methods)) {
			text += "\n" + cell.Commented(e.Methods[m].Doc) + e.Methods[m].Text
		}
		r.Decls = append(r.Decls, declaration{name: name, text: text, cell: e.Cell})
	}
	slices.SortStableFunc(r.Decls, func(a, b declaration) int { return a.cell - b.cell })
}

// LeaveOut takes out the declarations that cannot be made again because they use variables that are lost, or others that
// are taken out, and returns their names. The parser knows which identifiers mean package-level names.
func (r *Declarations) LeaveOut() []string {
	gone := map[string]bool{}
	for _, name := range r.Lost {
		gone[name] = true
	}
	var out []string
	for more := true; more; {
		more = false
		r.Decls = slices.DeleteFunc(r.Decls, func(d declaration) bool {
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
func (d declaration) uses(names map[string]bool) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+d.text, 0)
	return err == nil && slices.ContainsFunc(f.Unresolved, func(id *ast.Ident) bool { return names[id.Name] })
}

// Source is a cell that declares it all again.
func (r *Declarations) Source() string {
	text := r.imported()
	for _, d := range r.Decls {
		text += d.text + "\n"
	}
	return text
}

func (r *Declarations) imported() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.Imports)) {
		local := name
		if strings.HasPrefix(name, ".") {
			local = "."
		}
		fmt.Fprintf(&b, "import %s %q\n", local, r.Imports[name])
	}
	return b.String()
}

// Names returns the declared names, in the order of their declarations.
func (r *Declarations) Names() []string {
	var out []string
	for _, d := range r.Decls {
		out = append(out, d.name)
	}
	return out
}
