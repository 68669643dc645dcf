package interp

import "go/ast"

// A stage is a stretch of a cell that is type-checked as one package would be: declarations that take effect when it
// starts, and statements in order. A cell has one stage, unless a name means one thing in a statement and another
// further down: there it is cut in two.
type stage struct {
	imports []*piece
	decls   []*piece // const, type, func
	body    []*piece // var and statements
	// older maps a name to the one by which a piece of this stage means the variable's earlier self: x := x + 1.
	older map[string]string
	// labels are those of the cell's statements.
	labels map[string]bool
}

// plan lays out a cell in stages. live reports names that have a meaning from earlier cells.
func plan(cell *parsedCell, live func(string) bool) []*stage {
	stages := []*stage{{}}
	first := map[string]int{} // the stage in which a variable of this cell is first declared
	declared, used := map[string]bool{}, map[string]bool{}
	next := func() {
		stages = append(stages, &stage{})
		clear(declared)
		clear(used)
	}
	for _, p := range cell.pieces {
		if !p.inBody() {
			continue
		}
		cur := stages[len(stages)-1]
		for _, n := range p.declares() {
			_, known := first[n]
			known = known || live(n)
			self := known && p.names.used[n]
			if len(cur.body) > 0 && (declared[n] || known && (used[n] || self)) {
				next()
				cur = stages[len(stages)-1]
			}
			if self {
				cur.renameOlder(p, n)
			}
		}
		cur.body = append(cur.body, p)
		for _, n := range p.declares() {
			declared[n] = true
			if _, ok := first[n]; !ok {
				first[n] = len(stages) - 1
			}
		}
		for n := range p.names.used {
			used[n] = true
		}
	}
	for p, i := range placeDecls(cell, first, live) {
		stages[i].add(p)
	}
	labels := map[string]bool{}
	for _, p := range cell.pieces {
		for _, l := range stmtLabels(p.stmt) {
			labels[l.Name] = true
		}
	}
	for _, s := range stages {
		s.sortDecls(cell)
		s.labels = labels
	}
	return stages
}

func (p *piece) inBody() bool { return p.kind == varChunk || p.kind == stmtChunk }

func (s *stage) add(p *piece) {
	if p.kind == importChunk {
		s.imports = append(s.imports, p)
		return
	}
	s.decls = append(s.decls, p)
}

// sortDecls brings declarations back into the order of the source.
func (s *stage) sortDecls(cell *parsedCell) {
	in := map[*piece]bool{}
	for _, p := range s.decls {
		in[p] = true
	}
	s.decls = s.decls[:0]
	for _, p := range cell.pieces {
		if in[p] {
			s.decls = append(s.decls, p)
		}
	}
}

// placeDecls gives each import, constant, type and function the first stage in which all that it needs exists.
func placeDecls(cell *parsedCell, first map[string]int, live func(string) bool) map[*piece]int {
	place := map[*piece]int{}
	byName := map[string]*piece{}
	for _, p := range cell.pieces {
		if p.inBody() {
			continue
		}
		place[p] = 0
		for _, n := range p.declares() {
			byName[n] = p
		}
	}
	for changed := true; changed; {
		changed = false
		for p, at := range place {
			if p.kind == importChunk {
				continue
			}
			for n := range p.names.used {
				need := 0
				if i, ok := first[n]; ok && !live(n) {
					need = i
				} else if q := byName[n]; q != nil {
					need = place[q]
				}
				if need > at {
					at, place[p], changed = need, need, true
				}
			}
		}
	}
	return place
}

// renameOlder renames n inside the values of p, where it means the variable's earlier self.
func (s *stage) renameOlder(p *piece, n string) {
	if s.older == nil {
		s.older = map[string]string{}
	}
	s.older[n] = n + mark
	specs, _ := valueSpecs(p.decl)
	for _, spec := range specs {
		for _, v := range spec.Values {
			renameIdents(v, n, n+mark, spec)
		}
	}
}

// mark ends names of our own making. It is a letter, so that they are Go identifiers, and none that people use.
const mark = "ǃ"

// renameIdents renames identifiers, but not selectors, keys of struct literals, and what function literals in root
// declare for themselves. decl is the declaration that root is a value of.
func renameIdents(root ast.Node, from, to string, decl *ast.ValueSpec) {
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.Ident:
			if x.Name == from && (x.Obj == nil || x.Obj.Decl == any(decl)) {
				x.Name = to
			}
		case *ast.SelectorExpr:
			ast.Inspect(x.X, visit)
			return false
		case *ast.CompositeLit:
			if x.Type != nil {
				ast.Inspect(x.Type, visit)
			}
			_, isMap := x.Type.(*ast.MapType)
			for _, e := range x.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					ast.Inspect(e, visit)
					continue
				}
				if isMap {
					ast.Inspect(kv.Key, visit)
				}
				ast.Inspect(kv.Value, visit)
			}
			return false
		}
		return true
	}
	ast.Inspect(root, visit)
}
