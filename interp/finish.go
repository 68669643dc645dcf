package interp

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"gaucho/interp/lower"
)

// keepIdentical drops type declarations that say again what their names mean already. Equal text is the equal type
// when all the names in it mean what they meant.
func (s *stageCheck) keepIdentical(specs []*typeDecl) {
	for _, t := range specs {
		e := s.scope.names[t.spec.Name.Name]
		if e == nil || e.resolved == nil {
			continue
		}
		s.kept[t.spec.Name.Name] = e.text == s.typeText(t.spec)
	}
	consts := map[string]bool{}
	for _, c := range s.consts {
		for _, n := range (&piece{decl: c}).declares() {
			consts[n] = s.sameConst(n, c)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, t := range specs {
			name := t.spec.Name.Name
			if s.kept[name] && !s.sameMeaning(t.spec, specs, consts) {
				s.kept[name] = false
				changed = true
			}
		}
	}
	for _, t := range specs {
		if !s.kept[t.spec.Name.Name] {
			s.types = append(s.types, t)
		}
	}
}

// sameConst reports whether a constant is declared again with the same text.
func (s *stageCheck) sameConst(name string, d *ast.GenDecl) bool {
	e := s.scope.names[name]
	return e != nil && e.text == s.pieceOf[d].text
}

func (s *stageCheck) sameMeaning(spec *ast.TypeSpec, specs []*typeDecl, consts map[string]bool) bool {
	e := s.scope.names[spec.Name.Name]
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
		if slices.ContainsFunc(specs, func(t *typeDecl) bool { return t.spec.Name.Name == n }) {
			if !s.kept[n] {
				return false
			}
			continue
		}
		var now types.Object
		if live := s.scope.names[n]; live != nil {
			now = live.obj
		}
		if e.resolved[n] != now {
			return false
		}
	}
	return true
}

// typeNames are the names that the text of a type mentions.
func typeNames(spec *ast.TypeSpec) map[string]bool {
	n := names{used: map[string]bool{}, qualified: map[string]map[string]bool{}}
	ast.Inspect(spec, n.visit)
	return n.used
}

// typeText is the declaration of a type in a normal form.
func (s *stageCheck) typeText(spec *ast.TypeSpec) string {
	bare := *spec
	bare.Doc, bare.Comment = nil, nil
	var b bytes.Buffer
	b.WriteString("type ")
	printer.Fprint(&b, token.NewFileSet(), &bare)
	return b.String()
}

// finish fills in what the stage means for the lowerer and for the scope.
func (s *stageCheck) finish() {
	p := &lower.Part{
		Cell: s.cell, Fset: s.fset, Pkg: s.pkg, Info: s.info, Methods: s.plain, Ctx: s.ctx,
		Keeps: map[*types.Var]*types.Var{}, Hides: map[*types.Var]*types.Var{}, Replaces: map[*types.Func]*types.Func{},
	}
	s.out.part = p
	s.restoreOlder()
	if s.out.start.names == nil {
		s.out.start.names = map[string]*entity{}
	}
	for _, t := range s.types {
		p.Types = append(p.Types, t.spec)
		s.declareType(t)
	}
	for _, c := range s.consts {
		for _, n := range (&piece{decl: c}).declares() {
			if obj := s.pkg.Scope().Lookup(n); obj != nil {
				s.out.start.names[n] = &entity{obj: obj, cell: s.cell, text: s.pieceOf[c].text}
			}
		}
	}
	s.noteStudies()
	s.finishFuncs()
	s.finishBody()
}

// restoreOlder makes the uses of a variable's earlier self uses of that variable.
func (s *stageCheck) restoreOlder() {
	for name, alias := range s.stage.older {
		e := s.scope.names[name]
		if e == nil {
			continue
		}
		for id, obj := range s.info.Uses {
			if id.Name == alias && obj.Name() == alias {
				s.info.Uses[id] = e.obj
			}
		}
	}
}

func (s *stageCheck) declareType(t *typeDecl) {
	spec := t.spec
	if s.info.Defs[spec.Name] == nil {
		return
	}
	e := &entity{
		obj: s.info.Defs[spec.Name], cell: s.cell, text: s.typeText(spec), doc: t.piece.doc,
		methods: map[string]*piece{}, resolved: map[string]types.Object{}, uses: s.usesOf(spec),
	}
	for obj := range e.uses {
		e.resolved[obj.Name()] = obj
	}
	s.out.start.names[spec.Name.Name] = e
}

func (s *stageCheck) finishFuncs() {
	p := s.out.part
	if s.plain == nil {
		for _, d := range s.methods {
			p.Funcs = append(p.Funcs, d)
			s.recordMethod(d)
		}
	} else {
		p.Funcs = append(p.Funcs, slices.SortedFunc(maps.Keys(s.plain), byPosition)...)
		for _, list := range [][]*ast.FuncDecl{s.late, s.methods} {
			for _, d := range list {
				s.recordMethod(d)
			}
		}
	}
	for _, d := range s.funcs {
		p.Funcs = append(p.Funcs, d)
		f, ok := s.info.Defs[d.Name].(*types.Func)
		if !ok || d.Name.Name == "_" { // a half-typed cell may lack the object
			continue
		}
		s.out.start.names[f.Name()] = &entity{obj: f, cell: s.cell, text: s.pieceOf[d].text, doc: s.pieceOf[d].doc, uses: s.usesOf(d)}
		s.replace(f)
	}
}

func byPosition(a, b *ast.FuncDecl) int { return int(a.Pos() - b.Pos()) }

// recordMethod remembers the source of a method with its type.
func (s *stageCheck) recordMethod(d *ast.FuncDecl) {
	base, _ := receiverBase(d)
	e := s.out.start.names[base]
	if e == nil {
		live := s.scope.names[base]
		if live == nil {
			return
		}
		copied := *live
		copied.methods = maps.Clone(live.methods)
		copied.methodUses = maps.Clone(live.methodUses)
		if copied.methods == nil {
			copied.methods = map[string]*piece{}
		}
		e = &copied
		s.out.start.names[base] = e
	}
	e.methods[d.Name.Name] = s.pieceOf[d]
	if e.methodUses == nil {
		e.methodUses = map[string]map[types.Object]bool{}
	}
	e.methodUses[d.Name.Name] = s.usesOf(d)
}

// replace has a function take over the callers of an earlier one of its name and signature, and says which callers
// keep the old one when the signature differs.
func (s *stageCheck) replace(f *types.Func) {
	e := s.scope.names[f.Name()]
	if e == nil {
		return
	}
	old, ok := e.obj.(*types.Func)
	if !ok {
		return
	}
	if types.Identical(old.Signature(), f.Signature()) {
		s.out.part.Replaces[f] = old
		s.out.start.replaced = append(s.out.start.replaced, [2]types.Object{old, f})
		return
	}
	var callers []string
	for _, name := range slices.Sorted(maps.Keys(s.scope.names)) {
		if c := s.scope.names[name]; c.uses[old] && name != f.Name() && s.out.start.names[name] == nil {
			callers = append(callers, name)
		}
	}
	if len(callers) > 0 {
		s.out.notes = append(s.out.notes, oldCallers(f, callers))
	}
}

// finishBody lays out the statements in the order in which they run.
func (s *stageCheck) finishBody() {
	for _, c := range s.inOrder() {
		lc := lower.Chunk{Var: c.spec}
		u := update{names: map[string]*entity{}}
		if c.spec != nil {
			uses := s.usesOf(c.spec)
			for _, id := range c.spec.Names {
				v, ok := s.info.Defs[id].(*types.Var)
				if !ok || id.Name == "_" {
					continue
				}
				lc.Declares = append(lc.Declares, v)
				u.names[id.Name] = &entity{obj: v, cell: s.cell, text: c.piece.text, doc: c.piece.doc, uses: uses}
				if e := s.scope.names[id.Name]; e != nil {
					if old, ok := e.obj.(*types.Var); ok && types.Identical(old.Type(), v.Type()) {
						s.out.part.Keeps[v] = old
					} else if ok {
						s.out.part.Hides[v] = old
					}
				}
			}
		} else {
			lc.Stmt = c.fn.Body.List[0]
			if c.show {
				s.out.part.Show++
				s.out.fails = s.endsInError(lc.Stmt)
			}
		}
		s.out.part.Body = append(s.out.part.Body, lc)
		s.out.steps = append(s.out.steps, u)
	}
}

// endsInError reports whether a shown expression is a call whose only or last result is an error, or an error at the end
// of a list.
func (s *stageCheck) endsInError(stmt ast.Stmt) bool {
	x := ast.Unparen(stmt.(*ast.ExprStmt).X)
	t := s.info.TypeOf(x)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 1 {
		t = tuple.At(tuple.Len() - 1).Type()
	} else if _, ok := x.(*ast.CallExpr); !ok && s.out.part.Show < 2 {
		return false
	}
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// inOrder puts a variable that an earlier one needs before it.
func (s *stageCheck) inOrder() []bodyChunk {
	rank := map[*types.Var]int{}
	for i, init := range s.info.InitOrder {
		for _, v := range init.Lhs {
			rank[v] = i + 1
		}
	}
	rankOf := func(c bodyChunk) int {
		if c.spec == nil {
			return 0
		}
		v, _ := s.info.Defs[c.spec.Names[0]].(*types.Var)
		return rank[v]
	}
	chunks := slices.Clone(s.chunks)
	for i := 0; i < len(chunks); i++ {
		for j := i + 1; j < len(chunks); j++ {
			if rankOf(chunks[i]) > 0 && rankOf(chunks[j]) > 0 && rankOf(chunks[j]) < rankOf(chunks[i]) {
				c := chunks[j]
				chunks = slices.Insert(slices.Delete(chunks, j, j+1), i, c)
			}
		}
	}
	return chunks
}

// usesOf are the objects of the session that a declaration mentions.
func (s *stageCheck) usesOf(n ast.Node) map[types.Object]bool {
	uses := map[types.Object]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := s.info.Uses[id]; obj != nil && obj.Pkg() == s.pkg && isGlobal(obj) {
				uses[obj] = true
			}
		}
		return true
	})
	return uses
}

// isGlobal reports whether an object is declared at the top level: its scope is the child of the universe.
func isGlobal(obj types.Object) bool {
	return obj.Parent() != nil && obj.Parent().Parent() == types.Universe
}
