package compiled

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A generic function has no one variable that leads to its later form: each instance has a form of its own, of another type. So its W
// is a table from type arguments to forms, and a package that has a later form fills it for all instances that exist. Those are
// found from what the session's code mentions: a mention by what is not generic is an instance, and one by a generic function or type
// becomes an instance with each of the mentioner's.

// A mention is one of a generic function or type, by its type or line, with type arguments.
type mention struct {
	of     any
	args   []types.Type
	params []*types.TypeParam            // those in args
	forms  map[*types.TypeName]*typeHome // of the types of the session in args
}

// An instance is one of a generic function or type.
type instance struct {
	args  []types.Type
	forms map[*types.TypeName]*typeHome
}

// mostInstances is how many instances of all generic functions and types are followed. Functions of several cells may lead from one to
// another without end, which a program's cannot.
const mostInstances = 2000

// within has what is written until leave is called be a part of a generic declaration, if of is not nil.
func (e *emitter) within(of any, params []*types.TypeParam) (leave func()) {
	owner, before := e.mentioner, e.typeArgs
	e.mentioner, e.typeArgs = nil, params
	if len(params) > 0 {
		e.mentioner = of
	}
	return func() { e.mentioner, e.typeArgs = owner, before }
}

// node is what has the instances of a generic function: its receiver's type, or its line.
func (f *function) node() any {
	if t := receiver(f.obj); t != nil && f.obj.Signature().TypeParams() == nil {
		return t.Obj()
	}
	return f.line
}

// typeParams are those of a function, a method's receiver's first.
func typeParams(sig *types.Signature) []*types.TypeParam {
	return slices.Concat(listed(sig.RecvTypeParams()), listed(sig.TypeParams()))
}

// mention notes a mention by what is being written.
func (e *emitter) mention(of any, args []types.Type) {
	if len(args) == 0 {
		return
	}
	forms := map[*types.TypeName]*typeHome{}
	for _, a := range args {
		rewrite(a, func(t types.Type) types.Type {
			if n, ok := t.(*types.Named); ok && e.s.types[n.Obj()] != nil {
				forms[n.Obj()] = e.s.types[n.Obj()]
			}
			return nil
		})
	}
	m := mention{of: of, args: args, params: e.typeArgs, forms: forms}
	key := fmt.Sprintf("%p %p %s", e.mentioner, of, instance{args, forms}.key())
	if len(m.params) > 0 {
		key += fmt.Sprintf(" %p", m.params[0])
	}
	if e.s.mentioned[key] {
		return
	}
	owner, before := e.mentioner, e.s.mentions[e.mentioner]
	e.s.Note(func() { delete(e.s.mentioned, key); e.s.mentions[owner] = before })
	e.s.mentioned[key] = true
	e.s.mentions[owner] = append(slices.Clip(before), m)
}

// mentionFunction notes the mention of a function that an identifier is, if that is generic.
func (e *emitter) mentionFunction(id *ast.Ident, f *function) {
	e.mention(f.line, slices.Collect(e.info.Instances[id].TypeArgs.Types()))
}

// methodInstance notes the mention of a method that a selector is and returns its type arguments, its receiver's first.
func (e *emitter) methodInstance(x *ast.SelectorExpr, sel *types.Selection, m *function) []types.Type {
	t := types.Unalias(sel.Obj().(*types.Func).Signature().Recv().Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	own := slices.Collect(e.info.Instances[x.Sel].TypeArgs.Types())
	args := own
	if n, ok := t.(*types.Named); ok {
		args = slices.Concat(slices.Collect(n.TypeArgs().Types()), own)
	}
	if len(own) > 0 {
		e.mention(m.line, args)
	}
	return args
}

// key is a text that other instances do not have.
func (in instance) key() string {
	var b strings.Builder
	for _, a := range in.args {
		b.WriteString(types.TypeString(a, func(p *types.Package) string { return p.Path() }))
		b.WriteByte(',')
	}
	var forms []string
	for obj, h := range in.forms {
		forms = append(forms, fmt.Sprintf("%p=%p", obj, h))
	}
	slices.Sort(forms)
	return b.String() + strings.Join(forms, " ")
}

// instances are those of a generic function or type that the session's code may have made.
func (e *emitter) instances(of any) []instance {
	if e.found != nil {
		return e.found[of]
	}
	type made struct {
		of any
		instance
	}
	e.found = map[any][]instance{}
	seen := map[string]bool{}
	var todo []made
	take := func(of any, in instance) {
		if key := fmt.Sprintf("%p %s", of, in.key()); !seen[key] && len(seen) < mostInstances {
			seen[key] = true
			e.found[of] = append(e.found[of], in)
			todo = append(todo, made{of, in})
		}
	}
	for _, m := range e.s.mentions[nil] {
		take(m.of, instance{m.args, m.forms})
	}
	for len(todo) > 0 {
		by := todo[0]
		todo = todo[1:]
		for _, m := range e.s.mentions[by.of] {
			if in, ok := m.with(by.instance); ok {
				take(m.of, in)
			}
		}
	}
	return e.found[of]
}

// with is the instance that a mention becomes in an instance of the mentioner, if its arguments are of the mentioner's parameters.
func (m mention) with(by instance) (in instance, ok bool) {
	in.forms, ok = maps.Clone(by.forms), true
	maps.Copy(in.forms, m.forms)
	for _, a := range m.args {
		in.args = append(in.args, rewrite(a, func(t types.Type) types.Type {
			if p, isParam := t.(*types.TypeParam); isParam {
				if i := slices.Index(m.params, p); i >= 0 && i < len(by.args) {
					return by.args[i]
				}
				ok = false
			}
			return nil
		}))
	}
	return in, ok
}

// laterForms is the table that holds the newest form of a generic function's instances. The first form of a layout declares it, as with
// [emitter.later]; later ones fill it, and say so if an instance cannot be in it: one of a type that a function declares, or a library
// does not export.
func (e *emitter) laterForms(f *function) string {
	i := slices.IndexFunc(f.older, func(o older) bool { return types.Identical(o.obj.Signature(), f.obj.Signature()) })
	if i < 0 {
		f.layout = fmt.Sprintf("%p", f.obj)
		w := "W" + mark + f.name
		e.decl("\n//line /w:1\nvar %s %s.Forms\n", w, e.cell())
		e.entries = append(e.entries, w+" = nil\n")
		return w
	}
	o := f.older[i]
	f.layout = o.layout
	w := e.ref(&o.home, "W"+mark+o.name)
	pairs, kept := "", false
	for _, in := range e.instances(f.node()) {
		if slices.ContainsFunc(in.args, func(t types.Type) bool { return e.hasLocal(t, map[types.Type]bool{}) }) || !e.nameableAll(in.args) {
			kept = true
			continue
		}
		older := e.inForms(in.forms, func() string { return e.typeList(in.args, f.decl.Pos()) })
		pairs += fmt.Sprintf("(*func(%s))(nil), F%s%s[%s],\n", older, mark, f.name, e.typeList(in.args, f.decl.Pos()))
	}
	if kept && f.info == e.part.Info {
		e.notes = append(e.notes, fmt.Sprintf("closures, function values and interfaces made before that use %s with a type declared inside a function, or not exported by a library, keep the earlier %[1]s; make them again", f.obj.Name()))
	}
	e.decl("\n//line /w:1\n")
	e.entries = append(e.entries, fmt.Sprintf("%s = %s.NewForms(\n%s)\n", w, e.cell(), pairs))
	return w
}

// inForms is the text that f writes with types in forms that they had.
func (e *emitter) inForms(forms map[*types.TypeName]*typeHome, f func() string) string {
	now := map[*types.TypeName]*typeHome{}
	for obj := range forms {
		now[obj] = e.s.types[obj]
	}
	defer maps.Copy(e.s.types, now)
	maps.Copy(e.s.types, forms)
	return f()
}

// typeList is the text of several types.
func (e *emitter) typeList(list []types.Type, pos token.Pos) string {
	var texts []string
	for _, t := range list {
		texts = append(texts, e.typ(t, pos))
	}
	return strings.Join(texts, ", ")
}

// typeArguments is the text of a list of type arguments, which may be empty.
func (e *emitter) typeArguments(list []types.Type, pos token.Pos) string {
	if len(list) == 0 {
		return ""
	}
	return "[" + e.typeList(list, pos) + "]"
}

func (e *emitter) nameableAll(list []types.Type) bool {
	return !slices.ContainsFunc(list, func(t types.Type) bool { return !e.nameable(t, map[types.Type]bool{}) })
}
