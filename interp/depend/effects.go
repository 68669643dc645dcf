package depend

import (
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

// effects are what code reads and what it changes.
type effects struct {
	reads   map[string]bool
	writes  map[string]bool       // true where it may be a part of the variable
	doubts  map[string]string     // names that it may change, and why
	objects map[types.Object]bool // that it reads itself
	params  map[int]bool          // parameters through which it changes something
	passed  []passed              // to functions of cells
	links   links

	p      *engine.Part
	own    map[types.Object]int   // the parameters of the function
	locals map[types.Object]root  // what local variables were made from
	thrown map[*ast.CallExpr]bool // calls whose results nobody takes
}

// receiver is the index of a method's receiver among its parameters.
const receiver = -1

// anyType begins the name of a method of an interface.
const anyType = "?"

// An argument is a parameter of a function, by name.
type argument struct {
	callee string
	index  int
}

// A passed argument is one that leads to a variable of the session, or if name is empty to a parameter.
type passed struct {
	argument
	name  string
	param int
}

func newEffects(p *engine.Part) *effects {
	return &effects{
		reads: map[string]bool{}, writes: map[string]bool{}, doubts: map[string]string{}, objects: map[types.Object]bool{}, params: map[int]bool{},
		links: links{}, p: p, own: map[types.Object]int{}, locals: map[types.Object]root{},
		thrown: map[*ast.CallExpr]bool{},
	}
}

// add adds what other code changes.
func (e *effects) add(other *effects) {
	for name, part := range other.writes {
		e.writes[name] = e.writes[name] || part
	}
	maps.Copy(e.doubts, other.doubts)
	e.passed = append(e.passed, other.passed...)
}

// doubt notes that a name may be changed.
func (e *effects) doubt(name, why string) {
	if e.doubts[name] == "" {
		e.doubts[name] = why
	}
}

// function takes down the parameters of a function. In the plain form of a method the first is the receiver.
func (e *effects) function(t *ast.FuncType, recv *ast.FieldList, plain bool) {
	index := 0
	if plain {
		index = receiver
	}
	for _, list := range []*ast.FieldList{t.Params, recv} {
		if list == recv {
			index = receiver
		}
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				e.own[e.p.Info.Defs[id]] = index
				index++
			}
			if len(f.Names) == 0 {
				index++
			}
		}
	}
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

// walk gathers the effects of code.
func (e *effects) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := e.p.Info.Uses[n]; obj != nil && isSession(e.p, obj) {
				if name := nameOf(obj); name != "" {
					e.reads[name] = true
					e.objects[obj] = true
				}
			}
		case *ast.AssignStmt:
			e.assign(n)
			if n.Tok == token.ASSIGN { // a name that is set is not read
				for _, x := range slices.Concat(n.Lhs, n.Rhs) {
					if _, name := x.(*ast.Ident); !name || slices.Contains(n.Rhs, x) {
						e.walk(x)
					}
				}
				return false
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					e.makes(id, n.Values[i])
				}
			}
		case *ast.IncDecStmt:
			e.write(n.X)
		case *ast.SendStmt:
			e.write(n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				e.write(n.X)
			}
		case *ast.RangeStmt:
			e.ranges(n)
		case *ast.ExprStmt:
			if call, ok := ast.Unparen(n.X).(*ast.CallExpr); ok {
				e.thrown[call] = true
			}
		case *ast.GoStmt:
			e.thrown[n.Call] = true
		case *ast.DeferStmt:
			e.thrown[n.Call] = true
		case *ast.CallExpr:
			e.call(n)
		}
		return true
	})
}

func (e *effects) assign(n *ast.AssignStmt) {
	for i, l := range n.Lhs {
		if n.Tok != token.DEFINE {
			e.write(l)
		}
		if len(n.Lhs) == len(n.Rhs) {
			e.makes(l, n.Rhs[i])
		}
	}
}

func (e *effects) ranges(n *ast.RangeStmt) {
	if _, ok := e.p.Info.TypeOf(n.X).Underlying().(*types.Chan); ok {
		e.write(n.X)
	}
	if n.Tok == token.ASSIGN {
		e.write(n.Key)
		e.write(n.Value)
	}
	if n.Value != nil {
		e.makes(n.Value, n.X)
	}
}

// makes notes that a variable has a value that may lead to the memory of others.
func (e *effects) makes(to, from ast.Expr) {
	target := e.rootOf(to)
	for _, r := range e.sources(from) {
		switch {
		case !refers(e.p.Info.TypeOf(to)):
		case target.name != "" && r.name != "":
			e.links.link(target.name, r.name, r.address)
		case target.obj != nil && target.name == "" && (r.name != "" || r.isParam) && r.certain:
			e.locals[target.obj] = r
		}
	}
}

// write enters an assignment to x, x[i], x.f or *x.
func (e *effects) write(x ast.Expr) {
	if x == nil {
		return
	}
	_, whole := ast.Unparen(x).(*ast.Ident)
	switch r := e.rootOf(x); {
	case r.name != "" && (!whole || !r.local):
		e.writes[r.name] = e.writes[r.name] || !whole
	case r.isParam && !whole:
		e.params[r.param] = true
	}
}

// may enters a change of x that may be one.
func (e *effects) may(x ast.Expr, why string) {
	if r := e.rootOf(x); r.name != "" {
		e.doubt(r.name, why)
	}
}
