package check

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

const studyPath = "gaucho/stdlib/study"

// Studies are those of a stage.
type Studies struct {
	Funcs   map[string]*StudyFunc // by Study.Source
	Assigns bool                  // it assigns to the field Replicate of a study
}

// A StudyFunc is a function that a literal of a study names as Replicate.
type StudyFunc struct {
	Text    string // with what it uses of functions around it, but for variables
	Uses    map[types.Object]bool
	Around  []*types.Var    // variables of functions around it
	Reads   map[string]bool // the variables of the session whose values its study hands over
	Literal *Literal        // nil unless it is one
	Plain   bool            // it is a literal, or a name
	globals []*types.Var    // of Reads
	At      token.Pos       // where the fields of the study's literal begin
}

// Values are the variables whose values the study hands over, by the names that it gives them.
func (f *StudyFunc) Values() (names []string, vars []*types.Var) {
	for _, v := range f.globals {
		names, vars = append(names, v.Name()), append(vars, v)
	}
	for i, v := range f.Around {
		name := "local " + v.Name()
		if i > 0 && f.Around[i-1].Name() == v.Name() {
			name = fmt.Sprint(name, " ", i)
		}
		names, vars = append(names, name), append(vars, v)
	}
	return names, vars
}

// Locals are the names of variables of functions around it.
func (f *StudyFunc) Locals() (names []string) {
	for _, v := range f.Around {
		names = append(names, v.Name())
	}
	return slices.Compact(names)
}

// A Literal is a function literal that uses no variables of a function around it.
type Literal struct{ Cell, Line, End int }

func (s *Stage) literal(f *ast.FuncLit) Literal {
	return Literal{s.Cell, s.Fset.Position(f.Pos()).Line, s.Fset.Position(f.End()).Line}
}

// literalsOf are the function literals in a declaration that use nothing of a function around them.
func (s *Stage) literalsOf(n ast.Node) (list []Literal) {
	ast.Inspect(n, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncLit); ok && len(s.surroundingOf(f, f).vars) == 0 {
			list = append(list, s.literal(f))
		}
		return true
	})
	return list
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
		s.addSource(lit, id)
	}
}

func isStudy(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "Study" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == studyPath
}

// noteAssigned notes an assignment to the field Replicate of a study.
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
		s.Out.Studies.Assigns = true
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
	sur := s.surroundingOf(decl, replicate)
	f := &StudyFunc{Text: sur.text(), Uses: s.usesIn(sur), Around: sur.vars, Reads: map[string]bool{}, At: lit.Lbrace + 1}
	switch x := ast.Unparen(replicate).(type) {
	case *ast.FuncLit:
		literal := s.literal(x)
		f.Literal, f.Plain = &literal, true
	case *ast.Ident:
		f.Plain = len(f.Around) == 0
	}
	for name, e := range ReachOf(s.scope, s.declared(), f, s.Ctx).Names {
		if v, ok := e.Obj.(*types.Var); ok {
			f.Reads[name] = true
			f.globals = append(f.globals, v)
		}
	}
	slices.SortFunc(f.globals, func(a, b *types.Var) int { return strings.Compare(a.Name(), b.Name()) })
	s.studies++
	id = fmt.Sprintf("cells: study %d", s.studies)
	if s.Out.Studies.Funcs == nil {
		s.Out.Studies.Funcs = map[string]*StudyFunc{}
	}
	s.Out.Studies.Funcs[id] = f
	return id
}

// declared are the names that the stage declares.
func (s *Stage) declared() map[string]*Entity {
	all := maps.Clone(s.Out.Start.Names)
	for _, u := range s.Out.Steps {
		maps.Copy(all, u.Names)
	}
	return all
}

// A surrounding is what an expression uses of the functions around it.
type surrounding struct {
	vars  []*types.Var
	nodes []ast.Node // the expression, and the function literals that variables stand for
	more  []string   // constants and types
}

// surroundingOf is what an expression in a declaration uses of functions around it. A variable that is only ever one function
// literal stands for what that uses.
func (s *Stage) surroundingOf(decl ast.Node, x ast.Expr) *surrounding {
	sur := &surrounding{}
	seen := map[types.Object]bool{}
	var see func(ast.Expr)
	see = func(x ast.Expr) {
		sur.nodes = append(sur.nodes, x)
		ast.Inspect(x, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := s.Info.Uses[id]
			if obj == nil || seen[obj] || obj.Pkg() != s.Pkg || obj.Parent() == nil || IsGlobal(obj) || x.Pos() <= obj.Pos() && obj.Pos() < x.End() {
				return true
			}
			seen[obj] = true
			switch obj := obj.(type) {
			case *types.Const:
				sur.more = append(sur.more, obj.Name()+" = "+obj.Val().ExactString())
			case *types.TypeName:
				sur.more = append(sur.more, obj.Name()+" "+types.TypeString(obj.Type().Underlying(), nil))
			case *types.Var:
				if f := s.onlyLiteral(decl, obj); f != nil {
					see(f)
				} else if obj != s.Ctx {
					sur.vars = append(sur.vars, obj)
				}
			}
			return true
		})
	}
	see(x)
	slices.SortFunc(sur.vars, func(a, b *types.Var) int {
		return cmp.Or(strings.Compare(a.Name(), b.Name()), cmp.Compare(a.Pos(), b.Pos()))
	})
	return sur
}

// text is that of all that the expression is made of.
func (sur *surrounding) text() string {
	var list []string
	for _, n := range sur.nodes {
		list = append(list, Formatted(n))
	}
	return strings.Join(append(list, sur.more...), "\n")
}

// usesIn are the objects of the session that the expression mentions, and the types whose methods it calls.
func (s *Stage) usesIn(sur *surrounding) map[types.Object]bool {
	uses := map[types.Object]bool{}
	for _, n := range sur.nodes {
		maps.Copy(uses, s.usesOf(n))
		ast.Inspect(n, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				if sel := s.Info.Selections[x]; sel != nil {
					if named := ReceiverOf(sel.Obj()); named != nil && named.Pkg() == s.Pkg && IsGlobal(named) {
						uses[named] = true
					}
				}
			}
			return true
		})
	}
	return uses
}

// onlyLiteral is the function literal that a local variable always is, nil if it may be anything else.
func (s *Stage) onlyLiteral(decl ast.Node, v *types.Var) (f *ast.FuncLit) {
	if _, ok := v.Type().(*types.Signature); !ok {
		return nil
	}
	assigned := 0
	note := func(x ast.Expr) {
		if id, ok := ast.Unparen(x).(*ast.Ident); ok && (s.Info.Uses[id] == v || s.Info.Defs[id] == v) {
			assigned++
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.AssignStmt:
			for i, l := range x.Lhs {
				note(l)
				if id, ok := l.(*ast.Ident); ok && s.Info.Defs[id] == v && len(x.Lhs) == len(x.Rhs) {
					f, _ = ast.Unparen(x.Rhs[i]).(*ast.FuncLit)
				}
			}
		case *ast.RangeStmt:
			note(x.Key)
			note(x.Value)
		case *ast.UnaryExpr:
			if x.Op == token.AND {
				note(x.X)
			}
		}
		return true
	})
	if assigned != 1 {
		return nil
	}
	return f
}

// addSource adds to a study's literal which function it has, and a function that returns the values which that reads.
func (s *Stage) addSource(lit *ast.CompositeLit, id string) {
	f := s.Out.Studies.Funcs[id]
	s.addField(lit, "Source", s.stringAt(lit.Rbrace, id))
	if len(f.Around)+len(f.globals) > 0 {
		s.addField(lit, "Reads", s.readsAt(lit.Rbrace, f))
	}
}

// addField adds a value to a struct literal that has been checked.
func (s *Stage) addField(lit *ast.CompositeLit, name string, value ast.Expr) {
	st := s.Info.TypeOf(lit).Underlying().(*types.Struct)
	key := &ast.Ident{NamePos: lit.Rbrace, Name: name}
	for f := range st.Fields() {
		if f.Name() == name {
			s.Info.Uses[key] = f
		}
	}
	lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: key, Colon: lit.Rbrace, Value: value})
}

// stringAt is a text as an expression that has been checked.
func (s *Stage) stringAt(at token.Pos, text string) ast.Expr {
	value := &ast.CallExpr{ // a conversion, so that the constant has its type
		Fun: &ast.Ident{NamePos: at, Name: "string"}, Lparen: at, Rparen: at,
		Args: []ast.Expr{&ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: fmt.Sprintf("%q", text)}},
	}
	if err := types.CheckExpr(s.Fset, nil, token.NoPos, value, s.Info); err != nil {
		panic(err) // a text can be written
	}
	return value
}

// readsAt is func() map[string]any { return map[string]any{"x": x, "local y": y} } as an expression that has been checked.
func (s *Stage) readsAt(at token.Pos, f *StudyFunc) ast.Expr {
	var m *types.Map
	typ := func() ast.Expr {
		value := &ast.InterfaceType{Interface: at, Methods: &ast.FieldList{Opening: at, Closing: at}}
		key := &ast.Ident{NamePos: at, Name: "string"}
		x := &ast.MapType{Map: at, Key: key, Value: value}
		if err := types.CheckExpr(s.Fset, nil, token.NoPos, x, s.Info); err != nil {
			panic(err)
		}
		m = s.Info.TypeOf(x).(*types.Map)
		return x
	}
	lit := &ast.CompositeLit{Type: typ(), Lbrace: at, Rbrace: at}
	value := func(x ast.Expr, t types.Type) { s.Info.Types[x] = valueOf(t) }
	add := func(name string, v *types.Var) {
		id := &ast.Ident{NamePos: at, Name: v.Name()}
		s.Info.Uses[id] = v
		value(id, v.Type())
		lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: s.stringAt(at, name), Colon: at, Value: id})
	}
	names, vars := f.Values()
	for i, v := range vars {
		add(names[i], v)
	}
	value(lit, m)
	fn := &ast.FuncLit{
		Type: &ast.FuncType{Func: at, Params: &ast.FieldList{Opening: at, Closing: at}, Results: &ast.FieldList{List: []*ast.Field{{Type: typ()}}}},
		Body: &ast.BlockStmt{Lbrace: at, List: []ast.Stmt{&ast.ReturnStmt{Return: at, Results: []ast.Expr{lit}}}, Rbrace: at},
	}
	result := types.NewVar(at, s.Pkg, "", m)
	value(fn, types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(result), false))
	return fn
}

// valueOf is what is known of an expression with a value of a type that has just been made: as of *new(int), but for the type.
func valueOf(t types.Type) types.TypeAndValue {
	x := &ast.StarExpr{X: &ast.CallExpr{Fun: ast.NewIdent("new"), Args: []ast.Expr{ast.NewIdent("int")}}}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if err := types.CheckExpr(token.NewFileSet(), nil, token.NoPos, x, info); err != nil {
		panic(err)
	}
	tv := info.Types[x]
	tv.Type = t
	return tv
}

// Formatted is the text of a node in gofmt's form, without comments.
func Formatted(n ast.Node) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), n)
	return b.String()
}
