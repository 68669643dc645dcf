package command

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gaucho/command/notebook"
	"gaucho/interp/cell"
)

// A notebook may make several studies, and gaucho study asks for one. So what this one does not need is taken out of the notebook's
// cells before they run. What is needed is found without types, from names: what the study mentions, what that mentions, and what may
// change any of it. If it is not all, a cell fails or the study is not made, and the notebook is run as a whole; and records belong to
// values, so that those of a study that was made otherwise never answer for it.

// A part is a piece of a cell: a declaration, or a statement.
type part struct {
	cell       *notebook.Cell
	start, end int
	piece      *cell.Piece
	declares   []string
	mentions   map[string]bool
	changes    map[string]bool // what it changes by itself
	aliases    [][2]string     // variables that may share memory
	throughs   bool            // a function that changes what its parameters lead to
	needed     bool
}

// sliceNotebook takes out of a notebook what the study of that name does not need. It reports whether it took out anything, which it
// does only if it understands all cells.
func sliceNotebook(nb *notebook.Notebook, name string) bool {
	parts, ok := partsOf(nb)
	if !ok || !seed(parts, name) {
		return false
	}
	declared := map[string][]*part{}
	for _, p := range parts {
		for _, n := range p.declares {
			declared[n] = append(declared[n], p)
		}
	}
	spread(parts)
	need := map[string]bool{}
	for again := true; again; {
		again = false
		for _, p := range parts {
			reached := reach(p, declared)
			if p.needed = p.needed || touches(p, reached, need); !p.needed {
				continue
			}
			for _, q := range append(reached, p) {
				for n := range q.mentions {
					if !need[n] && declared[n] != nil {
						need[n], again = true, true
					}
				}
			}
		}
	}
	return takeOut(parts)
}

// partsOf reads the cells; ok is false if one cannot be parsed.
func partsOf(nb *notebook.Notebook) (parts []*part, ok bool) {
	for _, c := range nb.Cells {
		if c.Type != "code" || c.Empty() {
			continue
		}
		parsed, problems := cell.Read(c.Source).Parse(token.NewFileSet(), 1, cell.Options{})
		if len(problems) > 0 || parsed.Pasted || len(parsed.Pieces) != len(parsed.Chunks) || parsed.Source != c.Source {
			return nil, false
		}
		for i, piece := range parsed.Pieces {
			p := &part{cell: c, start: parsed.Chunks[i].Start, end: parsed.Chunks[i].End, piece: piece, declares: piece.Declares(), changes: map[string]bool{}}
			p.mentions = maps.Clone(piece.Names.Used)
			p.needed = piece.Call != nil || piece.Ours
			if d, ok := piece.Decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
				p.needed = true
			}
			if d, ok := piece.Decl.(*ast.FuncDecl); ok && d.Recv != nil { // a method is needed with its type
				p.declares = nil
				ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						p.declares = append(p.declares, id.Name)
					}
					return true
				})
			}
			for _, n := range piece.Nodes() {
				p.look(n)
			}
			parts = append(parts, p)
		}
	}
	return parts, true
}

// look notes what code changes: what is assigned to, counted, has its address taken or a method called, or is sorted or filled.
func (p *part) look(n ast.Node) {
	params := map[string]bool{}
	change := func(x ast.Expr) {
		if name := rootName(x); name != "" {
			p.changes[name] = true
			if _, whole := x.(*ast.Ident); !whole && params[name] {
				p.throughs = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.Params != nil {
				for _, f := range n.Params.List {
					for _, id := range f.Names {
						params[id.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					p.alias(id, n.Values[i])
				}
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					p.alias(l, n.Rhs[i])
				}
			}
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					change(l)
				}
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.SendStmt:
			change(n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				change(n.X)
			}
		case *ast.CallExpr:
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.SelectorExpr:
				change(f.X)
				if f.Sel.Name == "Shuffle" || strings.HasPrefix(f.Sel.Name, "Sort") || f.Sel.Name == "Reverse" {
					for _, a := range n.Args {
						change(a)
					}
				}
			case *ast.Ident:
				if slices.Contains([]string{"copy", "clear", "delete", "append"}, f.Name) && len(n.Args) > 0 {
					change(n.Args[0])
				}
			}
		}
		return true
	})
}

// alias notes that a variable is made from another.
func (p *part) alias(to, from ast.Expr) {
	if a, b := rootName(to), rootName(from); a != "" && b != "" {
		p.aliases = append(p.aliases, [2]string{a, b})
	}
}

// spread has a change of a variable be one of those with which it may share memory.
func spread(parts []*part) {
	for again := true; again; {
		again = false
		for _, p := range parts {
			for _, q := range parts {
				for _, a := range q.aliases {
					if p.changes[a[0]] != p.changes[a[1]] {
						p.changes[a[0]], p.changes[a[1]], again = true, true, true
					}
				}
			}
		}
	}
}

// rootName is the variable in which an operand lies.
func rootName(x ast.Expr) string {
	for {
		switch y := x.(type) {
		case *ast.Ident:
			return y.Name
		case *ast.ParenExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.SliceExpr:
			x = y.X
		case *ast.SelectorExpr:
			x = y.X
		case *ast.StarExpr:
			x = y.X
		case *ast.UnaryExpr:
			x = y.X
		default:
			return ""
		}
	}
}

// seed marks what makes the study of that name, and what runs it. It reports whether there is such.
func seed(parts []*part, name string) bool {
	made := map[string]bool{}
	for _, p := range parts {
		literal := false
		for _, n := range p.piece.Nodes() {
			ast.Inspect(n, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				literal = literal || ok && lit.Kind == token.STRING && (lit.Value == strconv.Quote(name) || lit.Value == "`"+name+"`")
				return true
			})
		}
		runs := slices.ContainsFunc(slices.Collect(maps.Keys(made)), func(n string) bool { return p.mentions[n] }) && strings.Contains(p.piece.Text, ".Run(")
		if !literal && !runs {
			continue
		}
		p.needed = true
		for _, n := range p.declares {
			made[n] = true
		}
	}
	return len(made) > 0
}

// reach are the parts that declare what a part mentions, and what these mention.
func reach(p *part, declared map[string][]*part) (list []*part) {
	seen := map[*part]bool{p: true}
	for todo := []*part{p}; len(todo) > 0; todo = todo[1:] {
		for n := range todo[0].mentions {
			for _, d := range declared[n] {
				if !seen[d] {
					seen[d] = true
					list, todo = append(list, d), append(todo, d)
				}
			}
		}
	}
	return list
}

// touches reports whether a part declares or may change what is needed.
func touches(p *part, reached []*part, need map[string]bool) bool {
	needs := func(n string) bool { return need[n] }
	if slices.ContainsFunc(p.declares, needs) {
		return true
	}
	if _, function := p.piece.Decl.(*ast.FuncDecl); function {
		return false // it changes nothing before it is called
	}
	for _, q := range append(reached, p) {
		if slices.ContainsFunc(slices.Collect(maps.Keys(q.changes)), needs) {
			return true
		}
		if q.throughs && slices.ContainsFunc(slices.Collect(maps.Keys(p.mentions)), needs) {
			return true
		}
	}
	return false
}

// takeOut replaces what is not needed by spaces, so that lines keep their numbers. What changes files or the process stays, and with it
// everything.
func takeOut(parts []*part) (some bool) {
	for _, p := range parts {
		if !p.needed && (p.piece.Names.Qualified["os"] != nil || p.piece.Names.Qualified["exec"] != nil) {
			return false
		}
	}
	for _, p := range parts {
		if p.needed {
			continue
		}
		some = true
		src := []byte(p.cell.Source)
		for i := p.start; i < p.end; i++ {
			if src[i] != '\n' {
				src[i] = ' '
			}
		}
		p.cell.Source = string(src)
	}
	return some
}
