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

// A Declarations is what it takes to declare a session again: imports, declared, types with their methods, functions, and
// variables with their values.
type Declarations struct {
	Imports map[string]string
	Decls   []*declaration
	Data    map[string]SavedValue // variables that can be brought back
	Lost    map[string]bool       // and those that cannot
	Without []string              // declarations that were left out because they use what is not there
}

// A declaration is one of a cell, of one name or of the declared of a group.
type declaration struct {
	names []string
	text  string
	bare  string   // of the declaration, without comments and methods
	needs []string // names that it mentions
}

// Record takes down what is declared now, with what was saved of variables. What was taken down before stays, except for names
// that are declared now.
func (r *Declarations) Record(s *check.Scope, saved map[string]SavedValue) {
	older := r.Absent(s)
	*r = Declarations{Imports: older.Imports, Data: older.Data, Lost: older.Lost}
	for name, path := range s.Imports {
		if !check.Hidden(name) {
			r.Imports[name] = path
		}
	}
	for name, e := range s.Names {
		if v, isVar := e.Obj.(*types.Var); isVar && !check.Hidden(name) {
			now, ok := NewSavedValue(s, v.Type())
			if d, kept := saved[name]; kept && ok && d.typ == now.typ && d.shape == now.shape {
				r.Data[name] = d
			} else {
				r.Lost[name] = true
			}
		}
	}
	declared := maps.Clone(s.Names)
	maps.DeleteFunc(declared, func(_ string, e *check.Entity) bool {
		_, isVar := e.Obj.(*types.Var)
		return isVar
	})
	r.Decls = slices.Concat(older.Decls, declarationsOf(declared))
}

// declarationsOf are the declarations of names, in the order in which they were made.
func declarationsOf(names map[string]*check.Entity) []*declaration {
	var list []*declaration
	byText := map[string]*declaration{}
	place := map[*declaration]int{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		e := names[name]
		d := byText[e.Text]
		if d == nil {
			d = &declaration{text: cell.Commented(e.Doc) + e.Text, bare: e.Text}
			for _, m := range slices.Sorted(maps.Keys(e.Methods)) {
				d.text += "\n" + cell.Commented(e.Methods[m].Doc) + e.Methods[m].Text
			}
			byText[e.Text], place[d] = d, e.Cell
			list = append(list, d)
		}
		d.names = append(d.names, name)
		d.needs = append(d.needs, usedNames(e)...)
	}
	slices.SortStableFunc(list, func(a, b *declaration) int { return place[a] - place[b] })
	return list
}

// Absent is what of the declarations a session does not have: it can be made again without a change to what is there. Values
// whose type means something else by now are lost, and so are those that shared memory with what is not brought back.
func (r *Declarations) Absent(s *check.Scope) *Declarations {
	out := &Declarations{Imports: map[string]string{}, Data: map[string]SavedValue{}, Lost: map[string]bool{}}
	for name, path := range r.Imports {
		if !s.Live(name) && s.Imports[name] == "" {
			out.Imports[name] = path
		}
	}
	for _, d := range r.Decls {
		if !slices.ContainsFunc(d.names, s.Live) {
			out.Decls = append(out.Decls, d)
		}
	}
	for name := range r.Lost {
		if !s.Live(name) {
			out.Lost[name] = true
		}
	}
	now := meanings{s, out.Decls}
	for name, d := range r.Data {
		switch {
		case s.Live(name):
		case shape(d.names, now) == d.shape:
			out.Data[name] = d
		default:
			out.Lost[name] = true
		}
	}
	out.together()
	return out
}

// together takes out values that shared memory with others which do not come back with them.
func (r *Declarations) together() {
	for name, d := range r.Data {
		if d.Source != nil && slices.ContainsFunc(d.Source.Names, func(n string) bool { return r.Data[n].Source != d.Source }) {
			r.Lost[name] = true
		}
	}
	maps.DeleteFunc(r.Data, func(name string, _ SavedValue) bool { return r.Lost[name] })
}

// LeaveOut takes out the declarations that cannot be made again because they use variables that are lost, or others that
// are taken out. The parser knows which identifiers mean package-level names.
func (r *Declarations) LeaveOut() {
	gone := maps.Clone(r.Lost)
	for _, name := range r.Without {
		gone[name] = true
	}
	for more := true; more; {
		more = false
		r.Decls = slices.DeleteFunc(r.Decls, func(d *declaration) bool {
			if !d.uses(gone) {
				return false
			}
			for _, name := range d.names {
				gone[name], more = true, true
			}
			r.Without = append(r.Without, d.names...)
			return true
		})
	}
	slices.Sort(r.Without)
}

// uses reports whether a declaration mentions one of some names that other cells declare.
func (d *declaration) uses(names map[string]bool) bool {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package main\n"+d.text, 0)
	return err == nil && slices.ContainsFunc(f.Unresolved, func(id *ast.Ident) bool { return names[id.Name] })
}

// A chunk is a part of a cell that declares a session again: its text, and what takes it out.
type chunk struct {
	text string
	drop func()
}

// chunks are the parts of a cell that declares it all again.
func (r *Declarations) chunks() (list []chunk) {
	for _, name := range slices.Sorted(maps.Keys(r.Imports)) {
		local := name
		if strings.HasPrefix(name, ".") {
			local = "."
		}
		list = append(list, chunk{fmt.Sprintf("import %s %q\n", local, r.Imports[name]), func() { delete(r.Imports, name) }})
	}
	for _, d := range r.Decls {
		list = append(list, chunk{d.text + "\n", func() {
			r.Decls = slices.DeleteFunc(r.Decls, func(other *declaration) bool { return other == d })
			r.Without = append(r.Without, d.names...)
		}})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Data)) {
		switch d := r.Data[name]; {
		case d.Source == nil:
			list = append(list, chunk{fmt.Sprintf("var %s %s\n", name, d.typ), func() { r.Lose(name) }})
		case d.Source.Names[0] == name:
			text := fmt.Sprintf("var %s = %s\n", strings.Join(d.Source.Names, ", "), d.Source.Text)
			list = append(list, chunk{text, func() { r.Lose(d.Source.Names...) }})
		}
	}
	return list
}

// Lose takes out the values of variables.
func (r *Declarations) Lose(names ...string) {
	for _, name := range names {
		delete(r.Data, name)
		r.Lost[name] = true
	}
}

// Source is a cell that declares it all again.
func (r *Declarations) Source() string {
	var b strings.Builder
	for _, c := range r.chunks() {
		b.WriteString(c.text)
	}
	return b.String()
}

// Drop takes out what some lines of its Source belong to, and what uses that. It reports whether there was something.
func (r *Declarations) Drop(lines []int) bool {
	end, dropped := 0, false
	for _, c := range r.chunks() {
		begin := end
		end += strings.Count(c.text, "\n")
		if slices.ContainsFunc(lines, func(n int) bool { return n > begin && n <= end }) {
			c.drop()
			dropped = true
		}
	}
	r.together()
	r.LeaveOut()
	return dropped
}

// Empty reports whether nothing is left to be declared, and nothing was left out.
func (r *Declarations) Empty() bool {
	return len(r.Imports)+len(r.Decls)+len(r.Data)+len(r.Lost)+len(r.Without) == 0
}

// Names returns the declared names, in the order of their declarations.
func (r *Declarations) Names() []string {
	var out []string
	for _, d := range r.Decls {
		out = append(out, d.names...)
	}
	return out
}
