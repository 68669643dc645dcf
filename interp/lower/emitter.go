package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/engine"
)

// An emitter writes the text of one unit.
type emitter struct {
	s        *Session
	part     *engine.Part
	imports  []string
	decls    strings.Builder // package-level declarations
	start    strings.Builder // statements at the start of the entry: method tables, forwarding
	early    strings.Builder // before these: variables of modules
	inits    []string        // after these: functions that initialise packages of modules
	calls    bool            // what is being emitted is a cell's own text
	queue    []func()        // bodies still to emit
	changed  []*typeInfo     // descriptors to send
	refusals engine.Refusals
	entry    string
	show     bool
	dispatch []*dispatcher // used in this unit
	notes    []string
	at       token.Pos // what is being emitted, for refusals without a position of their own
}

// guard calls f and collects the refusal with which it may end.
func (e *emitter) guard(f func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case engine.Refusal:
			e.refusals = append(e.refusals, r)
		default:
			panic(r)
		}
	}()
	f()
}

func (e *emitter) refuse(pos token.Pos, format string, args ...any) {
	panic(engine.Refusal{Pos: pos, Msg: fmt.Sprintf(format, args...) + byCompiled})
}

func (e *emitter) run() {
	p := e.part
	for v, old := range p.Keeps {
		if n, ok := e.s.vars[old]; ok {
			engine.Set(&e.s.Undo, e.s.vars, v, n)
		}
	}
	if p.Import != nil {
		e.guard(func() { e.initialise(p.Import) })
	}
	for _, d := range p.Funcs {
		e.declareFunc(d)
	}
	for _, d := range p.Funcs {
		e.guard(func() { e.emitDeclared(d) })
	}
	e.calls = true
	e.guard(e.entryBody)
	e.calls = false
	e.drain()
	if len(e.refusals) == 0 {
		e.guard(func() { e.refreshTables(); e.drain() })
	}
	e.finishDispatchers()
	e.drain()
}

// drain emits what is queued until nothing is left.
func (e *emitter) drain() {
	for len(e.queue) > 0 {
		f := e.queue[0]
		e.queue = e.queue[1:]
		e.guard(f)
	}
}

func (e *emitter) later(f func()) { e.queue = append(e.queue, f) }

func (e *emitter) decl(format string, args ...any) { fmt.Fprintf(&e.decls, format, args...) }

// imp returns the alias of a compiled package, and imports it when it is new in the session.
func (e *emitter) imp(path string) string {
	s := e.s
	if a := s.imports[path]; a != "" {
		return a
	}
	base, prefix := path, "p_"
	if rest, ok := strings.CutPrefix(path, "wrap/"); ok {
		base, prefix = rest, "w_"
	}
	if i := strings.LastIndexByte(base, '/'); i >= 0 {
		base = base[i+1:]
	}
	base = strings.Map(func(r rune) rune {
		if r == '.' || r == '-' {
			return '_'
		}
		return r
	}, base)
	alias := s.fresh(prefix + base)
	engine.Set(&s.Undo, s.imports, path, alias)
	e.imports = append(e.imports, path)
	return alias
}

// declareFunc makes a function of the part known, so that calls of it can be emitted before its body.
func (e *emitter) declareFunc(d *ast.FuncDecl) {
	obj := e.funcObj(d)
	if obj == nil {
		return
	}
	engine.Set(&e.s.Undo, e.s.decls, obj, &declared{
		decl: d, info: e.part.Info, fset: e.part.Fset, pkg: e.part.Pkg, cell: e.cellOf(d), program: e.part.Program,
	})
	if sig := obj.Signature(); sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		e.replaceInstances(obj)
		return
	}
	if e.part.Methods[d] != nil || obj.Signature().Recv() != nil {
		// A new body for a known method gets a new name; the old one forwards to it.
		if old, ok := e.s.funcs[e.funcKey(obj, nil)]; ok && e.s.forward[old] {
			name := e.s.fresh(e.funcBase(obj))
			engine.Set(&e.s.Undo, e.s.funcs, e.funcKey(obj, nil), name)
			e.start.WriteString(fmt.Sprintf("r_%s = %s\nm_%s = true\n", old, name, old))
			return
		}
	}
	if old := e.part.Replaces[obj]; old != nil {
		if name, ok := e.s.funcs[e.funcKey(old, nil)]; ok && e.s.forward[name] {
			e.start.WriteString(fmt.Sprintf("r_%s = %s\nm_%s = true\n", name, e.funcName(obj, nil), name))
		}
	}
}

// replaceInstances emits the instances of an earlier generic function again with the new body, and has the old ones go on
// to them.
func (e *emitter) replaceInstances(obj *types.Func) {
	old := obj
	if f := e.part.Replaces[obj]; f != nil {
		old = f
		engine.Set(&e.s.Undo, e.s.newer, old, obj)
	}
	before := e.s.instances[old]
	if old == obj {
		engine.Set(&e.s.Undo, e.s.instances, obj, nil)
	}
	for _, in := range before {
		if !e.s.forward[in.name] {
			continue
		}
		if old == obj {
			engine.Unset(&e.s.Undo, e.s.funcs, e.funcKey(obj, in.targs))
		}
		fmt.Fprintf(&e.start, "r_%s = %s\nm_%s = true\n", in.name, e.funcName(obj, in.targs), in.name)
	}
}

// forwardable gives a function the flag by which a later one takes over its callers, and returns the statement that does.
func (e *emitter) forwardable(f *fn, name string, params, args []string) string {
	var ts []string
	for _, p := range params {
		_, t, _ := strings.Cut(p, " ")
		ts = append(ts, t)
	}
	e.decl("var m_%s bool\nvar r_%s func(%s)%s\n", name, name, strings.Join(ts, ", "), e.resultText(f.sig))
	call := "r_" + name + "(" + pass(f.sig, args) + ")"
	engine.Set(&e.s.Undo, e.s.forward, name, true)
	if f.sig.Results().Len() > 0 {
		return "if m_" + name + " { return " + call + " }"
	}
	return "if m_" + name + " { " + call + "; return }"
}

func (e *emitter) funcObj(d *ast.FuncDecl) *types.Func {
	if m := e.part.Methods[d]; m != nil {
		return m
	}
	obj, _ := e.part.Info.Defs[d.Name].(*types.Func)
	return obj
}

// emitDeclared emits a function of the part, unless it is generic: then its instances are emitted where they are used.
func (e *emitter) emitDeclared(d *ast.FuncDecl) {
	obj := e.funcObj(d)
	if obj == nil || d.Body == nil {
		if obj != nil {
			e.refuse(d.Pos(), "a function without a body cannot be interpreted")
		}
		return
	}
	sig := obj.Signature()
	if sig.Recv() != nil && sig.TypeParams().Len() > 0 {
		e.refuse(d.Pos(), "a method with type parameters cannot be interpreted")
	}
	if sig.Recv() != nil && streamsJSON(d.Name.Name, sig) {
		e.refuse(d.Pos(), "the method %s, which encoding/json would not call, cannot be interpreted", d.Name.Name)
	}
	if sig.TypeParams().Len() > 0 || sig.RecvTypeParams().Len() > 0 {
		return
	}
	if d.Name.Name == "_" {
		return
	}
	e.emitFunc(obj, e.s.decls[obj], nil, e.funcName(obj, nil))
}

// streamsJSON reports whether a method is one by which Go 1.27's encoding/json writes or reads a value.
func streamsJSON(name string, m *types.Signature) bool {
	if m.Params().Len() != 1 {
		return false
	}
	param := types.TypeString(m.Params().At(0).Type(), nil)
	return name == "MarshalJSONTo" && param == "*encoding/json/jsontext.Encoder" || name == "UnmarshalJSONFrom" && param == "*encoding/json/jsontext.Decoder"
}

// unit puts the text together.
func (e *emitter) unit() *engine.Unit {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, path := range e.imports {
		fmt.Fprintf(&b, "import %s %q\n", e.s.imports[path], path)
	}
	b.WriteString(e.decls.String())
	if e.entry != "" {
		fmt.Fprintf(&b, "func s_%s() {\n%s%s", e.entry, e.early.String(), e.start.String())
		for _, name := range e.inits {
			b.WriteString(name + "()\n")
		}
		b.WriteString("}\n")
	}
	u := &engine.Unit{}
	u.Text = b.String()
	u.Imports = e.imports
	u.Entry = e.entry
	u.Show = e.show
	u.Notes = e.notes
	slices.SortFunc(e.changed, func(a, b *typeInfo) int { return a.id - b.id })
	for _, ti := range e.changed {
		u.Types = append(u.Types, ti.wire)
	}
	return u
}

// cellOf is the number of the cell that a declaration is from: methods of earlier cells come along with a type that is
// declared again.
func (e *emitter) cellOf(d *ast.FuncDecl) int {
	name, ok := strings.CutPrefix(e.part.Fset.Position(d.Pos()).Filename, "c")
	if n, err := strconv.Atoi(name); ok && err == nil {
		return n
	}
	return e.part.Cell
}
