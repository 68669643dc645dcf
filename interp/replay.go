package interp

import (
	"fmt"
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
	compiled   bool // by %%compile
}

// record takes down what is declared now.
func (r *replayed) record(s *scope) {
	r.imports = maps.Clone(s.imports)
	r.decls = nil
	r.data, r.lost = r.kept, r.left
	r.kept, r.left = nil, nil
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.names)) {
		e := s.names[name]
		if _, isVar := e.obj.(*types.Var); isVar || seen[e.text] {
			continue
		}
		seen[e.text] = true
		text := e.text
		for _, m := range slices.Sorted(maps.Keys(e.methods)) {
			text += "\n" + e.methods[m].text
		}
		r.decls = append(r.decls, replayedDecl{name: name, text: text, cell: e.cell, compiled: e.compiled})
	}
	slices.SortStableFunc(r.decls, func(a, b replayedDecl) int { return a.cell - b.cell })
}

// source is a cell that declares it all again.
func (r *replayed) source() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.imports)) {
		local := name
		if strings.HasPrefix(name, ".") {
			local = "."
		}
		fmt.Fprintf(&b, "import %s %q\n", local, r.imports[name])
	}
	for _, d := range r.decls {
		b.WriteString(d.text + "\n")
	}
	return b.String()
}

// compiled is a cell that compiles again what %%compile had compiled, empty when there is nothing.
func (r *replayed) compiled() string {
	var b strings.Builder
	for _, d := range r.decls {
		if d.compiled {
			b.WriteString("\n" + d.text)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "%%" + compileMagic + b.String()
}

func (r *replayed) names() []string {
	var out []string
	for _, d := range r.decls {
		out = append(out, d.name)
	}
	return out
}
