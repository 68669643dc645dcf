// Package depend knows what the cells that ran used, declared and changed: which of them are stale, what declares a session
// again, and what a study's function takes to run elsewhere.
package depend

import (
	"container/list"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

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
	clock    int                  // counts runs
	runs     *list.List           // the last *Run of each cell, in order
	byID     map[string]*Run      // those with a name from the front end
	byText   map[string][]*Run    // all of them, by source
	changes  map[string]change    // the last one of each name
	writings map[string][]writing // those of each name, from its declaration on
	effects  map[string]*effects  // of functions, methods and variables that hold functions
	links    links
}

// A writing is a declaration or a change of a variable. With a doubt, it may have been one.
type writing struct {
	by    *Run
	doubt string
}

// maxRuns is how many cells are remembered.
const maxRuns = 5000

// A Run is the last run of a cell.
type Run struct {
	Cell     Cell
	At       int
	failed   bool
	writes   []string        // names that it changed, or may have
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

// NewTracker returns the tracker of a session in which no cell has run.
func NewTracker() *Tracker {
	return &Tracker{
		runs: list.New(), byID: map[string]*Run{}, byText: map[string][]*Run{}, changes: map[string]change{}, writings: map[string][]writing{},
		effects: map[string]*effects{}, links: links{},
	}
}

// Record enters a cell that has run. before are the meanings of names when it began, and now what they are when it has ended: a cell
// that failed declared what it came to, and may have changed what it assigns to.
func (l *Tracker) Record(c Cell, stages []*check.Checked, before, now map[string]*check.Entity, failed bool) {
	l.clock++
	r := &Run{Cell: c, At: l.clock, failed: failed, inputs: map[string]bool{}, bound: map[string]bool{}, mentions: map[string]bool{}, own: map[string]bool{}}
	all := newEffects(nil)
	here := map[types.Object]bool{} // declared by this cell
	for _, ch := range stages {
		l.enter(r, ch, before, now, here, all)
	}
	l.follow(all, r.mentions)
	l.links.spread(all)
	for name := range all.writes {
		if r.own[name] {
			continue
		}
		if failed {
			all.doubt(name, "it failed, and may have changed it before")
			continue
		}
		l.changes[name] = change{at: r.At, by: r, again: true, kept: true}
		l.write(r, name, "")
	}
	for name, why := range all.doubts {
		if !r.own[name] {
			l.write(r, name, why)
		}
	}
	l.forget(c)
	if (!failed || len(r.own) > 0) && (len(r.mentions) > 0 || len(r.bound) > 0 || len(r.own) > 0) {
		l.remember(r)
	}
}

// write enters a change of a variable.
func (l *Tracker) write(r *Run, name, doubt string) {
	rest := slices.DeleteFunc(l.writings[name], func(w writing) bool { return w.by.place == nil && w.by != r })
	l.writings[name] = append(rest, writing{r, doubt})
	r.writes = append(r.writes, name)
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
	for _, name := range r.writes {
		l.writings[name] = slices.DeleteFunc(l.writings[name], func(w writing) bool { return w.by == r })
	}
	if l.byID[r.Cell.NotebookID] == r {
		delete(l.byID, r.Cell.NotebookID)
	}
	rest := slices.DeleteFunc(l.byText[r.Cell.Source], func(old *Run) bool { return old == r })
	if l.byText[r.Cell.Source] = rest; len(rest) == 0 {
		delete(l.byText, r.Cell.Source)
	}
}

// enter takes over one stage of a cell, and adds what its statements do to a set.
func (l *Tracker) enter(r *Run, ch *check.Checked, before, now map[string]*check.Entity, here map[types.Object]bool, all *effects) {
	p := ch.Part
	for _, u := range append([]check.Update{ch.Start}, ch.Steps...) {
		for name, e := range u.Names {
			if e.Cell != p.Cell || r.failed && (now[name] == nil || now[name].Cell != p.Cell) { // an earlier cell's type that got a method, or not reached
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
	var bound []*effects
	for _, d := range p.Funcs {
		e := newEffects(p)
		e.function(d.Type, d.Recv, p.Methods[d] != nil)
		e.walk(d)
		key := d.Name.Name
		if base, method := methodKey(p, d); base != "" {
			key = base + "." + method
			l.newMethod(r, before[base], ch.Start.Names[base], base, method)
		}
		r.own[key] = true
		l.effects[key] = e
		bound = append(bound, e)
		l.links.add(e.links)
	}
	for _, t := range p.Types {
		e := newEffects(p)
		e.walk(t)
		bound = append(bound, e)
	}
	for _, e := range bound {
		l.inputs(r, e, here, r.bound)
	}
	for i, c := range p.Body {
		e := newEffects(p)
		switch {
		case c.Var != nil:
			for _, f := range l.variables(e, c.Var) {
				l.links.add(f.links)
				l.inputs(r, f, here, r.bound)
			}
		case i >= len(p.Body)-p.Show:
			e.walk(c.Stmt.(*ast.ExprStmt).X)
		default:
			e.walk(c.Stmt)
		}
		l.links.add(e.links)
		all.add(e)
		maps.Copy(r.mentions, e.reads)
		l.inputs(r, e, here, r.inputs)
	}
}

// variables gathers the effects of a declaration of variables, and returns those of the functions among their values, which happen when
// the variables are called.
func (l *Tracker) variables(e *effects, spec *ast.ValueSpec) (later []*effects) {
	for _, id := range spec.Names {
		l.links.forget(id.Name)
		delete(l.effects, id.Name)
	}
	var now []ast.Expr
	for i, x := range spec.Values {
		if _, ok := e.p.Info.TypeOf(x).Underlying().(*types.Signature); !ok || len(spec.Values) != len(spec.Names) {
			now = append(now, x)
			continue
		}
		f := newEffects(e.p)
		if literal, ok := ast.Unparen(x).(*ast.FuncLit); ok {
			f.function(literal.Type, nil, false)
		}
		f.walk(x)
		l.effects[spec.Names[i].Name] = f
		if _, called := ast.Unparen(x).(*ast.CallExpr); called {
			now = append(now, x)
		} else {
			later = append(later, f)
		}
	}
	if len(later) == 0 {
		e.walk(spec) // which knows the name of each value
		return nil
	}
	for _, x := range now {
		e.walk(x)
	}
	return later
}

// inputs adds to a set what code reads and the cell has not declared.
func (l *Tracker) inputs(r *Run, e *effects, here map[types.Object]bool, to map[string]bool) {
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
	delete(l.writings, name)
	l.write(r, name, "")
}

// literal reports whether a variable's declaration neither calls anything nor mentions what cells declare.
func literal(obj types.Object, p *engine.Part) bool {
	for _, c := range p.Body {
		if c.Var == nil || !slices.ContainsFunc(c.Declares, func(v *types.Var) bool { return v == obj }) {
			continue
		}
		e := newEffects(p)
		e.walk(c.Var)
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
	all := newEffects(nil)
	reads := map[string]bool{}
	for _, ch := range stages {
		e := newEffects(ch.Part)
		for _, d := range ch.Part.Funcs {
			e.walk(d)
		}
		for _, t := range ch.Part.Types {
			e.walk(t)
		}
		for _, c := range ch.Part.Body {
			if c.Var != nil {
				e.walk(c.Var)
			} else {
				e.walk(c.Stmt)
			}
		}
		all.add(e)
		maps.Copy(reads, e.reads)
	}
	touched := l.follow(all, reads)
	for name := range touched.doubts {
		touched.reads[name] = true
	}
	l.links.spread(all)
	for name := range all.writes {
		touched.reads[name] = true
	}
	for name := range all.doubts {
		touched.reads[name] = true
	}
	return touched.reads
}

// reached is what code that mentions some names reads, by way of functions and methods too.
type reached struct {
	reads  map[string]bool
	doubts map[string]string // names that it may read
}

// follow adds to the effects of code those of the functions and methods that it mentions, and returns what it reads.
func (l *Tracker) follow(all *effects, names map[string]bool) reached {
	out := reached{map[string]bool{}, map[string]string{}}
	var visit func(name, maybe string)
	visit = func(name, maybe string) {
		if out.reads[name] || maybe != "" && out.doubts[name] != "" {
			return
		}
		if method, ok := strings.CutPrefix(name, anyType); ok {
			for key := range l.effects {
				if strings.HasSuffix(key, method) {
					visit(key, "a call of "+method[1:]+" through an interface may be one of "+key)
				}
			}
			return
		}
		if maybe == "" {
			out.reads[name] = true
		} else {
			out.doubts[name] = maybe
		}
		e := l.effects[name]
		if e == nil {
			return
		}
		if maybe == "" {
			all.add(e)
		} else {
			for w := range e.writes {
				all.doubt(w, maybe)
			}
		}
		for m := range e.reads {
			visit(m, maybe)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		visit(name, "")
	}
	for _, a := range all.passed {
		if a.name == "" {
			continue
		}
		switch sure, maybe := l.changesArgument(a, map[argument]bool{}); {
		case sure:
			all.writes[a.name] = true
		case maybe:
			all.doubt(a.name, "a call of "+strings.TrimPrefix(a.callee, anyType+".")+" through an interface may change it")
		}
	}
	return out
}

// changesArgument reports whether a function of a cell changes what it gets, surely or perhaps.
func (l *Tracker) changesArgument(a passed, seen map[argument]bool) (sure, maybe bool) {
	if seen[a.argument] {
		return false, false
	}
	seen[a.argument] = true
	if method, ok := strings.CutPrefix(a.callee, anyType); ok {
		for key := range l.effects {
			if strings.HasSuffix(key, method) {
				s, m := l.changesArgument(passed{argument: argument{key, a.index}}, seen)
				maybe = maybe || s || m
			}
		}
		return false, maybe
	}
	e := l.effects[a.callee]
	if e == nil {
		return false, false
	}
	if e.params[a.index] {
		return true, false
	}
	for _, on := range e.passed {
		if on.name == "" && on.param == a.index {
			s, m := l.changesArgument(on, seen)
			sure, maybe = sure || s, maybe || m
		}
	}
	return sure, maybe
}
