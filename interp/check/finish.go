package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/engine"
)

// keepIdentical drops type declarations that say again what their names mean already. Equal text is the equal type
// when all the names in it mean what they meant.
func (s *Stage) keepIdentical(specs []*typeDecl) {
	for _, t := range specs {
		e := s.scope.Names[t.Spec.Name.Name]
		if e == nil || e.resolved == nil {
			continue
		}
		s.kept[t.Spec.Name.Name] = e.Text == s.typeText(t.Spec)
	}
	consts := map[string]bool{}
	for _, c := range s.Consts {
		for _, n := range (&cell.Piece{Decl: c}).Declares() {
			consts[n] = s.sameConst(n, c)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range specs {
			name := t.Spec.Name.Name
			if s.kept[name] && !s.sameMeaning(t.Spec, specs, consts) {
				s.kept[name] = false
				changed = true
			}
		}
	}
	for _, t := range specs {
		if !s.kept[t.Spec.Name.Name] {
			s.Types = append(s.Types, t)
		}
	}
}

// sameConst reports whether a constant is declared again with the same text.
func (s *Stage) sameConst(name string, d *ast.GenDecl) bool {
	e := s.scope.Names[name]
	return e != nil && e.Text == s.PieceOf[d].Text
}

func (s *Stage) sameMeaning(spec *ast.TypeSpec, specs []*typeDecl, consts map[string]bool) bool {
	e := s.scope.Names[spec.Name.Name]
	for n := range typeNames(spec) {
		if n == spec.Name.Name {
			continue
		}
		if same, ok := consts[n]; ok {
			if !same {
				return false
			}
			continue
		}
		if slices.ContainsFunc(specs, func(t *typeDecl) bool { return t.Spec.Name.Name == n }) {
			if !s.kept[n] {
				return false
			}
			continue
		}
		var now types.Object
		if live := s.scope.Names[n]; live != nil {
			now = live.Obj
		}
		if e.resolved[n] != now {
			return false
		}
	}
	return true
}

// typeNames are the names that the text of a type mentions.
func typeNames(spec *ast.TypeSpec) map[string]bool {
	n := cell.Names{Used: map[string]bool{}, Qualified: map[string]map[string]bool{}}
	ast.Inspect(spec, n.Visit)
	return n.Used
}

// typeText is the declaration of a type in a normal form, without comments.
func (s *Stage) typeText(spec *ast.TypeSpec) string {
	bare := *spec
	bare.Doc, bare.Comment = nil, nil
	ast.Inspect(&bare, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			f.Doc, f.Comment = nil, nil
		}
		return true
	})
	var b bytes.Buffer
	b.WriteString("type ")
	printer.Fprint(&b, token.NewFileSet(), &bare)
	return b.String()
}

// Finish fills in what the stage means for the lowerer and for the scope.
func (s *Stage) Finish() {
	p := &engine.Part{
		Cell: s.Cell, Fset: s.Fset, Pkg: s.Pkg, Info: s.Info, Methods: s.Plain, Ctx: s.Ctx, Shown: s.Shown,
		Keeps: map[*types.Var]*types.Var{}, Hides: map[*types.Var]*types.Var{}, Replaces: map[*types.Func]*types.Func{},
	}
	s.Out.Part = p
	s.restoreOlder()
	s.printToOutput()
	if s.Out.Start.Names == nil {
		s.Out.Start.Names = map[string]*Entity{}
	}
	for _, t := range s.Types {
		p.Types = append(p.Types, t.Spec)
		s.declareType(t)
	}
	for _, c := range s.Consts {
		for _, n := range (&cell.Piece{Decl: c}).Declares() {
			if obj := s.Pkg.Scope().Lookup(n); obj != nil {
				s.Out.Start.Names[n] = &Entity{Obj: obj, Cell: s.Cell, Text: s.PieceOf[c].Text}
			}
		}
	}
	s.finishFuncs()
	s.finishBody()
	s.noteStudies()
	s.remarks()
}

// printToOutput makes fmt.Println of the built-in print and println: in a cell they show values as people read them, each call
// on a line of its own of the output, as in the languages that have print. In a program they are Go's.
func (s *Stage) printToOutput() {
	for id, obj := range s.Info.Uses {
		if b, ok := obj.(*types.Builtin); !ok || b.Name() != "print" && b.Name() != "println" {
			continue
		}
		pkg, err := s.Importer.Import("fmt")
		if err != nil {
			return
		}
		println := pkg.Scope().Lookup("Println")
		s.Info.Uses[id] = println
		s.Info.Types[id] = types.TypeAndValue{Type: println.Type()}
	}
}

// restoreOlder makes the uses of a variable's earlier self uses of that variable.
func (s *Stage) restoreOlder() {
	for name, alias := range s.stage.Older {
		e := s.scope.Names[name]
		if e == nil {
			continue
		}
		for id, obj := range s.Info.Uses {
			if id.Name == alias && obj.Name() == alias {
				s.Info.Uses[id] = e.Obj
			}
		}
	}
}

func (s *Stage) declareType(t *typeDecl) {
	spec := t.Spec
	if s.Info.Defs[spec.Name] == nil {
		return
	}
	e := &Entity{
		Obj: s.Info.Defs[spec.Name], Cell: s.Cell, Text: s.typeText(spec), Written: t.Piece.Text, Doc: t.Piece.Doc,
		Methods: map[string]*cell.Piece{}, resolved: map[string]types.Object{}, Uses: s.usesOf(spec),
	}
	for obj := range e.Uses {
		e.resolved[obj.Name()] = obj
	}
	s.Out.Start.Names[spec.Name.Name] = e
}

func (s *Stage) finishFuncs() {
	p := s.Out.Part
	if s.Plain == nil {
		for _, d := range s.Methods {
			p.Funcs = append(p.Funcs, d)
			s.recordMethod(d)
		}
	} else {
		p.Funcs = append(p.Funcs, slices.SortedFunc(maps.Keys(s.Plain), byPosition)...)
		for _, list := range [][]*ast.FuncDecl{s.Added, s.Methods} {
			for _, d := range list {
				s.recordMethod(d)
			}
		}
	}
	for _, d := range s.Funcs {
		p.Funcs = append(p.Funcs, d)
		f, ok := s.Info.Defs[d.Name].(*types.Func)
		if !ok || d.Name.Name == "_" { // a half-typed cell may lack the object
			continue
		}
		s.Out.Start.Names[f.Name()] = &Entity{Obj: f, Cell: s.Cell, Text: s.PieceOf[d].Text, Doc: s.PieceOf[d].Doc, Uses: s.usesOf(d), Literals: s.literalsOf(d)}
		s.replace(f)
	}
}

// noteUsers notes which functions keep an earlier meaning of a name: the format takes the name, theirs, and the verb, of one or
// of several.
func (s *Stage) noteUsers(old types.Object, format, verb, verbs string) {
	var users []string
	for e := range s.scope.users[old] {
		_, calls := e.Obj.Type().Underlying().(*types.Signature)
		if name := e.Obj.Name(); calls && name != old.Name() && s.Out.Start.Names[name] == nil {
			users = append(users, name)
		}
	}
	for name, e := range s.scope.Names {
		now := s.Out.Start.Names[name]
		for m, uses := range e.MethodUses {
			if uses[old] && (now == nil || now.Methods[m] == e.Methods[m]) {
				users = append(users, name+"."+m)
			}
		}
	}
	if len(users) == 0 {
		return
	}
	if len(users) > 1 {
		verb = verbs
	}
	slices.Sort(users)
	s.Out.Notes = append(s.Out.Notes, fmt.Sprintf(format, old.Name(), strings.Join(users, ", "), verb))
}

func byPosition(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) }

// recordMethod remembers the source of a method with its type.
func (s *Stage) recordMethod(d *ast.FuncDecl) {
	base, _ := ReceiverBase(d)
	e := s.Out.Start.Names[base]
	if e == nil {
		live := s.scope.Names[base]
		if live == nil {
			return
		}
		copied := *live
		copied.Methods = maps.Clone(live.Methods)
		copied.MethodUses = maps.Clone(live.MethodUses)
		if copied.Methods == nil {
			copied.Methods = map[string]*cell.Piece{}
		}
		e = &copied
		s.Out.Start.Names[base] = e
	}
	e.Methods[d.Name.Name] = s.PieceOf[d]
	if e.MethodUses == nil {
		e.MethodUses = map[string]map[types.Object]bool{}
	}
	e.MethodUses[d.Name.Name] = s.usesOf(d)
}

// replace has a function take over the callers of an earlier one of its name and signature, and says which callers
// keep the old one when the signature differs.
func (s *Stage) replace(f *types.Func) {
	e := s.scope.Names[f.Name()]
	if e == nil {
		return
	}
	old, ok := e.Obj.(*types.Func)
	if !ok {
		return
	}
	if types.Identical(old.Signature(), f.Signature()) {
		s.Out.Part.Replaces[f] = old
		s.Out.Start.replaced = append(s.Out.Start.replaced, [2]types.Object{old, f})
		return
	}
	s.noteUsers(old, "%s has a new signature; %s %s the earlier one until declared again", "calls", "call")
}

// finishBody lays out the statements in the order in which they run.
func (s *Stage) finishBody() {
	for _, c := range s.InOrder() {
		lc := engine.Chunk{Var: c.Spec}
		u := Update{Names: map[string]*Entity{}}
		if c.Spec != nil {
			uses, literals := s.usesOf(c.Spec), s.literalsOf(c.Spec)
			for _, id := range c.Spec.Names {
				v, ok := s.Info.Defs[id].(*types.Var)
				if !ok || id.Name == "_" {
					continue
				}
				lc.Declares = append(lc.Declares, v)
				u.Names[id.Name] = &Entity{Obj: v, Cell: s.Cell, Text: c.Piece.Text, Doc: c.Piece.Doc, Uses: uses, Literals: literals}
				if e := s.scope.Names[id.Name]; e != nil {
					if old, ok := e.Obj.(*types.Var); ok && types.Identical(old.Type(), v.Type()) {
						s.Out.Part.Keeps[v] = old
						u.replaced = append(u.replaced, [2]types.Object{old, v})
					} else if ok {
						s.Out.Part.Hides[v] = old
						s.noteUsers(old, "%s has a new type; %s %s the earlier one until declared again", "uses", "use")
					}
				}
			}
		} else {
			lc.Stmt = c.Func.Body.List[0]
			if c.Show {
				s.Out.Part.Show++
				s.Out.Fails = s.endsInError(lc.Stmt)
			}
		}
		s.Out.Part.Body = append(s.Out.Part.Body, lc)
		s.Out.Steps = append(s.Out.Steps, u)
	}
}

// endsInError reports whether a shown expression is a call whose only or last result is an error. An error that has a name is shown as
// any other value.
func (s *Stage) endsInError(stmt ast.Stmt) bool {
	x := ast.Unparen(stmt.(*ast.ExprStmt).X)
	t := s.Info.TypeOf(x)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 1 {
		t = tuple.At(tuple.Len() - 1).Type()
	} else if _, ok := x.(*ast.CallExpr); !ok {
		return false
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// InOrder puts a variable that an earlier one needs before it.
func (s *Stage) InOrder() []BodyChunk {
	rank := map[*types.Var]int{}
	for i, init := range s.Info.InitOrder {
		for _, v := range init.Lhs {
			rank[v] = i + 1
		}
	}
	rankOf := func(c BodyChunk) int {
		if c.Spec == nil {
			return 0
		}
		v, _ := s.Info.Defs[c.Spec.Names[0]].(*types.Var)
		return rank[v]
	}
	return inOrder(s.chunks, rankOf)
}

// inOrder returns a list in which each item with a rank comes after all of lower rank, which move up as far as needed. Items of rank 0
// keep their order.
func inOrder[T any](list []T, rank func(T) int) []T {
	type ranked struct {
		item T
		rank int
	}
	all, sorted := make([]ranked, len(list)), []ranked(nil)
	for i, item := range list {
		if all[i] = (ranked{item, rank(item)}); all[i].rank > 0 {
			sorted = append(sorted, all[i])
		}
	}
	slices.SortStableFunc(sorted, func(a, b ranked) int { return a.rank - b.rank })
	out := make([]T, 0, len(list))
	for _, r := range all {
		if r.rank == 0 {
			out = append(out, r.item)
		}
		for ; len(sorted) > 0 && sorted[0].rank <= r.rank; sorted = sorted[1:] {
			out = append(out, sorted[0].item)
		}
	}
	return out
}

// usesOf are the objects of the session that a declaration mentions.
func (s *Stage) usesOf(n ast.Node) map[types.Object]bool {
	uses := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := s.Info.Uses[id]; obj != nil && obj.Pkg() == s.Pkg && IsGlobal(obj) {
				uses[obj] = true
			}
		}
		return true
	})
	return uses
}

// IsGlobal reports whether an object is declared at the top level: its scope is the child of the universe.
func IsGlobal(obj types.Object) bool {
	return obj.Parent() != nil && obj.Parent().Parent() == types.Universe
}

// ReceiverOf is the declared type that has the method, nil for a function.
func ReceiverOf(obj types.Object) types.Object {
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return nil
	}
	t := types.Unalias(f.Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}
