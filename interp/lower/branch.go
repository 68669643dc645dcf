package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (f *fn) branch(s *ast.BranchStmt) {
	switch s.Tok {
	case token.FALLTHROUGH:
		f.printf("fallthrough")
	case token.GOTO:
		obj := f.info.Uses[s.Label].(*types.Label)
		if rf := f.innermostRange(nil); rf != nil && !rf.contains(obj) {
			f.jump(jump{kind: jumpGoto, label: obj}, rf)
			return
		}
		f.printf("goto G%s", f.name(obj))
	case token.BREAK, token.CONTINUE:
		var label *types.Label
		if s.Label != nil {
			label = f.info.Uses[s.Label].(*types.Label)
		}
		f.leaveLoop(s.Tok, label)
	}
}

// leaveLoop emits break or continue of the named target, or of the innermost.
func (f *fn) leaveLoop(tok token.Token, label *types.Label) {
	kind := jumpBreak
	if tok == token.CONTINUE {
		kind = jumpContinue
	}
	goal := f.goal(tok, label)
	if goal == nil {
		f.e.refuse(f.e.pos(), "internal: no target of %s", tok)
	}
	rf := f.innermostRange(goal)
	if rf == nil {
		if goal.rng != nil {
			rf = goal.rng
		} else {
			if label != nil {
				f.printf("%s %s", tok, goal.name)
			} else {
				f.printf("%s", tok)
			}
			return
		}
	}
	f.jump(jump{kind: kind, target: goal}, rf)
}

func (f *fn) goal(tok token.Token, label *types.Label) *target {
	for i := len(f.targets) - 1; i >= 0; i-- {
		t := f.targets[i]
		switch {
		case label != nil:
			if t.label == label {
				return t
			}
		case tok == token.CONTINUE && t.loop, tok == token.BREAK && t.breaks:
			return t
		}
	}
	return nil
}
