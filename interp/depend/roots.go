package depend

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// A root is the variable that an expression such as x[i], x.f, *x or &x leads to.
type root struct {
	obj     types.Object
	name    string // if it is one of the session
	isParam bool
	param   int
	local   bool // by way of a local variable that was made from it
	certain bool // it is not only an argument of a call that made the value
	address bool
}

func (e *effects) rootOf(x ast.Expr) root {
	address := false
	for x != nil {
		switch n := x.(type) {
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
		case *ast.TypeAssertExpr:
			x = n.X
		case *ast.UnaryExpr:
			if n.Op != token.AND {
				return root{}
			}
			x, address = n.X, true
		case *ast.CallExpr:
			if !e.p.Info.Types[n.Fun].IsType() || len(n.Args) != 1 {
				return root{}
			}
			x = n.Args[0]
		case *ast.Ident:
			return e.identRoot(n, address)
		default:
			return root{}
		}
	}
	return root{}
}

func (e *effects) identRoot(id *ast.Ident, address bool) root {
	obj := e.p.Info.ObjectOf(id)
	v, ok := obj.(*types.Var)
	if !ok {
		return root{}
	}
	r := root{obj: v, certain: true, address: address}
	if from, ok := e.locals[v]; ok {
		from.local, from.address, from.obj = true, from.address || address, v
		return from
	}
	if r.param, r.isParam = e.own[v]; !r.isParam && isSession(e.p, v) {
		r.name = nameOf(v)
	}
	return r
}

// sources are the variables whose memory a value may lead to.
func (e *effects) sources(x ast.Expr) (list []root) {
	switch n := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		for _, elt := range n.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			list = append(list, e.sources(elt)...)
		}
		return list
	case *ast.UnaryExpr:
		if _, literal := ast.Unparen(n.X).(*ast.CompositeLit); literal {
			return e.sources(n.X)
		}
	case *ast.CallExpr:
		return e.sourcesOfCall(n)
	}
	if r := e.rootOf(x); r.obj != nil && (r.address || refers(e.p.Info.TypeOf(x))) {
		list = append(list, r)
	}
	return list
}

func (e *effects) sourcesOfCall(n *ast.CallExpr) (list []root) {
	tv := e.p.Info.Types[n.Fun]
	for _, a := range n.Args {
		for _, r := range e.sources(a) {
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); !tv.IsType() && !(tv.IsBuiltin() && ok && id.Name == "append") {
				r.certain = false
			}
			if tv.IsBuiltin() && !r.certain || !r.certain && !mayShare(e.p.Info.TypeOf(n), e.p.Info.TypeOf(a)) {
				continue
			}
			list = append(list, r)
		}
	}
	if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && e.p.Info.Selections[sel] != nil {
		if r := e.rootOf(sel.X); r.obj != nil && refers(e.p.Info.TypeOf(n)) && !isError(e.p.Info.TypeOf(n)) {
			r.certain = false
			list = append(list, r)
		}
	}
	return list
}

// refers reports whether values of a type may lead to memory that other values lead to.
func refers(t types.Type) bool { return len(references(t)) > 0 }

// mayShare reports whether values of two types may lead to the same memory.
func mayShare(a, b types.Type) bool {
	for _, x := range references(a) {
		for _, y := range references(b) {
			if types.Identical(x, y) || types.IsInterface(x) || types.IsInterface(y) {
				return true
			}
		}
	}
	return false
}

// references are the pointers, slices, maps, channels and interfaces that a type is made of.
func references(t types.Type) (list []types.Type) {
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if t == nil || seen[t] || isError(t) {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			list = append(list, u)
			visit(u.Elem())
		case *types.Slice:
			list = append(list, u)
			visit(u.Elem())
		case *types.Map:
			list = append(list, u)
			visit(u.Elem())
		case *types.Chan:
			list = append(list, u)
		case *types.Interface:
			list = append(list, u)
		case *types.Array:
			visit(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				visit(f.Type())
			}
		case *types.Tuple:
			for v := range u.Variables() {
				visit(v.Type())
			}
		}
	}
	visit(t)
	return list
}

// links are variables of the session that may share memory. True is for one that has the other's address.
type links map[string]map[string]bool

func (l links) link(a, b string, address bool) {
	if a == b {
		return
	}
	for range 2 {
		if l[a] == nil {
			l[a] = map[string]bool{}
		}
		l[a][b] = l[a][b] || address
		a, b = b, a
	}
}

func (l links) add(other links) {
	for a, to := range other {
		for b, address := range to {
			l.link(a, b, address)
		}
	}
}

// forget takes out a variable that is declared anew.
func (l links) forget(name string) {
	for other := range l[name] {
		delete(l[other], name)
	}
	delete(l, name)
}

// spread adds doubts for variables that may be changed with others. A variable that is set as a whole changes those that have its
// address.
func (l links) spread(e *effects) {
	var visit func(name string, part bool)
	visit = func(name string, part bool) {
		for other, address := range l[name] {
			if _, written := e.writes[other]; !written && e.doubts[other] == "" && (part || address) {
				e.doubt(other, "it may share memory with "+name)
				visit(other, true)
			}
		}
	}
	for name := range maps.Clone(e.doubts) {
		visit(name, true)
	}
	for name, part := range e.writes {
		visit(name, part)
	}
}
