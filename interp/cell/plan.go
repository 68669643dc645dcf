package cell

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A Stage is a stretch of a cell that is type-checked as one package would be: declarations that take effect when it
// starts, and statements in order. A cell has one stage, unless a name means one thing in a statement and another
// further down: there it is cut in two.
type Stage struct {
	Imports []*Piece
	Decls   []*Piece // const, type, func
	Body    []*Piece // var and statements
	// Older maps a name to the one by which a piece of this stage means what it hides: a variable's earlier self, as in
	// x := x + 1, a package, as in url, err := url.Parse(s), or a predeclared type.
	Older map[string]string
	// Labels are those of the cell's statements.
	Labels map[string]bool
}

// Plan lays out a cell in stages. live reports names that have a meaning from earlier cells.
func Plan(cell *Cell, live func(string) bool) []*Stage {
	stages := []*Stage{{}}
	first := map[string]int{} // the stage in which a variable of this cell is first declared
	declared, used := map[string]bool{}, map[string]bool{}
	outer := map[string]bool{} // used names that may be those of packages, or are predeclared
	next := func() {
		stages = append(stages, &Stage{})
		clear(declared)
		clear(used)
		clear(outer)
	}
	for _, p := range withoutCalls(cell, live) {
		if !p.InBody() {
			continue
		}
		cur := stages[len(stages)-1]
		for _, n := range p.Declares() {
			_, known := first[n]
			known = known || live(n)
			self := p.Names.Used[n] && (known || p.mayBeOuter(n))
			if len(cur.Body) > 0 && (declared[n] || known && (used[n] || self) || outer[n]) {
				next()
				cur = stages[len(stages)-1]
			}
			if self {
				cur.renameOlder(p, n)
			}
		}
		cur.Body = append(cur.Body, p)
		for _, n := range p.Declares() {
			declared[n] = true
			if _, ok := first[n]; !ok {
				first[n] = len(stages) - 1
			}
		}
		for n := range p.Names.Used {
			used[n] = true
			outer[n] = outer[n] || p.mayBeOuter(n)
		}
	}
	for p, i := range placeDecls(cell, first, live) {
		stages[i].add(p)
	}
	labels := map[string]bool{}
	for _, p := range cell.Pieces {
		for _, l := range StmtLabels(p.Stmt) {
			labels[l.Name] = true
		}
	}
	for _, s := range stages {
		s.sortDecls(cell)
		s.Labels = labels
	}
	return stages
}

// mayBeOuter reports whether a name that the piece uses is a predeclared one, or that of a package if nothing declares it.
func (p *Piece) mayBeOuter(name string) bool {
	return p.Names.Qualified[name] != nil || types.Universe.Lookup(name) != nil
}

// withoutCalls are the pieces of a cell. A variable that hides the built-in function by which it gets its value, as in
// max := max(1, 2), gets it from a variable of ours: no other name means such a function.
func withoutCalls(c *Cell, live func(string) bool) []*Piece {
	var out []*Piece
	for _, p := range c.Pieces {
		specs, _ := ValueSpecs(p.Decl)
		var hidden []*Piece
		if len(specs) == 1 {
			bare := *specs[0]
			bare.Names = slices.Clone(bare.Names)
			for i, id := range bare.Names {
				_, builtin := types.Universe.Lookup(id.Name).(*types.Builtin)
				if builtin && p.Names.Used[id.Name] && !live(id.Name) {
					bare.Names[i] = &ast.Ident{Name: id.Name + Mark, NamePos: id.Pos()}
					hidden = append(hidden, p.with(&ast.ValueSpec{Names: []*ast.Ident{id}, Values: []ast.Expr{bare.Names[i]}}))
				}
			}
			if hidden != nil {
				p = p.with(&bare)
			}
		}
		out = append(append(out, p), hidden...)
	}
	return out
}

// with is a piece like p that declares other variables.
func (p *Piece) with(spec *ast.ValueSpec) *Piece {
	q := *p
	q.Decl = &ast.GenDecl{TokPos: p.Decl.Pos(), Tok: token.VAR, Specs: []ast.Spec{spec}}
	q.Names = NamesOf(&q)
	return &q
}

// StmtLabels returns the labels of a statement, the outermost first.
func StmtLabels(s ast.Stmt) (out []*ast.Ident) {
	for {
		l, ok := s.(*ast.LabeledStmt)
		if !ok {
			return out
		}
		out, s = append(out, l.Label), l.Stmt
	}
}

// InBody reports whether the piece runs as a statement: its place among the others counts.
func (p *Piece) InBody() bool { return p.Kind == VarChunk || p.Kind == StmtChunk }

func (s *Stage) add(p *Piece) {
	if p.Kind == ImportChunk {
		s.Imports = append(s.Imports, p)
		return
	}
	s.Decls = append(s.Decls, p)
}

// sortDecls brings declarations back into the order of the source.
func (s *Stage) sortDecls(cell *Cell) {
	in := map[*Piece]bool{}
	for _, p := range s.Decls {
		in[p] = true
	}
	s.Decls = s.Decls[:0]
	for _, p := range cell.Pieces {
		if in[p] {
			s.Decls = append(s.Decls, p)
		}
	}
}

// placeDecls gives each import, constant, type and function the first stage in which all that it needs exists.
func placeDecls(cell *Cell, first map[string]int, live func(string) bool) map[*Piece]int {
	place := map[*Piece]int{}
	byName := map[string]*Piece{}
	for _, p := range cell.Pieces {
		if p.InBody() {
			continue
		}
		place[p] = 0
		for _, n := range p.Declares() {
			byName[n] = p
		}
	}
	for changed := true; changed; {
		changed = false
		for p, at := range place {
			if p.Kind == ImportChunk {
				continue
			}
			for n := range p.Names.Used {
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
func (s *Stage) renameOlder(p *Piece, n string) {
	if s.Older == nil {
		s.Older = map[string]string{}
	}
	s.Older[n] = n + Mark
	specs, _ := ValueSpecs(p.Decl)
	for _, spec := range specs {
		self := func(decl any) bool { return decl == any(spec) }
		if spec.Type != nil {
			RenameIn(spec.Type, n, n+Mark, self)
		}
		for _, v := range spec.Values {
			RenameIn(v, n, n+Mark, self)
		}
	}
}

// Mark ends names of our own making. It is a letter, so that they are Go identifiers, and none that people use.
const Mark = "ǃ"

// RenameFree renames identifiers that mean nothing in what is renamed, and reports whether there were any.
func RenameFree(root ast.Node, from, to string) bool {
	return RenameIn(root, from, to, func(any) bool { return false })
}

// RenameIn renames identifiers, but not selectors, keys of struct literals, and what root declares for itself: all that has a
// declaration which is not one of ours. It reports whether it has renamed any.
func RenameIn(root ast.Node, from, to string, ours func(decl any) bool) (renamed bool) {
	var visit func(ast.Node) bool
	visit = func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.Ident:
			if x.Name == from && (x.Obj == nil || ours(x.Obj.Decl)) {
				x.Name, renamed = to, true
			}
		case *ast.SelectorExpr:
			ast.Inspect(x.X, visit)
			return false
		case *ast.FuncDecl: // not its name
			if x.Recv != nil {
				ast.Inspect(x.Recv, visit)
			}
			ast.Inspect(x.Type, visit)
			if x.Body != nil {
				ast.Inspect(x.Body, visit)
			}
			return false
		case *ast.Field: // not their names
			ast.Inspect(x.Type, visit)
			return false
		case *ast.LabeledStmt:
			ast.Inspect(x.Stmt, visit)
			return false
		case *ast.BranchStmt:
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
	return renamed
}
