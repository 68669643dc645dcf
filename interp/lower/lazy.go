package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"gaucho/interp/modules"
)

// lazyInits are the initialisers of a package's variables whose values do not depend on when they are made, and that do
// nothing else. They wait until something names the variable.
func lazyInits(p *modules.Package) map[*types.Var]*types.Initializer {
	l := &laziness{p: p, assigned: map[types.Object]bool{}, inits: map[*types.Var]*types.Initializer{}, memo: map[*types.Var]bool{}}
	for _, f := range p.Files {
		ast.Inspect(f, l.noteAssigned)
	}
	for _, in := range p.Info.InitOrder {
		if len(in.Lhs) == 1 {
			l.inits[in.Lhs[0]] = in
		}
	}
	out := map[*types.Var]*types.Initializer{}
	for v, in := range l.inits {
		if l.lazy(v) {
			out[v] = in
		}
	}
	return out
}

type laziness struct {
	p        *modules.Package
	assigned map[types.Object]bool // variables that get other values, or may, by their address
	inits    map[*types.Var]*types.Initializer
	memo     map[*types.Var]bool
}

func (l *laziness) noteAssigned(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, x := range n.Lhs {
			l.note(x)
		}
	case *ast.IncDecStmt:
		l.note(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			l.note(n.Key)
			l.note(n.Value)
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			l.note(n.X)
		}
	}
	return true
}

func (l *laziness) note(x ast.Expr) {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok && x != nil {
		if obj := l.p.Info.Uses[id]; obj != nil {
			l.assigned[obj] = true
		}
	}
}

func (l *laziness) lazy(v *types.Var) bool {
	is, known := l.memo[v]
	if !known {
		l.memo[v] = false // a variable that needs itself does so through a function
		is = l.inits[v] != nil && l.pure(l.inits[v].Rhs)
		l.memo[v] = is
	}
	return is
}

// pureCalls are functions whose calls with pure arguments are pure.
var pureCalls = map[string]bool{
	"errors.New": true, "regexp.MustCompile": true, "math/big.NewInt": true, "strings.NewReplacer": true, "fmt.Errorf": true,
	"regexp.MustCompilePOSIX": true, "math.Inf": true, "math.NaN": true, "math.Log": true, "math.Sqrt": true, "math.Pow": true,
	"reflect.TypeOf": true, "reflect.TypeFor": true,
}

// pure reports whether an expression has the same value whenever it is evaluated, and does nothing else.
func (l *laziness) pure(x ast.Expr) bool {
	if tv := l.p.Info.Types[x]; tv.Value != nil || tv.IsNil() || tv.IsType() {
		return true
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		return l.pureName(l.p.Info.Uses[x])
	case *ast.SelectorExpr:
		if l.p.Info.Selections[x] == nil {
			return l.pureName(l.p.Info.Uses[x.Sel])
		}
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				if _, field := l.p.Info.Uses[keyName(kv)].(*types.Var); !(field && isField(l.p.Info.Uses[keyName(kv)])) && !l.pure(kv.Key) {
					return false
				}
				el = kv.Value
			}
			if !l.pure(el) {
				return false
			}
		}
		return true
	case *ast.UnaryExpr:
		if id, ok := ast.Unparen(x.X).(*ast.Ident); ok && x.Op == token.AND {
			v, ok := l.p.Info.Uses[id].(*types.Var)
			return ok && v.Parent() == l.p.Types.Scope()
		}
		return x.Op != token.ARROW && l.pure(x.X)
	case *ast.BinaryExpr:
		return x.Op != token.QUO && x.Op != token.REM && l.pure(x.X) && l.pure(x.Y)
	case *ast.CallExpr:
		return l.pureCall(x)
	}
	return false
}

func keyName(kv *ast.KeyValueExpr) *ast.Ident {
	id, _ := kv.Key.(*ast.Ident)
	return id
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// pureName reports whether a name always has the same meaning: a function, or an unexported variable that is never
// assigned to and whose own value waits.
func (l *laziness) pureName(obj types.Object) bool {
	switch o := obj.(type) {
	case *types.Func:
		return true
	case *types.Var:
		switch o.Type().Underlying().(type) {
		case *types.Struct, *types.Array:
			return false // parts may be assigned to
		}
		return o.Pkg() == l.p.Types && !o.Exported() && !l.assigned[o] && l.lazy(o)
	}
	return false
}

func (l *laziness) pureCall(x *ast.CallExpr) bool {
	for _, a := range x.Args {
		if !l.pure(a) {
			return false
		}
	}
	fun := ast.Unparen(x.Fun)
	if tv := l.p.Info.Types[fun]; tv.IsType() {
		return true
	} else if id, ok := fun.(*ast.Ident); ok && tv.IsBuiltin() {
		return id.Name == "new" || id.Name == "make" || id.Name == "len"
	}
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		if f, ok := l.p.Info.Uses[sel.Sel].(*types.Func); ok && f.Signature().Recv() == nil {
			return pureCalls[fullName(f)]
		}
	}
	return false
}
