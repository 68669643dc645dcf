package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
)

const studyPath = "gaucho/stdlib/study"

// A StudyFunc is a function that a literal of a study names as Replicate.
type StudyFunc struct {
	node   ast.Node // the function, or the statement around it when it is made of the statement's variables
	Locals []string // these variables
	Text   string
	Uses   map[types.Object]bool
}

// noteStudies gives the studies of a stage their sources. The literals are changed when all texts have been taken.
func (s *Stage) noteStudies() {
	named := map[*ast.CompositeLit]string{}
	note := func(decl ast.Node) {
		ast.Inspect(decl, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CompositeLit:
				if isStudy(s.Info.TypeOf(x)) {
					if id := s.noteStudy(decl, x); id != "" {
						named[x] = id
					}
				}
			case *ast.AssignStmt:
				for _, l := range x.Lhs {
					s.noteAssigned(l)
				}
			}
			return true
		})
	}
	for _, list := range [][]*ast.FuncDecl{s.Methods, s.Added, s.Funcs} {
		for _, d := range list {
			note(d)
		}
	}
	for _, c := range s.chunks {
		if c.Spec != nil {
			note(c.Spec)
		} else {
			note(c.Func)
		}
	}
	for lit, id := range named {
		s.addField(lit, "Source", id)
	}
}

func isStudy(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Study" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == studyPath
}

// noteAssigned says what an assignment to the field Replicate means.
func (s *Stage) noteAssigned(x ast.Expr) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Replicate" {
		return
	}
	t := s.Info.TypeOf(sel.X)
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if isStudy(t) {
		s.Out.Notes = append(s.Out.Notes, "records do not know the source of a Replicate that is assigned after its study was made; "+
			"change Version when it changes, or set it in the study's literal")
	}
}

// noteStudy takes down the function that one literal names, and returns the source's name.
func (s *Stage) noteStudy(decl ast.Node, lit *ast.CompositeLit) (id string) {
	var replicate ast.Expr
	for _, el := range lit.Elts {
		kv, ok := el.(*ast.KeyValueExpr)
		if !ok {
			return ""
		}
		switch kv.Key.(*ast.Ident).Name {
		case "Replicate":
			replicate = kv.Value
		case "Source":
			return ""
		}
	}
	if replicate == nil {
		return ""
	}
	f := &StudyFunc{node: replicate, Locals: s.localsOf(replicate)}
	if len(f.Locals) > 0 {
		f.node = decl
	}
	f.Text, f.Uses = Formatted(f.node), s.usesOf(f.node)
	id = fmt.Sprintf("cell %d, study %d", s.Cell, len(s.Out.Studies)+1)
	if s.Out.Studies == nil {
		s.Out.Studies = map[string]*StudyFunc{}
	}
	s.Out.Studies[id] = f
	return id
}

// localsOf lists the variables of a function around it that an expression uses.
func (s *Stage) localsOf(x ast.Expr) (names []string) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.Info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Pkg() == s.Pkg && !IsGlobal(v) && !(x.Pos() <= v.Pos() && v.Pos() < x.End()) {
			names = append(names, v.Name())
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// addField adds a text to a struct literal that has been checked.
func (s *Stage) addField(lit *ast.CompositeLit, name, text string) {
	st := s.Info.TypeOf(lit).Underlying().(*types.Struct)
	key := &ast.Ident{NamePos: lit.Rbrace, Name: name}
	for f := range st.Fields() {
		if f.Name() == name {
			s.Info.Uses[key] = f
		}
	}
	value := &ast.CallExpr{ // a conversion, so that the constant has its type
		Fun: &ast.Ident{NamePos: lit.Rbrace, Name: "string"}, Lparen: lit.Rbrace, Rparen: lit.Rbrace,
		Args: []ast.Expr{&ast.BasicLit{ValuePos: lit.Rbrace, Kind: token.STRING, Value: fmt.Sprintf("%q", text)}},
	}
	if s.Info.Uses[key] == nil || types.CheckExpr(s.Fset, nil, token.NoPos, value, s.Info) != nil {
		return
	}
	lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: key, Colon: lit.Rbrace, Value: value})
}

// Formatted is the text of a node in gofmt's form, without comments.
func Formatted(n ast.Node) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), n)
	return b.String()
}
