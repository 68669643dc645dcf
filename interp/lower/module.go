package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/engine"
	"gaucho/interp/modules"
)

// Packages of modules are run from their source. Their functions are emitted as those of cells are, each when something
// that is emitted calls it, so that a large package costs what is used of it. A function that cannot be made right is
// refused where a cell calls it; where only other functions of modules do, its text is a panic with the refusal.

// A modulePkg is a package that was read from its module's source.
type modulePkg struct {
	*modules.Package
	funcs map[*types.Func]*declared
	lazy  map[*types.Var]*types.Initializer // those whose values do not depend on when they are made
}

// module returns the package as it was read from source, nil for packages of cells and compiled ones.
func (s *Session) module(pkg *types.Package) *modulePkg {
	if pkg == nil || isCell(pkg) {
		return nil
	}
	m, known := s.modules[pkg]
	if !known {
		if p := s.lib.Module(pkg.Path()); p != nil && p.Types == pkg {
			m = newModulePkg(p)
		}
		s.modules[pkg] = m
	}
	return m
}

func newModulePkg(p *modules.Package) *modulePkg {
	m := &modulePkg{Package: p, funcs: map[*types.Func]*declared{}, lazy: lazyInits(p)}
	for i, f := range p.Files {
		oldLoops := version.Compare(p.Info.FileVersions[f], "go1.22") < 0
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if obj, ok := p.Info.Defs[fd.Name].(*types.Func); ok {
				m.funcs[obj] = &declared{
					decl: fd, info: p.Info, fset: p.Fset, pkg: p.Types, cell: p.First + i, module: true, oldLoops: oldLoops,
				}
			}
		}
	}
	return m
}

// interpreted reports whether the functions of a package are run from source that is at hand: a cell's or a module's.
func (s *Session) interpreted(pkg *types.Package) bool { return isCell(pkg) || s.module(pkg) != nil }

// bodyOf is the body of a function of cells or of a module, nil for others.
func (s *Session) bodyOf(f *types.Func) *declared {
	if d := s.decls[f]; d != nil {
		return d
	}
	if m := s.module(f.Pkg()); m != nil {
		return m.funcs[f]
	}
	return nil
}

// attempt calls emit. When that ends in a refusal, all that it has emitted is taken back.
func (e *emitter) attempt(emit func()) (refused *engine.Refusal) {
	mark := e.s.Snapshot()
	sizes := []int{e.decls.Len(), e.start.Len(), e.early.Len()}
	imports, queue, changed, dispatch, refusals := len(e.imports), len(e.queue), len(e.changed), len(e.dispatch), len(e.refusals)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case engine.Refusal:
			e.s.Rollback(mark)
			for i, b := range []*strings.Builder{&e.decls, &e.start, &e.early} {
				text := b.String()[:sizes[i]]
				b.Reset()
				b.WriteString(text)
			}
			e.imports, e.queue, e.changed, e.dispatch = e.imports[:imports], e.queue[:queue], e.changed[:changed], e.dispatch[:dispatch]
			e.refusals = e.refusals[:refusals]
			refused = &r
		default:
			panic(r)
		}
	}()
	emit()
	return nil
}

// reason is what a refusal in a module's source says, with its place.
func (e *emitter) reason(r *engine.Refusal, d *declared) string {
	why := strings.TrimSuffix(strings.TrimSuffix(r.Msg, byCompiled), " cannot be interpreted")
	if at := d.fset.Position(r.Pos); at.IsValid() {
		why += fmt.Sprintf(", at %s:%d", filepath.Base(at.Filename), at.Line)
	}
	return why
}

// byCompiled ends all refusals.
const byCompiled = " (the native engine runs it)"

// emitModuleFunc emits a function of a module. called says that a cell names it itself, at position at.
func (e *emitter) emitModuleFunc(obj *types.Func, d *declared, v *env, name string, called bool, at token.Pos) {
	refused := e.attempt(func() {
		if d.decl.Body == nil {
			e.refuse(d.decl.Pos(), "a function without a body")
		}
		e.emitFunc(obj, d, v, name)
	})
	if refused == nil {
		return
	}
	why := e.reason(refused, d)
	if !called {
		refused = e.attempt(func() { e.emitRefusal(obj, d, v, name, why) })
		if refused == nil {
			return
		}
	}
	panic(engine.Refusal{Pos: at, Msg: obj.FullName() + " cannot be interpreted: " + why + byCompiled})
}

// stmtOrRefusal emits a statement of a module's function that is not always reached. Where it is refused, it becomes a
// panic that says so, nothing after it in its block is reached, and the result is false.
func (f *fn) stmtOrRefusal(s ast.Stmt) bool {
	size := f.b.Len()
	refused := f.e.attempt(func() { f.stmt(s) })
	if refused == nil {
		return true
	}
	text := f.b.String()[:size]
	f.b.Reset()
	f.b.WriteString(text)
	f.lineDirective(s.Pos())
	f.printf("rt.Refuse(%q, %q)\npanic(nil)", f.d.name(), f.e.reason(refused, f.d))
	return false
}

// name is the function's whole name.
func (d *declared) name() string {
	if obj, ok := d.info.Defs[d.decl.Name].(*types.Func); ok {
		return obj.FullName()
	}
	return d.pkg.Path()
}

// hasLabel reports whether one of the statements has a label.
func hasLabel(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		_, labelled := s.(*ast.LabeledStmt)
		return labelled
	})
}

// emitRefusal emits a function that panics with the reason for which it cannot be interpreted.
func (e *emitter) emitRefusal(obj *types.Func, d *declared, v *env, name, why string) {
	f := e.newFn(d, v)
	f.lineDirective(d.decl.Pos())
	sig := obj.Signature()
	closed := f.closed(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())).(*types.Signature)
	text := e.sigText(closed, repeat("_", closed.Params().Len()))
	if sig.Recv() != nil {
		text = "(_ " + e.typ(f.closed(sig.Recv().Type())) + strings.Replace(", "+text[1:], ", )", ")", 1)
	}
	e.decl("%sfunc %s%s {\nrt.Refuse(%q, %q)\npanic(nil)\n}\n", f.b, name, text, obj.FullName(), why)
}

func repeat(s string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = s
	}
	return list
}

// initialise has the unit initialise packages of modules that are not initialised yet, each after those that it imports.
func (e *emitter) initialise(p *modules.Package) {
	m := e.s.module(p.Types)
	if m == nil || e.s.ready[p.Types] {
		return
	}
	engine.Set(&e.s.Undo, e.s.ready, p.Types, true)
	for _, dep := range p.Imports {
		e.initialise(dep)
	}
	d := &declared{decl: &ast.FuncDecl{Name: &ast.Ident{}, Body: &ast.BlockStmt{}}, info: p.Info, fset: p.Fset, pkg: p.Types, module: true}
	f := e.newFn(d, nil)
	f.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
	for _, in := range p.Info.InitOrder {
		if m.lazy[in.Lhs[0]] == nil {
			e.initialiser(f, m, in)
		}
	}
	for i, file := range p.Files {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if ok && fd.Recv == nil && fd.Name.Name == "init" {
				d.cell = p.First + i
				f.lineDirective(fd.Pos())
				f.printf("%s()", e.funcName(p.Info.Defs[fd.Name].(*types.Func), nil))
			}
		}
	}
	if f.b.Len() > 0 {
		name := e.s.fresh("f_" + p.Types.Name() + "ǃinit_1")
		e.decl("func %s() {\n%s}\n", name, f.b.String())
		e.inits = append(e.inits, name)
	}
}

// initialiser emits the initialisation of variables of a module's package. Where it is refused, so is every use of them.
func (e *emitter) initialiser(f *fn, m *modulePkg, in *types.Initializer) {
	size := f.b.Len()
	refused := e.attempt(func() { f.initVars(m, in) })
	if refused == nil {
		return
	}
	text := f.b.String()[:size]
	f.b.Reset()
	f.b.WriteString(text)
	why := e.reason(refused, f.d)
	for _, v := range in.Lhs {
		engine.Set(&e.s.Undo, e.s.refused, v, why)
		if v.Name() == "_" { // it would have been initialised for what its value does
			f.printf("rt.Refuse(%q, %q)", m.Types.Path(), why)
		}
	}
}

func (f *fn) initVars(m *modulePkg, in *types.Initializer) {
	f.d.cell = m.number(in.Rhs.Pos())
	f.initialise(in)
}

// number is the number of the file that a position is in.
func (m *modulePkg) number(pos token.Pos) int {
	for i, f := range m.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return m.First + i
		}
	}
	return m.First
}

// moduleVar is the name of a variable of a module's package. One whose value can be made at any time is initialised at the
// start of the unit that first names it.
func (e *emitter) moduleVar(m *modulePkg, v *types.Var) string {
	if why, no := e.s.refused[v]; no {
		e.refuse(e.pos(), "%s.%s: %s", m.Types.Path(), v.Name(), why)
	}
	name := e.s.fresh("v_" + m.Types.Name() + "_" + v.Name())
	engine.Set(&e.s.Undo, e.s.vars, v, name)
	t := types.Unalias(v.Type())
	e.decl("var %s %s\n", name, e.typ(t))
	if files := m.Embeds[v]; files != nil {
		fmt.Fprintf(&e.early, "%s = %s\n", name, e.embedded(m, t, files))
	}
	if in := m.lazy[v]; in != nil {
		d := &declared{decl: &ast.FuncDecl{Name: &ast.Ident{}, Body: &ast.BlockStmt{}}, info: m.Info, fset: m.Fset, pkg: m.Types, module: true}
		f := e.newFn(d, nil)
		f.sig = types.NewSignatureType(nil, nil, nil, nil, nil, false)
		f.initVars(m, in)
		fmt.Fprintf(&e.early, "{\n%s}\n", f.b.String())
	}
	return name
}

// embedded is the value of a variable of type t that has files of its package embedded.
func (e *emitter) embedded(m *modulePkg, t types.Type, files []string) string {
	if e.native(t) && isNamed(t) {
		var list []string
		for _, name := range files {
			list = append(list, strconv.Quote(name))
		}
		return fmt.Sprintf("rt.EmbeddedFS(%q, %s)", m.Dir, strings.Join(list, ", "))
	}
	file := strconv.Quote(filepath.Join(m.Dir, filepath.FromSlash(path.Clean(files[0]))))
	return conv(e.typ(t)) + "(rt.Embedded(" + file + "))"
}

// Ready reports whether a package of a module is initialised.
func (s *Session) Ready(p *modules.Package) bool { return s.ready[p.Types] }
