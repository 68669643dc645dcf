package compiled

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

	"gaucho/interp/engine"
)

// A planner collects the types and functions that a package declares.
type planner struct {
	types   []*typeHome
	funcs   []*function
	changed map[*types.TypeName]bool // types that are declared anew
	again   map[*line]bool           // functions that have a new form
}

// plan finds what the part's package declares: the types and functions of the part, and those of earlier cells that must
// be made again because they were made with something of which the part has a new form.
func (e *emitter) plan() ([]*typeHome, []*function) {
	p := &planner{changed: map[*types.TypeName]bool{}, again: map[*line]bool{}}
	for _, spec := range e.part.Types {
		obj, ok := e.part.Info.Defs[spec.Name].(*types.TypeName)
		if !ok || obj.Name() == "_" || spec.Assign.IsValid() {
			continue
		}
		p.changed[obj] = true
		p.types = append(p.types, &typeHome{obj: obj, spec: spec, info: e.part.Info, fset: e.part.Fset})
	}
	for _, d := range e.part.Funcs {
		if f := e.newFunction(d); f != nil {
			p.funcs = append(p.funcs, f)
			p.again[f.line] = true
			if t := receiver(f.obj); t != nil && e.s.types[t.Obj()] != nil && (f.generic() || !e.s.types[t.Obj()].methods[f.obj]) {
				if !e.s.types[t.Obj()].methods[f.obj] {
					e.noteHeld(t, f.obj)
				}
				p.changed[t.Obj()] = true // also where a method of a generic type has a new body: instances to come must have it
			}
		}
	}
	made := maps.Clone(p.again)
	e.closure(p.changed, p.again)
	for obj := range p.changed {
		if h := e.s.types[obj]; h != nil {
			p.types = append(p.types, &typeHome{obj: obj, spec: h.spec, info: h.info, fset: h.fset})
		}
	}
	slices.SortStableFunc(p.types, func(a, b *typeHome) int { return int(a.spec.Pos() - b.spec.Pos()) })
	for l := range p.again {
		if !made[l] {
			p.funcs = append(p.funcs, l.newest.again())
		}
	}
	slices.SortStableFunc(p.funcs, func(a, b *function) int { return int(a.decl.Pos() - b.decl.Pos()) })
	return p.types, p.funcs
}

// again is a function of an earlier cell to be made anew.
func (f *function) again() *function {
	g := *f
	g.deps, g.calls = map[*line]bool{}, map[*types.Func]bool{}
	g.older = f.forms()
	g.home = home{}
	return &g
}

// newFunction is a function of the part; nil if it says again what it said before and nothing must be done.
func (e *emitter) newFunction(d *ast.FuncDecl) *function {
	obj, ok := e.part.Info.Defs[d.Name].(*types.Func)
	plain := false
	if m := e.part.Methods[d]; m != nil {
		obj, ok, plain = m, true, true
	}
	if !ok || d.Name.Name == "_" {
		return nil
	}
	f := &function{
		obj: obj, decl: d, plain: plain, info: e.part.Info, fset: e.part.Fset,
		deps: map[*line]bool{}, calls: map[*types.Func]bool{},
	}
	if plain && f.generic() {
		f.decl = asMethod(d)
	}
	f.text = f.declText()
	old := e.s.function(obj)
	if old == nil {
		old = e.s.function(e.part.Replaces[obj])
	}
	if old == nil {
		f.line = &line{}
		return f
	}
	if f.line = old.line; old.text == f.text && e.sameMeaning(old, f) {
		engine.Set(&e.s.Undo, e.s.funcs, obj, f.line)
		return nil
	}
	f.older = old.forms()
	return f
}

// generic reports whether f is a method of a generic type, or has type parameters of its own.
func (f *function) generic() bool {
	sig := f.obj.Signature()
	return sig.RecvTypeParams() != nil || sig.Recv() != nil && sig.TypeParams() != nil
}

// asMethod is the declaration of a generic method that comes as a function, with the receiver as first parameter,
// without which Go has no way to say it.
func asMethod(d *ast.FuncDecl) *ast.FuncDecl {
	params := *d.Type.Params
	recv := &ast.FieldList{Opening: params.Opening, List: params.List[:1], Closing: params.Opening}
	params.List = params.List[1:]
	return &ast.FuncDecl{Doc: d.Doc, Recv: recv, Name: d.Name, Type: &ast.FuncType{Func: d.Type.Func, Params: &params, Results: d.Type.Results}, Body: d.Body}
}

// declText is a function's declaration in a normal form.
func (f *function) declText() string {
	bare := *f.decl
	bare.Doc = nil
	if f.generic() {
		bare.Name = &ast.Ident{Name: f.obj.Name()}
	}
	var b bytes.Buffer
	printer.Fprint(&b, token.NewFileSet(), &bare)
	return f.directives() + b.String()
}

// directives are the lines for the compiler above a function: those that are in order in a cell.
func (f *function) directives() (lines string) {
	if f.decl.Doc == nil {
		return ""
	}
	for _, c := range f.decl.Doc.List {
		switch name := strings.TrimSpace(c.Text); name {
		case "//go:noinline", "//go:uintptrescapes":
			lines += "\n" + name
		}
	}
	return lines
}

// sameMeaning reports whether the names in two declarations of equal text mean the same.
func (e *emitter) sameMeaning(a, b *function) bool {
	am, bm := e.meanings(a), e.meanings(b)
	return slices.Equal(am, bm)
}

// meanings lists what the identifiers of a declaration that are not its own mean, in order.
func (e *emitter) meanings(f *function) []any {
	var out []any
	ast.Inspect(f.decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := f.info.Uses[id].(type) {
		case nil:
		case *types.PkgName:
			out = append(out, obj.Imported())
		case *types.Var:
			if h := e.s.vars[obj]; h != nil {
				out = append(out, h)
			} else if isGlobal(obj) && e.inSession(obj) && obj.Name() != "ctx" {
				out = append(out, obj)
			}
		case *types.Func:
			if g := e.s.function(obj); g != nil {
				out = append(out, g)
			} else {
				out = append(out, obj)
			}
		case *types.Const:
			if isGlobal(obj) {
				out = append(out, obj.Val().ExactString()+" "+obj.Type().String())
			}
		case *types.TypeName:
			if isGlobal(obj) && e.inSession(obj) {
				out = append(out, obj)
			}
		}
		return true
	})
	return out
}

// receiver is the named type that a method belongs to, nil for a function.
func receiver(f *types.Func) *types.Named {
	r := f.Signature().Recv()
	if r == nil {
		return nil
	}
	t := types.Unalias(r.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	if n != nil {
		n = n.Origin()
	}
	return n
}

// closure adds the types and functions of earlier cells that were made with changed ones.
func (e *emitter) closure(changed map[*types.TypeName]bool, again map[*line]bool) {
	var todo []any
	for obj := range changed {
		todo = append(todo, obj)
	}
	for l := range again {
		todo = append(todo, l)
	}
	for len(todo) > 0 {
		used := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for user := range e.s.users[used] {
			switch user := user.(type) {
			case *types.TypeName:
				if !changed[user] && e.s.types[user].madeWith(e.s, used) {
					changed[user] = true
					todo = append(todo, user)
				}
			case *line:
				if !again[user] && user.newest.madeWith(e.s, used) {
					again[user] = true
					todo = append(todo, user)
				}
			}
		}
	}
}

// madeWith reports whether the newest form of a type, if there is one, mentions another type of the session.
func (t *typeHome) madeWith(s *Session, used any) bool {
	obj, ok := used.(*types.TypeName)
	return ok && t != nil && s.types[obj] != nil && t.uses[obj] != nil
}

// madeWith reports whether the newest form of a function, if there is one, mentions a type or function of the session, or is a method
// of that type.
func (f *function) madeWith(s *Session, used any) bool {
	if f == nil {
		return false
	}
	switch used := used.(type) {
	case *types.TypeName:
		t := receiver(f.obj)
		return t != nil && t.Obj() == used || s.types[used] != nil && f.uses[used] != nil
	case *line:
		return f.deps[used]
	}
	return false
}

// uses notes that a type or function mentions another one. What it does not mention in a later form, or never does because
// its cell is taken back, stays noted: who follows users asks their newest forms.
func (s *Session) uses(user, used any) {
	if s.users[used] == nil {
		s.users[used] = map[any]bool{}
	}
	s.users[used][user] = true
}

// placeType gives a type its home.
func (e *emitter) placeType(t *typeHome) {
	name := t.obj.Name()
	if types.Universe.Lookup(name) != nil {
		e.names[name] = true
	}
	t.home = home{pkg: e.pkg, name: e.free(name, e.names)}
	t.methods = map[*types.Func]bool{}
	if n, ok := t.obj.Type().(*types.Named); ok {
		for m := range n.Methods() {
			t.methods[m] = true
		}
	}
	if st, ok := t.info.TypeOf(t.spec.Type).(*types.Struct); ok {
		engine.Set(&e.s.Undo, e.s.owners, st, e.pkg)
	}
	engine.Set(&e.s.Undo, e.s.types, t.obj, t)
	e.declare = true
}

// placeFunc gives a function its home.
func (e *emitter) placeFunc(f *function) {
	name := f.obj.Name()
	if t := receiver(f.obj); t != nil {
		name = t.Obj().Name() + mark + name
	}
	f.home = home{pkg: e.pkg, name: e.free(name+mark, e.names)}
	f.name = strings.TrimSuffix(f.home.name, mark)
	engine.Set(&e.s.Undo, e.s.funcs, f.obj, f.line)
	before := f.line.newest
	e.s.Note(func() { f.line.newest = before })
	f.line.newest = f
}

// typeDecl writes a type.
func (e *emitter) typeDecl(t *typeHome) {
	e.info, e.fset, e.fn = t.info, t.fset, nil
	pos := t.spec.Pos()
	n := t.obj.Type().(*types.Named)
	defer e.within(t.obj, listed(n.TypeParams()))()
	params, text := "", ""
	e.collect(func() string {
		params = e.typeParams(listed(n.TypeParams()), pos)
		if st, ok := t.info.TypeOf(t.spec.Type).(*types.Struct); ok {
			text = e.structText(st, pos)
		} else {
			text = e.typ(t.info.TypeOf(t.spec.Type), pos)
		}
		for m := range n.Methods() {
			if n.TypeParams().Len() == 0 {
				e.signature(m.Signature(), pos)
			}
		}
		return ""
	}, &t.uses)
	delete(t.uses, t.obj)
	for used := range t.uses {
		e.s.uses(t.obj, used)
	}
	e.decl("type %s%s %s\n", t.name, params, text)
	e.decl("type T%s%s%s = %s%s\n", mark, t.name, params, t.name, args(n.TypeParams()))
}

// args are type parameters as arguments.
func args(params *types.TypeParamList) string {
	if params.Len() == 0 {
		return ""
	}
	return "[" + strings.Join(paramNames(listed(params)), ", ") + "]"
}

func paramNames(params []*types.TypeParam) (names []string) {
	for _, p := range params {
		names = append(names, paramName(p))
	}
	return names
}

// funcDecl writes a function or method.
func (e *emitter) funcDecl(f *function) {
	e.info, e.fset, e.fn, e.root = f.info, f.fset, f, f.decl
	sig, declared := f.obj.Signature(), f.obj.Signature()
	if f.plain { // the names of its type parameters are its own
		declared = f.info.Defs[f.decl.Name].(*types.Func).Signature()
	}
	leave := e.within(f.node(), typeParams(declared))
	e.generic = e.generic || f.generic() || sig.TypeParams() != nil
	var text string
	e.collect(func() string {
		switch {
		case sig.Recv() == nil:
			text = "func F" + mark + f.name + e.typeParams(listed(sig.TypeParams()), f.decl.Pos()) + e.params(f.decl.Type, sig)
		case f.plain && !f.generic():
			text = "func F" + mark + f.name + e.params(f.decl.Type, declared)
		case e.forwards():
			text = e.plainMethod(f, declared)
		default:
			text = e.naturalMethod(f)
		}
		e.local = true
		text += " { " + e.entered(f.decl.Body, "\x00") + "}\n"
		return ""
	}, &f.uses)
	leave()
	e.local = false
	start := e.lineDirective(f.decl.Body.Lbrace)
	e.decls = append(e.decls, f.directives()+start, text)
	e.declare = true
	if e.forwards() {
		var more map[*types.TypeName]*typeHome
		leave := e.within(f.node(), typeParams(sig))
		e.collect(func() string { e.forwarders(f); return "" }, &more)
		leave()
		maps.Copy(f.uses, more)
	}
	for used := range f.uses {
		e.s.uses(f.line, used)
	}
	for used := range f.deps {
		e.s.uses(f.line, used)
	}
	if t := receiver(f.obj); t != nil {
		e.s.uses(f.line, t.Obj())
	}
	e.fn, e.root = nil, nil
}

// checks puts checks at the entries of the functions that may run without end: those that call what may call them again.
func (e *emitter) checks(funcs []*function) {
	for i, d := range e.decls {
		if strings.Contains(d, "\x00") {
			e.decls[i] = strings.Replace(d, "\x00", "\x01", 1)
		}
	}
	again := recursive(funcs, func(f *function, each func(*function)) {
		for obj := range f.calls {
			if g := e.s.function(obj); g != nil {
				each(g)
			}
		}
	})
	byText := 0
	for _, f := range funcs {
		for !strings.Contains(e.decls[byText], "\x01") {
			byText++
		}
		check := ""
		if f.dynamic || again[f] {
			check = e.check()
		}
		e.decls[byText] = strings.Replace(e.decls[byText], "\x01", check, 1)
	}
}

// plainMethod is the head of a method as a function with the receiver as first parameter. declared is its signature as the
// declaration has it.
func (e *emitter) plainMethod(f *function, declared *types.Signature) string {
	d := f.decl
	recv, of := "_", declared.Recv()
	if of == nil { // a plain function, which the receiver is a parameter of
		vars := slices.Collect(declared.Params().Variables())
		of = vars[0]
		declared = types.NewSignatureType(nil, nil, nil, types.NewTuple(vars[1:]...), declared.Results(), declared.Variadic())
	}
	if names := d.Recv.List[0].Names; len(names) > 0 {
		recv = names[0].Name
	}
	head := "func F" + mark + f.name + e.typeParams(e.typeArgs, d.Pos())
	params := e.params(namedParams(d.Type), declared)
	return head + "(" + recv + " " + e.typ(of.Type(), d.Pos()) + ", " + strings.TrimPrefix(params, "(")
}

// namedParams is a function's type with a name for each parameter, because there are names for all or none.
func namedParams(t *ast.FuncType) *ast.FuncType {
	out := *t
	list := *t.Params
	list.List = nil
	for _, f := range t.Params.List {
		g := *f
		if len(g.Names) == 0 {
			g.Names = []*ast.Ident{{Name: "_", NamePos: f.Pos()}}
		}
		list.List = append(list.List, &g)
	}
	out.Params = &list
	return &out
}

// naturalMethod is the head of a method as Go has it.
func (e *emitter) naturalMethod(f *function) string {
	sig, d := f.obj.Signature(), f.decl
	recv := "_"
	if names := d.Recv.List[0].Names; len(names) > 0 {
		recv = names[0].Name
	}
	star, named := "", receiver(f.obj)
	if _, ok := types.Unalias(sig.Recv().Type()).(*types.Pointer); ok {
		star = "*"
	}
	return "func (" + recv + " " + star + e.s.types[named.Obj()].name + args(sig.RecvTypeParams()) + ") " +
		e.methodOf(f.obj) + e.typeParams(listed(sig.TypeParams()), d.Pos()) + e.params(d.Type, sig)
}

// listed are the elements of a list of type parameters, which may be nil.
func listed(params *types.TypeParamList) []*types.TypeParam {
	return slices.Collect(params.TypeParams())
}

// forwarders writes what reaches the later forms of a function: for a function H, which values of it are; for a method
// the method itself.
func (e *emitter) forwarders(f *function) {
	sig, pos := f.obj.Signature(), f.decl.Pos()
	kinds, results := e.kinds(sig, pos)
	var params, names []string
	for i, t := range kinds {
		n := fmt.Sprintf("a%d", i)
		params = append(params, n+" "+t)
		if sig.Variadic() && i == len(kinds)-1 {
			n += "..."
		}
		names = append(names, n)
	}
	given := "(" + strings.Join(names, ", ") + ")"
	give, end := "return ", ""
	if results == "" {
		give, end = "", "; return"
	}
	kind := fmt.Sprintf("func(%s)%s", strings.Join(kinds, ", "), results)
	code := fmt.Sprintf("%sF%s%s", give, mark, f.name)
	var body string
	if of := typeParams(sig); of != nil {
		list, w := strings.Join(paramNames(of), ", "), e.laterForms(f)
		body = fmt.Sprintf(" { if %s != nil { if h := %[1]s.Form((*func(%s))(nil)); h != nil { %s(*(*%s)(%s.Pointer(&h)))%s%s } }; %s[%s]%s }\n",
			w, list, give, kind, e.lib("unsafe", "unsafe"), given, end, code, list, given)
	} else {
		body = fmt.Sprintf(" { if h := %s; h != nil { %sh%s%s }; %s%s }\n", e.later(f, kind), give, given, end, code, given)
	}
	t, own := receiver(f.obj), e.typeParams(listed(sig.TypeParams()), pos)
	if t == nil {
		e.decl("func H%s%s%s(%s)%s%s", mark, f.name, own, strings.Join(params, ", "), results, body)
	} else if h := e.s.types[t.Obj()]; h.pkg == e.pkg {
		star := ""
		if _, ok := types.Unalias(sig.Recv().Type()).(*types.Pointer); ok {
			star = "*"
		}
		e.decl("func (a0 %s%s%s) %s%s(%s)%s%s", star, h.name, args(sig.RecvTypeParams()), e.methodOf(f.obj), own, strings.Join(params[1:], ", "), results, body)
	}
}

// kinds are the types of a function's parameters, with that of a method's receiver first, and of its results.
func (e *emitter) kinds(sig *types.Signature, pos token.Pos) (kinds []string, results string) {
	if sig.Recv() != nil {
		kinds = append(kinds, e.typ(sig.Recv().Type(), pos))
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			kinds = append(kinds, e.variadic(t, pos))
		} else {
			kinds = append(kinds, e.typ(t, pos))
		}
	}
	if sig.Results().Len() > 0 {
		results = " " + e.typ(sig.Results(), pos)
	}
	return kinds, results
}
