package check

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/cell"
)

// Every cell can say Out[3] for the value that cell 3 has shown, with the value's own type, and In for the texts of earlier
// cells, a map[int]string. Both are written as ordinary variables that a cell declares for itself, under names that users
// do not see, so that neither engine knows of them. A user's own Out or In wins.

// A History is what there is of earlier cells, by the numbers that the user sees.
type History struct {
	In  map[int]string
	Out map[int]Shown
}

// A Shown is what a cell has shown: a value of a type, or if that is nil, none, with what to say about it.
type Shown struct {
	Type types.Type
	Why  string
}

// outFunc is the name under which a cell calls the session's function Out.
const outFunc = "outǃ"

// AddHistory declares before a cell what it mentions of Out and In.
func (c *Checker) AddHistory(parsed *cell.Cell, sc *Scope, h *History) []cell.Problem {
	fset := c.Fset
	out, in := free(parsed, sc, "Out") && !c.dotted(parsed, sc, "Out"), free(parsed, sc, "In") && !c.dotted(parsed, sc, "In")
	if h == nil || !out && !in {
		return nil
	}
	var problems []cell.Problem
	outs, ins := map[int]bool{}, false
	for _, p := range parsed.Pieces {
		touched := false
		for _, root := range p.Nodes() {
			if out {
				numbers, wrong := renameOuts(fset, root, h)
				problems = append(problems, wrong...)
				maps.Copy(outs, numbers)
				touched = touched || len(numbers) > 0
			}
			if in && cell.RenameFree(root, "In", inVar) {
				ins, touched = true, true
			}
		}
		if touched {
			p.Names = cell.NamesOf(p)
		}
	}
	if problems != nil {
		return problems
	}
	var pieces []*cell.Piece
	for _, n := range slices.Sorted(maps.Keys(outs)) {
		typ := fmt.Sprintf("Type%dǃ", n)
		sc.set(typ, &Entity{Obj: types.NewTypeName(token.NoPos, nil, typ, h.Out[n].Type)})
		pieces = append(pieces, ours(fset, fmt.Sprintf("var %s = map[int]%s{%d: %s(%d).(%s)}", outVar(n), typ, n, outFunc, n, typ)))
	}
	if ins {
		pieces = append(pieces, ours(fset, "var "+inVar+" = "+inText(h.In)))
	}
	parsed.Pieces = slices.Concat(pieces, parsed.Pieces)
	return nil
}

const inVar = "Inǃ"

// ownOut is the name of a variable for an Out[n] in an error, which goes on with [n].
var ownOut = regexp.MustCompile(`\bOut[0-9]+ǃ`)

func outVar(n int) string { return fmt.Sprintf("Out%dǃ", n) }

// free reports whether a cell mentions a name that nothing declares.
func free(parsed *cell.Cell, sc *Scope, name string) bool {
	used := false
	for _, p := range parsed.Pieces {
		used = used || p.Names.Used[name]
		if slices.Contains(p.Declares(), name) {
			return false
		}
	}
	return used && !sc.Live(name) && sc.Imports[name] == ""
}

// dotted reports whether a name is one of a package that is imported with a dot.
func (c *Checker) dotted(parsed *cell.Cell, sc *Scope, name string) bool {
	var paths []string
	for as, path := range sc.Imports {
		if strings.HasPrefix(as, ".") {
			paths = append(paths, path)
		}
	}
	for _, p := range parsed.Pieces {
		d, _ := p.Decl.(*ast.GenDecl)
		for i := 0; d != nil && i < len(d.Specs); i++ {
			if spec, ok := d.Specs[i].(*ast.ImportSpec); ok && spec.Name != nil && spec.Name.Name == "." {
				path, _ := strconv.Unquote(spec.Path.Value)
				paths = append(paths, path)
			}
		}
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		pkg, err := c.Importer.Import(path)
		return err == nil && pkg.Scope().Lookup(name) != nil
	})
}

// ours is a declaration of a variable that the session adds to a cell.
func ours(fset *token.FileSet, text string) *cell.Piece {
	p := &cell.Piece{Text: text, Kind: cell.VarChunk, Line: 1, Ours: true}
	if err := p.Parse(fset, cell.LineDirective(noCell, 1, 1), "", false); err != nil {
		panic(err)
	}
	p.Names = cell.NamesOf(p)
	return p
}

// renameOuts has each Out[n] in a syntax tree mean the cell's own variable for it, and returns the numbers.
func renameOuts(fset *token.FileSet, root ast.Node, h *History) (numbers map[int]bool, problems []cell.Problem) {
	numbers = map[int]bool{}
	wrong := func(n ast.Node, format string, args ...any) {
		problems = append(problems, cell.Problem{Pos: fset.Position(n.Pos()), Msg: fmt.Sprintf(format, args...)})
	}
	ast.Inspect(root, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				if _, _, ok := outIndex(l); ok {
					wrong(l, "cannot assign to %s: it is what a cell has shown", types.ExprString(l))
					return false
				}
			}
		case *ast.IncDecStmt:
			if _, _, ok := outIndex(x.X); ok {
				wrong(x, "cannot assign to %s: it is what a cell has shown", types.ExprString(x.X))
				return false
			}
		case *ast.IndexExpr:
			id, n, ok := outIndex(x)
			if !ok {
				return true
			}
			if why := h.missing(n); why != "" {
				wrong(x, "there is no Out[%d]: %s", n, why)
				return false
			}
			id.Name = outVar(n)
			numbers[n] = true
			return false
		}
		return true
	})
	return numbers, problems
}

// outIndex takes Out[3] apart.
func outIndex(e ast.Expr) (id *ast.Ident, n int, ok bool) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, 0, false
	}
	id, isIdent := x.X.(*ast.Ident)
	lit, isLit := x.Index.(*ast.BasicLit)
	if !isIdent || !isLit || id.Name != "Out" || id.Obj != nil || lit.Kind != token.INT {
		return nil, 0, false
	}
	n, err := strconv.Atoi(lit.Value)
	return id, n, err == nil
}

// missing says why there is no Out[n]; it is empty if there is one.
func (h *History) missing(n int) string {
	shown, known := h.Out[n]
	if known && shown.Type != nil {
		return ""
	}
	have := slices.Sorted(maps.Keys(h.Out))
	have = slices.DeleteFunc(have, func(n int) bool { return h.Out[n].Type == nil })
	why := cmp.Or(shown.Why, "no cell of that number has run in this session")
	switch {
	case len(have) == 0:
		return why
	case len(have) > 8:
		return fmt.Sprintf("%s (the last that there is is Out[%d])", why, have[len(have)-1])
	}
	var names []string
	for _, n := range have {
		names = append(names, fmt.Sprintf("Out[%d]", n))
	}
	return fmt.Sprintf("%s (there is %s)", why, strings.Join(names, ", "))
}

// inText is the texts of cells as a Go expression.
func inText(in map[int]string) string {
	var b strings.Builder
	b.WriteString("map[int]string{")
	for i, n := range slices.Sorted(maps.Keys(in)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d: %q", n, in[n])
	}
	b.WriteString("}")
	return b.String()
}

// Hidden reports whether a variable is one that the session has added to a cell.
func Hidden(name string) bool { return strings.HasSuffix(name, cell.Mark) }

// ShownBy is what a part shows as the cell's result.
func (c *Checked) ShownBy() Shown {
	p := c.Part
	if p.Show == 0 {
		return Shown{Why: "that cell shows no value"}
	}
	if p.Show > 1 {
		return Shown{Why: "that cell shows several values; give them names"}
	}
	x := p.Body[len(p.Body)-1].Stmt.(*ast.ExprStmt).X
	t := p.Info.TypeOf(x)
	if tuple, ok := t.(*types.Tuple); ok {
		switch n := tuple.Len(); {
		case n == 1, n == 2 && c.Fails:
			t = tuple.At(0).Type()
		case n == 0:
			return Shown{Why: "that cell shows no value"}
		default:
			return Shown{Why: "that cell shows several values; give them names"}
		}
	} else if c.Fails {
		return Shown{Why: "that cell shows no value"}
	}
	if t = types.Default(t); types.Identical(t, types.Typ[types.UntypedNil]) {
		return Shown{Why: "that cell shows nil"}
	}
	return Shown{Type: t}
}

// NoHistory refuses Out and In in a cell that becomes part of a program, which has none.
func NoHistory(fset *token.FileSet, parsed *cell.Cell, sc *Scope) (problems []cell.Problem) {
	for _, name := range []string{"Out", "In"} {
		if !free(parsed, sc, name) {
			continue
		}
		for _, p := range parsed.Pieces {
			for _, root := range p.Nodes() {
				if cell.RenameFree(root, name, name) {
					problems = append(problems, cell.Problem{Pos: fset.Position(root.Pos()), Hint: "Give a name to what the earlier cell shows, and use that.",
						Msg: name + " is a notebook's, and a program has none"})
				}
			}
		}
	}
	return problems
}
