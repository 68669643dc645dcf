package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A target is a statement that break or continue can name.
type target struct {
	label  *types.Label
	name   string // label in the emitted text
	loop   bool
	breaks bool // an unlabelled break means it
	rng    *rangeFunc
}

func (f *fn) block(list []ast.Stmt) {
	f.level++
	defer func() { f.level-- }()
	for i, s := range list {
		if f.d.module && f.level > 1 && !hasLabel(list[i+1:]) {
			if !f.stmtOrRefusal(s) {
				return
			}
			continue
		}
		f.stmt(s)
	}
}

func (f *fn) stmt(s ast.Stmt) { f.labelled(s, nil) }

// labelled emits a statement; label is the one before it.
func (f *fn) labelled(s ast.Stmt, label *types.Label) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
		return
	case *ast.BlockStmt:
		f.printf("{")
		f.block(s.List)
		f.printf("}")
		return
	case *ast.LabeledStmt:
		f.label(s)
		return
	}
	f.lineDirective(s.Pos())
	switch s := s.(type) {
	case *ast.ExprStmt:
		f.exprStmt(s.X)
	case *ast.DeclStmt:
		f.declStmt(s.Decl.(*ast.GenDecl))
	case *ast.AssignStmt:
		f.assignStmt(s)
	case *ast.IncDecStmt:
		f.incDec(s)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.ForStmt:
		f.forStmt(s, label)
	case *ast.RangeStmt:
		f.rangeStmt(s, label)
	case *ast.SwitchStmt:
		f.switchStmt(s, label)
	case *ast.TypeSwitchStmt:
		f.typeSwitch(s, label)
	case *ast.SelectStmt:
		f.selectStmt(s, label)
	case *ast.ReturnStmt:
		f.returnStmt(s)
	case *ast.BranchStmt:
		f.branch(s)
	case *ast.GoStmt:
		f.goStmt(s.Call)
	case *ast.DeferStmt:
		f.deferStmt(s.Call)
	case *ast.SendStmt:
		f.send(s)
	default:
		f.e.refuse(s.Pos(), "internal: statement %T", s)
	}
}

func (f *fn) exprStmt(x ast.Expr) {
	x = ast.Unparen(x)
	defer f.order(f.operands(x)...)()
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		f.printf("%s", f.expr(x))
		return
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		f.printf("_ = %s", f.expr(x))
		return
	}
	f.printf("%s", f.expr(call))
}

func (f *fn) declStmt(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if len(s.Values) == 0 {
			for _, id := range s.Names {
				if id.Name == "_" {
					continue
				}
				obj := f.def(id)
				f.printf("var %s %s", f.name(obj), f.typ(f.closed(obj.Type())))
			}
			continue
		}
		var lhs []ast.Expr
		for _, id := range s.Names {
			lhs = append(lhs, id)
		}
		f.define(lhs, s.Values)
	}
}

// dest is one destination of an assignment.
type dest struct {
	obj   types.Object // of a variable that comes into being; nil for all others
	text  string       // the emitted destination; empty for blank
	typ   types.Type   // nil for blank
	blank bool
}

func (f *fn) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		f.printf("{")
		f.stmt(s.Init)
		f.lineDirective(s.Cond.Pos())
	}
	done := f.order(f.rootOperands(s.Cond)...)
	f.printf("if %s {", f.cond(s.Cond))
	done()
	f.block(s.Body.List)
	switch el := s.Else.(type) {
	case nil:
		f.printf("}")
	case *ast.BlockStmt:
		f.printf("} else {")
		f.block(el.List)
		f.printf("}")
	default:
		f.printf("} else {")
		f.stmt(el)
		f.printf("}")
	}
	if s.Init != nil {
		f.printf("}")
	}
}

// cond emits a condition without the parentheses of a binary expression.
func (f *fn) cond(x ast.Expr) string {
	if x == nil {
		return ""
	}
	if v := f.info.Types[x].Value; v != nil && !f.d.src {
		// yaegi leaves out what a constant makes unreachable, and then goes wrong with labels and returns in it.
		return "rt_" + v.String()
	}
	return f.expr(x)
}

func (f *fn) send(s *ast.SendStmt) {
	ch := f.e.under(f.typeOf(s.Chan)).(*types.Chan)
	defer f.order(operand{x: s.Chan}, operand{s.Value, ch.Elem()})()
	tt := f.typ(ch.Elem())
	param, use := f.e.exact(ch.Elem())
	h := f.e.helper("send "+tt, "send", func(name string) string {
		return "func " + name + "(c chan<- " + tt + ", v " + param + ") { rt.Send(c, v" + use + ") }"
	})
	c := f.expr(s.Chan)
	f.printf("%s(%s, %s)", h, c, f.e.exactArg(f.to(s.Value, ch.Elem()), ch.Elem()))
}

func (f *fn) label(s *ast.LabeledStmt) {
	obj, _ := f.info.Defs[s.Label].(*types.Label)
	n := f.name(obj)
	if f.gotoTarget(obj) {
		f.printf("G%s:", n)
		f.e.at = s.Pos()
		f.checkStop() // goto may loop; and yaegi wants a statement after a label
	}
	f.labelled(s.Stmt, obj)
}

// gotoTarget reports whether a goto of the function names the label.
func (f *fn) gotoTarget(l *types.Label) bool {
	for id, o := range f.info.Uses {
		if o == l && f.gotos(id) {
			return true
		}
	}
	return false
}

func (f *fn) gotos(id *ast.Ident) bool {
	if f.shared.gotoIDs == nil {
		f.shared.gotoIDs = map[*ast.Ident]bool{}
		for _, body := range f.bodies {
			ast.Inspect(body, func(n ast.Node) bool {
				if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
					f.shared.gotoIDs[b.Label] = true
				}
				return true
			})
		}
	}
	return f.shared.gotoIDs[id]
}
