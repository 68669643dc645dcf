package interp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A study (gaucho/stdlib/study) keeps its records under the source of its function Replicate. In a cell that is the
// function with every declaration that it reaches, as they are when the study runs, which only the front end knows. So
// each literal of a study.Study that sets Replicate gets a Source, the name of that function, and a cell that runs takes
// along what the hash of each such source is now.

const studyPath = "gaucho/stdlib/study"

// A studyFunc is a function that a literal of a study names as Replicate.
type studyFunc struct {
	node   ast.Node // the function, or the statement around it when it is made of the statement's variables
	locals []string // these variables
	text   string
	uses   map[types.Object]bool
}

// A studyList holds the studies of a session by Study.Source, the oldest first.
type studyList struct {
	funcs map[string]*studyFunc
	order []string
}

// noteStudies gives the studies of a stage their sources. The literals are changed when all texts have been taken.
func (s *stageCheck) noteStudies() {
	named := map[*ast.CompositeLit]string{}
	note := func(decl ast.Node) {
		ast.Inspect(decl, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CompositeLit:
				if isStudy(s.info.TypeOf(x)) {
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
	for _, list := range [][]*ast.FuncDecl{s.methods, s.late, s.funcs} {
		for _, d := range list {
			note(d)
		}
	}
	for _, c := range s.chunks {
		if c.spec != nil {
			note(c.spec)
		} else {
			note(c.fn)
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
func (s *stageCheck) noteAssigned(x ast.Expr) {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Replicate" {
		return
	}
	t := s.info.TypeOf(sel.X)
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if isStudy(t) {
		s.out.notes = append(s.out.notes, "records do not know the source of a Replicate that is assigned after its study was made; "+
			"change Version when it changes, or set it in the study's literal")
	}
}

// noteStudy takes down the function that one literal names, and returns the source's name.
func (s *stageCheck) noteStudy(decl ast.Node, lit *ast.CompositeLit) (id string) {
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
	f := &studyFunc{node: replicate, locals: s.localsOf(replicate)}
	if len(f.locals) > 0 {
		f.node = decl
	}
	f.text, f.uses = formatted(f.node), s.usesOf(f.node)
	id = fmt.Sprintf("cell %d, study %d", s.cell, len(s.out.studies)+1)
	if s.out.studies == nil {
		s.out.studies = map[string]*studyFunc{}
	}
	s.out.studies[id] = f
	return id
}

// localsOf lists the variables of a function around it that an expression uses.
func (s *stageCheck) localsOf(x ast.Expr) (names []string) {
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.info.Uses[id].(*types.Var)
		if ok && !v.IsField() && v.Pkg() == s.pkg && !isGlobal(v) && !(x.Pos() <= v.Pos() && v.Pos() < x.End()) {
			names = append(names, v.Name())
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// addField adds a text to a struct literal that has been checked.
func (s *stageCheck) addField(lit *ast.CompositeLit, name, text string) {
	st := s.info.TypeOf(lit).Underlying().(*types.Struct)
	key := &ast.Ident{NamePos: lit.Rbrace, Name: name}
	for f := range st.Fields() {
		if f.Name() == name {
			s.info.Uses[key] = f
		}
	}
	value := &ast.CallExpr{ // a conversion, so that the constant has its type
		Fun: &ast.Ident{NamePos: lit.Rbrace, Name: "string"}, Lparen: lit.Rbrace, Rparen: lit.Rbrace,
		Args: []ast.Expr{&ast.BasicLit{ValuePos: lit.Rbrace, Kind: token.STRING, Value: fmt.Sprintf("%q", text)}},
	}
	if s.info.Uses[key] == nil || types.CheckExpr(s.fset, nil, token.NoPos, value, s.info) != nil {
		return
	}
	lit.Elts = append(lit.Elts, &ast.KeyValueExpr{Key: key, Colon: lit.Rbrace, Value: value})
}

// formatted is the text of a node in gofmt's form, without comments.
func formatted(n ast.Node) string {
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), n)
	return b.String()
}

// A reach is what a function is made of: the declarations of the session that it reaches.
type reach struct {
	names   map[string]*entity
	older   map[string]bool // what is no longer what its name means, as go/types writes it
	imports map[string]string
}

// reachOf follows uses through the scope.
func reachOf(sc *scope, uses map[types.Object]bool) *reach {
	r := &reach{names: map[string]*entity{}, older: map[string]bool{}, imports: map[string]string{}}
	var follow func(map[types.Object]bool)
	follow = func(uses map[types.Object]bool) {
		for obj := range uses {
			e := sc.names[obj.Name()]
			if e == nil || !sameMeaning(e.obj, obj) {
				r.older[types.ObjectString(obj, nil)] = true
				continue
			}
			if r.names[obj.Name()] == nil {
				r.names[obj.Name()] = e
				follow(e.uses)
				for _, m := range e.methodUses {
					follow(m)
				}
			}
		}
	}
	follow(uses)
	return r
}

// sameMeaning reports whether a use of the old object now means the live one.
func sameMeaning(live, old types.Object) bool {
	if live == old {
		return true
	}
	switch l := live.(type) {
	case *types.Const:
		o, ok := old.(*types.Const)
		return ok && types.Identical(l.Type(), o.Type()) && constant.Compare(l.Val(), token.EQL, o.Val())
	case *types.Func:
		_, ok := old.(*types.Func)
		return ok && types.Identical(live.Type(), old.Type())
	case *types.Var:
		_, ok := old.(*types.Var)
		return ok && types.Identical(live.Type(), old.Type())
	}
	return false
}

// sourceHash identifies the source of a study's function as it is now.
func sourceHash(sc *scope, l *ledger, f *studyFunc) string {
	r := reachOf(sc, f.uses)
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d %s\n", len(text), text) }
	add(f.text)
	add(importsOf(sc, f.text))
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		e := r.names[name]
		texts := []string{e.text}
		if c, ok := l.changes[name]; ok && !c.declared { // a variable that a later cell assigned to
			texts = append(texts, c.by.cell.Source)
		}
		for _, m := range slices.Sorted(maps.Keys(e.methods)) {
			texts = append(texts, e.methods[m].text)
		}
		for _, text := range texts {
			if !seen[text] {
				seen[text] = true
				form := formattedText(text)
				add(form)
				add(importsOf(sc, form))
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(r.older)) {
		add(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// formattedText is the source of a declaration or statement in gofmt's form, without comments, as far as it can be
// parsed.
func formattedText(text string) string {
	fset := token.NewFileSet()
	if f, err := parser.ParseFile(fset, "", "package p\n"+text, parser.SkipObjectResolution); err == nil {
		return formatted(f)
	}
	if f, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+text+"\n}", parser.SkipObjectResolution); err == nil {
		return formatted(f)
	}
	return text
}

// importsOf lists the paths of the imports that a text mentions, since the same name may mean another package.
func importsOf(sc *scope, text string) string {
	var list []string
	for local, path := range sc.imports {
		if bytes.Contains([]byte(text), []byte(local+".")) {
			list = append(list, local+" "+path)
		}
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// keptStudies is how many studies are kept in step with their declarations, so that a cell which is run over and over does
// not make all cells slow. What an older one records nobody reads again.
const keptStudies = 20

// keep takes over the studies of a stage.
func (l *studyList) keep(studies map[string]*studyFunc) {
	for _, id := range slices.Sorted(maps.Keys(studies)) {
		l.funcs[id] = studies[id]
		if l.order = append(l.order, id); len(l.order) > keptStudies {
			delete(l.funcs, l.order[0])
			l.order = l.order[1:]
		}
	}
}

// hashes are those of the sources of all studies, as they are with the given scope.
func (l *studyList) hashes(sc *scope, changes *ledger) map[string]string {
	if len(l.funcs) == 0 {
		return nil
	}
	out := map[string]string{}
	for id, f := range l.funcs {
		out[id] = sourceHash(sc, changes, f)
	}
	return out
}
