// Package depend knows what the cells that ran used, declared and changed: which of them are stale, what declares a session
// again, and what a study's function takes to run elsewhere.
package depend

import (
	"container/list"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/engine"
)

// A Cell is a cell of a notebook that has run.
type Cell struct {
	Number     int
	NotebookID string // the front end's name for it, empty if it has none
	Source     string
	Silent     bool // it shows no result
}

// A Tracker knows which cells ran, what of the session each of them used, and what it declared and changed. It goes by
// names: "x" of package level, "P.M" for a method.
type Tracker struct {
	clock   int                // counts runs
	runs    *list.List         // the last *Run of each cell, in order
	byID    map[string]*Run    // those with a name from the front end
	byText  map[string][]*Run  // all of them, by source
	changes map[string]change  // the last one of each name
	effects map[string]effects // of functions and methods
}

// maxRuns is how many cells are remembered.
const maxRuns = 5000

// A Run is the last run of a cell.
type Run struct {
	Cell     Cell
	At       int
	inputs   map[string]bool // names of earlier cells that its statements read
	bound    map[string]bool // and those that its functions and types mention
	mentions map[string]bool // what its statements read, of its own too
	own      map[string]bool // names that it declares
	place    *list.Element   // in the tracker's list
}

// A change says when and by which cell a name got another meaning or value.
type change struct {
	at       int
	by       *Run
	declared bool   // it was declared, else assigned to
	again    bool   // not for the first time
	kept     bool   // as the same variable or function: who mentions it need not be checked again
	constant string // text of a declaration that gives the same value each time
}

// effects are what code reads and what it assigns to.
type effects struct {
	reads, writes map[string]bool
	objects       map[types.Object]bool // that it reads itself
}

func newEffects() effects {
	return effects{map[string]bool{}, map[string]bool{}, map[types.Object]bool{}}
}

// NewTracker returns the tracker of a session in which no cell has run.
func NewTracker() *Tracker {
	return &Tracker{
		runs: list.New(), byID: map[string]*Run{}, byText: map[string][]*Run{}, changes: map[string]change{}, effects: map[string]effects{},
	}
}

// Record enters a cell that has run. before are the meanings of names when it began.
func (l *Tracker) Record(c Cell, stages []*check.Checked, before map[string]*check.Entity, failed bool) {
	l.clock++
	r := &Run{Cell: c, At: l.clock, inputs: map[string]bool{}, bound: map[string]bool{}, mentions: map[string]bool{}, own: map[string]bool{}}
	writes := map[string]bool{}
	here := map[types.Object]bool{} // declared by this cell
	for _, ch := range stages {
		l.enter(r, ch, before, here, writes)
	}
	for name := range l.closure(r.mentions).writes {
		writes[name] = true
	}
	for name := range writes {
		if !r.own[name] {
			l.changes[name] = change{at: r.At, by: r, again: true, kept: true}
		}
	}
	l.forget(c)
	if !failed && (len(r.mentions) > 0 || len(r.bound) > 0 || len(r.own) > 0) {
		l.remember(r)
	}
}

// remember enters a run after all others, in place of the oldest if there are too many.
func (l *Tracker) remember(r *Run) {
	if l.runs.Len() == maxRuns {
		l.remove(l.runs.Front().Value.(*Run))
	}
	r.place = l.runs.PushBack(r)
	if r.Cell.NotebookID != "" {
		l.byID[r.Cell.NotebookID] = r
	}
	l.byText[r.Cell.Source] = append(l.byText[r.Cell.Source], r)
}

// forget takes out the runs of the same cell of the notebook: by the front end's name for it, or else by the text.
func (l *Tracker) forget(c Cell) {
	if old := l.byID[c.NotebookID]; old != nil {
		l.remove(old)
	}
	for _, old := range slices.Clone(l.byText[c.Source]) {
		if c.NotebookID == "" || old.Cell.NotebookID == "" {
			l.remove(old)
		}
	}
}

func (l *Tracker) remove(r *Run) {
	l.runs.Remove(r.place)
	if l.byID[r.Cell.NotebookID] == r {
		delete(l.byID, r.Cell.NotebookID)
	}
	rest := slices.DeleteFunc(l.byText[r.Cell.Source], func(old *Run) bool { return old == r })
	if l.byText[r.Cell.Source] = rest; len(rest) == 0 {
		delete(l.byText, r.Cell.Source)
	}
}

// enter takes over one stage of a cell.
func (l *Tracker) enter(r *Run, ch *check.Checked, before map[string]*check.Entity, here map[types.Object]bool, writes map[string]bool) {
	p := ch.Part
	for _, u := range append([]check.Update{ch.Start}, ch.Steps...) {
		for name, e := range u.Names {
			if e.Cell != p.Cell { // a type of an earlier cell that got a method
				continue
			}
			here[e.Obj] = true
			r.own[name] = true
			old := before[name]
			if _, isVar := e.Obj.(*types.Var); !isVar && old != nil && old.Text == e.Text && e.Text != "" {
				continue
			}
			l.declare(r, name, e, p, old != nil)
		}
	}
	var bound []effects
	for _, d := range p.Funcs {
		e := newEffects()
		e.walk(p, d)
		key := d.Name.Name
		if base, method := methodKey(p, d); base != "" {
			key = base + "." + method
			l.newMethod(r, before[base], ch.Start.Names[base], base, method)
		}
		r.own[key] = true
		l.effects[key] = e
		bound = append(bound, e)
	}
	for _, t := range p.Types {
		e := newEffects()
		e.walk(p, t)
		bound = append(bound, e)
	}
	for _, e := range bound {
		l.inputs(r, e, here, r.bound)
	}
	for i, c := range p.Body {
		e := newEffects()
		switch {
		case c.Var != nil:
			e.walk(p, c.Var)
		case i >= len(p.Body)-p.Show:
			e.value(p, c.Stmt.(*ast.ExprStmt).X)
		default:
			e.walk(p, c.Stmt)
		}
		maps.Copy(writes, e.writes)
		maps.Copy(r.mentions, e.reads)
		l.inputs(r, e, here, r.inputs)
	}
}

// inputs adds to a set what code reads and the cell has not declared.
func (l *Tracker) inputs(r *Run, e effects, here map[types.Object]bool, to map[string]bool) {
	for obj := range e.objects {
		if name := nameOf(obj); !here[obj] && (check.ReceiverOf(obj) == nil || !r.own[name]) {
			to[name] = true
		}
	}
}

// methodKey is the type and the name of a method, also of one in its plain form; empty for a function.
func methodKey(p *engine.Part, d *ast.FuncDecl) (base, method string) {
	if m := p.Methods[d]; m != nil {
		base, method, _ = strings.Cut(nameOf(m), ".")
		return base, method
	}
	base, _ = check.ReceiverBase(d)
	return base, d.Name.Name
}

// newMethod enters a method that was declared again in another form, for a type that is still the same.
func (l *Tracker) newMethod(r *Run, before, now *check.Entity, base, method string) {
	if before == nil || now == nil || before.Obj != now.Obj || before.Methods[method] == nil {
		return
	}
	if m := now.Methods[method]; m != nil && m.Text != before.Methods[method].Text {
		l.changes[base+"."+method] = change{at: r.At, by: r, declared: true, again: true}
	}
}

// declare enters a declaration. One that says again what it said, and whose value cannot have changed, is none.
func (l *Tracker) declare(r *Run, name string, e *check.Entity, p *engine.Part, again bool) {
	now := change{at: r.At, by: r, declared: true, again: again}
	switch obj := e.Obj.(type) {
	case *types.Var:
		now.kept = p.Keeps[obj] != nil
	case *types.Func:
		now.kept = p.Replaces[obj] != nil
	}
	if _, isVar := e.Obj.(*types.Var); isVar && literal(e.Obj, p) {
		now.constant = e.Text
	}
	if old := l.changes[name]; old.declared && old.constant != "" && old.constant == now.constant {
		return
	}
	l.changes[name] = now
}

// literal reports whether a variable's declaration neither calls anything nor mentions what cells declare.
func literal(obj types.Object, p *engine.Part) bool {
	for _, c := range p.Body {
		if c.Var == nil || !slices.ContainsFunc(c.Declares, func(v *types.Var) bool { return v == obj }) {
			continue
		}
		e := newEffects()
		e.walk(p, c.Var)
		calls := false
		ast.Inspect(c.Var, func(n ast.Node) bool {
			_, call := n.(*ast.CallExpr)
			calls = calls || call
			return !calls
		})
		return !calls && len(e.reads) == 0
	}
	return false
}

// Touches returns the names of the session that a cell may read or write, by way of functions and methods too. It need not
// have run.
func (l *Tracker) Touches(stages []*check.Checked) map[string]bool {
	e := newEffects()
	for _, ch := range stages {
		p := ch.Part
		for _, d := range p.Funcs {
			e.walk(p, d)
		}
		for _, t := range p.Types {
			e.walk(p, t)
		}
		for _, c := range p.Body {
			if c.Var != nil {
				e.walk(p, c.Var)
			} else {
				e.walk(p, c.Stmt)
			}
		}
	}
	all := l.closure(e.reads)
	for _, names := range []map[string]bool{e.writes, all.writes} {
		maps.Copy(all.reads, names)
	}
	return all.reads
}

// closure is what code that mentions the names reads and writes, by way of functions and methods too.
func (l *Tracker) closure(names map[string]bool) effects {
	out := newEffects()
	todo := slices.Sorted(maps.Keys(names))
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if out.reads[n] {
			continue
		}
		out.reads[n] = true
		e := l.effects[n]
		maps.Copy(out.writes, e.writes)
		for m := range e.reads {
			todo = append(todo, m)
		}
	}
	return out
}

// needs are the names of other cells on which a run depends: what its statements read, by way of functions too, and
// what its functions and types were checked against.
func (l *Tracker) needs(r *Run) (read, bound []string) {
	all := maps.Clone(r.inputs)
	for n := range l.closure(r.mentions).reads {
		if !r.own[n] {
			all[n] = true
		}
	}
	rest := maps.Clone(r.bound)
	maps.DeleteFunc(rest, func(n string, _ bool) bool { return all[n] || l.changes[n].kept })
	return slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(rest))
}

// nameOf is the name of an object in the ledger, empty for what is not of package level.
func nameOf(obj types.Object) string {
	name := strings.ReplaceAll(obj.Name(), cell.Mark, "")
	if recv := check.ReceiverOf(obj); recv != nil {
		return recv.Name() + "." + name
	}
	if _, isPkg := obj.(*types.PkgName); isPkg || !check.IsGlobal(obj) {
		return ""
	}
	return name
}

func isSession(p *engine.Part, obj types.Object) bool {
	return obj.Pkg() == p.Pkg && obj != types.Object(p.Ctx) && obj != types.Object(p.Shown)
}

// walk gathers the effects of code. What counts as a change is an assignment to a variable or a part of it, a call as a
// statement of a method with a pointer receiver, and the address of a variable as an argument of a call of which only an
// error is of interest; what happens through copies of pointers is not seen.
func (e effects) walk(p *engine.Part, root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := p.Info.Uses[n]; obj != nil && isSession(p, obj) {
				if name := nameOf(obj); name != "" {
					e.reads[name] = true
					e.objects[obj] = true
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					e.write(p, l)
				}
			}
			if n.Tok == token.ASSIGN && !slices.ContainsFunc(n.Lhs, notName) {
				for _, r := range n.Rhs {
					e.value(p, r)
				}
				return false
			}
			for _, r := range n.Rhs {
				if call, ok := ast.Unparen(r).(*ast.CallExpr); ok {
					e.addresses(p, call)
				}
			}
		case *ast.ValueSpec:
			for _, r := range n.Values {
				if call, ok := ast.Unparen(r).(*ast.CallExpr); ok {
					e.addresses(p, call)
				}
			}
		case *ast.IncDecStmt:
			e.write(p, n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				e.write(p, n.Key)
				e.write(p, n.Value)
			}
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
				e.statement(p, call)
			}
		}
		return true
	})
}

// value enters an expression whose value is taken.
func (e effects) value(p *engine.Part, x ast.Expr) {
	if call, ok := ast.Unparen(x).(*ast.CallExpr); ok {
		if p.Info.Types[call].IsVoid() {
			e.statement(p, call)
		} else {
			e.addresses(p, call)
		}
	}
	e.walk(p, x)
}

func notName(x ast.Expr) bool {
	_, ok := x.(*ast.Ident)
	return !ok
}

// write enters an assignment to x, x[i], x.f or *x.
func (e effects) write(p *engine.Part, x ast.Expr) {
	for x != nil {
		switch n := x.(type) {
		case *ast.Ident:
			if obj := p.Info.Uses[n]; obj != nil && isSession(p, obj) && nameOf(obj) != "" {
				e.writes[nameOf(obj)] = true
			}
			return
		case *ast.ParenExpr:
			x = n.X
		case *ast.StarExpr:
			x = n.X
		case *ast.IndexExpr:
			x = n.X
		case *ast.SelectorExpr:
			x = n.X
		case *ast.SliceExpr:
			x = n.X
		default:
			return
		}
	}
}

// statement enters a call whose results nobody takes.
func (e effects) statement(p *engine.Part, call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if ok && p.Info.Selections[sel] != nil {
		f, ok := p.Info.Selections[sel].Obj().(*types.Func)
		if ok && f.Signature().Recv() != nil {
			if _, pointer := f.Signature().Recv().Type().(*types.Pointer); pointer {
				e.write(p, sel.X)
			}
		}
		return
	}
	e.addresses(p, call)
}

// addresses enters &x among the arguments of a call that gives nothing or an error.
func (e effects) addresses(p *engine.Part, call *ast.CallExpr) {
	switch t := p.Info.TypeOf(call).(type) {
	case nil:
		return
	case *types.Tuple:
		if t.Len() > 0 && !isError(t.At(t.Len()-1).Type()) {
			return
		}
	default:
		if !isError(t) {
			return
		}
	}
	if cell.PrintsOnly(call) && !strings.HasPrefix(call.Fun.(*ast.SelectorExpr).Sel.Name, "F") {
		return
	}
	for _, a := range call.Args {
		if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && u.Op == token.AND {
			e.write(p, u.X)
		}
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }
