package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A rangeFunc is a range over a function, whose body is a function literal. A jump out of the body sets a code and
// returns false; after the call, the code says where to go on.
type rangeFunc struct {
	target *target
	code   string
	state  string
	jumps  []jump
	body   *ast.BlockStmt
}

// Kinds of jumps.
const (
	jumpReturn = iota
	jumpBreak
	jumpContinue
	jumpGoto
)

type jump struct {
	kind   int
	target *target
	label  *types.Label
}

// contains reports whether a label is in the body.
func (r *rangeFunc) contains(l *types.Label) bool {
	return r.body.Pos() <= l.Pos() && l.Pos() <= r.body.End()
}

// innermostRange is the innermost range over a function that lies within goal, or within the function if goal is nil.
func (f *fn) innermostRange(goal *target) *rangeFunc {
	for i := len(f.targets) - 1; i >= 0; i-- {
		if f.targets[i] == goal {
			return nil
		}
		if f.targets[i].rng != nil {
			return f.targets[i].rng
		}
	}
	return nil
}

// The states of a loop over a function, as the panics for a wrong iterator need them.
const (
	stateReady   = "0"
	stateRunning = "-1"
	stateDone    = "1"
	stateOver    = "2"
)

func (f *fn) jump(j jump, r *rangeFunc) {
	if j.target == r.target && j.kind == jumpContinue {
		f.printf("%s = %s", r.state, stateReady)
		f.printf("return true")
		return
	}
	f.printf("%s = %s", r.state, stateDone)
	if j.target == r.target && j.kind == jumpBreak {
		f.printf("return false")
		return
	}
	n := slices.Index(r.jumps, j)
	if n < 0 {
		n = len(r.jumps)
		r.jumps = append(r.jumps, j)
	}
	f.printf("%s = %d", r.code, n+1)
	f.printf("return false")
}

func (f *fn) rangeOverFunc(s *ast.RangeStmt, t *target, sig *types.Signature, k, v rangeVar) {
	r := &rangeFunc{target: t, code: f.temp("code"), state: f.temp("state"), body: s.Body}
	t.rng = r
	yield := sig.Params().At(0).Type().Underlying().(*types.Signature)
	g := f.temp("iter")
	f.printf("{")
	f.printf("%s := %s", g, f.expr(s.X))
	f.printf("%s := 0", r.code)
	f.printf("%s := %s", r.state, stateReady)
	c := *f
	c.b = &strings.Builder{}
	c.tokenVar = f.tokenVar
	pop := c.push(t)
	var params, names []string
	for v := range yield.Params().Variables() {
		n := f.temp("y")
		names = append(names, n)
		params = append(params, n+" "+f.typ(v.Type()))
	}
	body := f.temp("body")
	c.lineDirective(s.Pos())
	c.printf("if %s != %s { rt.RangeState(%s) }", r.state, stateReady, r.state)
	c.printf("%s = %s", r.state, stateRunning)
	c.checkStop()
	if k.on {
		c.setRange(k, names[0], yield.Params().At(0).Type())
	}
	if v.on {
		c.setRange(v, names[1], yield.Params().At(1).Type())
	}
	c.block(s.Body.List)
	c.printf("%s = %s", r.state, stateReady)
	c.printf("return true")
	pop()
	f.printf("%s := %s", body, closure("("+strings.Join(params, ", ")+") bool", c.b.String()))
	f.lineDirective(s.Pos())
	f.printf("%s(%s)", g, body)
	f.printf("if %s == %s { rt.RangeState(%s) }", r.state, stateRunning, r.state)
	f.printf("%s = %s", r.state, stateOver)
	for i, j := range r.jumps {
		f.printf("if %s == %d {", r.code, i+1)
		f.replay(j)
		f.printf("}")
	}
	f.printf("}")
}

// replay goes on with a jump after the range over a function that it left.
func (f *fn) replay(j jump) {
	switch j.kind {
	case jumpReturn:
		f.leave(nil, true)
	case jumpGoto:
		if rf := f.innermostRange(nil); rf != nil && !rf.contains(j.label) {
			f.jump(j, rf)
			return
		}
		f.printf("goto G%s", f.name(j.label))
	default:
		tok := token.BREAK
		if j.kind == jumpContinue {
			tok = token.CONTINUE
		}
		rf := f.innermostRange(j.target)
		if rf == nil && j.target.rng != nil {
			rf = j.target.rng
		}
		if rf != nil {
			f.jump(j, rf)
			return
		}
		if j.target.name == "" {
			f.printf("%s", tok)
			return
		}
		f.printf("%s %s", tok, j.target.name)
	}
}
