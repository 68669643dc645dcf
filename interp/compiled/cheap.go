package compiled

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// What takes a moment needs no check of its own: it may run some thousand times between two checks. Loops in it count as
// nothing, because they check themselves, and so do the functions of a call cycle.

// tooLong is the cost of what takes more than a moment; the unit is a node of the syntax tree, a nanosecond or less.
const tooLong = 2000

// cheap reports whether code takes a moment only.
func (e *emitter) cheap(n ast.Node) bool {
	return e.cost(n, e.info, map[*function]int{}) < tooLong
}

// cost is what running a node once takes, without the loops in it; tooLong for all that takes longer or may block. known
// holds the costs of functions, 0 while one is being counted.
func (e *emitter) cost(n ast.Node, info *types.Info, known map[*function]int) int {
	total := 0
	add := func(cost int) { total = min(total+cost, tooLong) }
	heads := func(list ...ast.Node) {
		for _, n := range list {
			add(e.cost(n, info, known))
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		add(1)
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt:
			add(tooLong)
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			for _, s := range []ast.Stmt{n.Init, n.Post} {
				if s != nil {
					heads(s)
				}
			}
			if n.Cond != nil {
				heads(n.Cond)
			}
			return false
		case *ast.RangeStmt:
			switch core(info.TypeOf(n.X)).(type) {
			case *types.Signature, *types.Chan, *types.Interface:
				add(tooLong)
			}
			heads(n.X)
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				add(tooLong)
			}
		case *ast.BinaryExpr:
			if n.Op == token.ADD && isString(info.TypeOf(n)) && info.Types[n].Value == nil {
				add(tooLong)
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN && isString(info.TypeOf(n.Lhs[0])) {
				add(tooLong)
			}
		case *ast.CallExpr:
			add(e.callCost(n, info, known))
		}
		return total < tooLong
	})
	return total
}

func isString(t types.Type) bool {
	return t != nil && isKind(t, types.IsString)
}

// callCost is what a call costs without its operands.
func (e *emitter) callCost(c *ast.CallExpr, info *types.Info, known map[*function]int) int {
	if quick(c, info) {
		return 0
	}
	f := e.s.function(called(c, info))
	if f == nil || e.literal > 0 { // function literals call later forms, too
		return tooLong
	}
	if cost, ok := known[f]; ok {
		return cost
	}
	known[f] = 0
	known[f] = e.cost(f.decl.Body, f.info, known)
	return known[f]
}

// called is the function or method that a call names, nil where it is only known when the call is made.
func called(c *ast.CallExpr, info *types.Info) *types.Func {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		obj, _ := info.Uses[f].(*types.Func)
		return obj
	case *ast.IndexExpr:
		if id, ok := ast.Unparen(f.X).(*ast.Ident); ok {
			obj, _ := info.Uses[id].(*types.Func)
			return obj
		}
	case *ast.SelectorExpr:
		obj, _ := info.Uses[f.Sel].(*types.Func)
		if sel := info.Selections[f]; obj == nil || sel != nil && (sel.Kind() != types.MethodVal || types.IsInterface(sel.Recv())) {
			return nil
		}
		return obj.Origin()
	}
	return nil
}

// quick reports whether a call is a conversion, a built-in function or a library's function that takes a moment and calls
// nothing of the session that has no check.
func quick(c *ast.CallExpr, info *types.Info) bool {
	tv := info.Types[c.Fun]
	switch {
	case tv.IsType():
		return quickConversion(tv.Type, info.TypeOf(c.Args[0]))
	case tv.IsBuiltin():
		return quickBuiltin(c, info)
	}
	f := called(c, info)
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "math", "math/bits", "math/cmplx", "cmp", "unicode", "unicode/utf8":
		return true
	case "math/rand", "math/rand/v2":
		return f.Name() != "Perm" && f.Name() != "Shuffle" && f.Name() != "Read"
	case "gonum.org/v1/gonum/mat":
		return f.Signature().Recv() != nil && slices.Contains([]string{"At", "AtVec", "Set", "SetVec", "SetSym", "Dims", "Len"}, f.Name())
	}
	return false
}

// quickConversion reports whether a conversion copies no text.
func quickConversion(to, from types.Type) bool {
	_, toBasic := to.Underlying().(*types.Basic)
	_, fromBasic := from.Underlying().(*types.Basic)
	return toBasic == fromBasic || !isString(to) && !isString(from)
}

func quickBuiltin(c *ast.CallExpr, info *types.Info) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok { // of package unsafe
		return true
	}
	switch id.Name {
	case "append":
		return !c.Ellipsis.IsValid()
	case "copy", "clear", "close", "print", "println":
		return false
	case "make":
		for _, size := range c.Args[1:] {
			v := info.Types[size].Value
			if v == nil || constant.Compare(v, token.GTR, constant.MakeInt64(1024)) {
				return false
			}
		}
	}
	return true
}
