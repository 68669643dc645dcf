package check

import (
	"go/ast"
	"go/token"

	"gaucho/interp/cell"
)

// Statements are checked in functions of their own, and run as the body of one: a goto may name the label of any other
// statement of its stage.

// linkLabels finds the statement for each goto that names another one's label. The type checker, which sees no label
// there, has errors at the positions that it returns.
func (s *Stage) linkLabels() (answered map[token.Pos]bool) {
	answered = map[token.Pos]bool{}
	at := map[string]int{}
	labels := map[string]*ast.Ident{}
	for i, c := range s.chunks {
		for _, l := range labelsOf(c) {
			if labels[l.Name] == nil {
				at[l.Name], labels[l.Name] = i, l
			}
		}
	}
	for i, c := range s.chunks {
		for _, jump := range gotosOf(c) {
			name := jump.Label.Name
			l := labels[name]
			switch {
			case l == nil && s.stage.Labels[name]:
				s.problemAt(jump, "goto %s goes past a statement that declares a name anew", name)
			case l == nil:
				continue
			default:
				for _, between := range s.chunks[min(i+1, at[name]):at[name]] {
					if between.Spec != nil {
						s.problemAt(jump, "goto %s jumps over variable declaration at line %d", name, s.Fset.Position(between.Spec.Pos()).Line)
						break
					}
				}
				answered[l.Pos()] = true
				s.Info.Uses[jump.Label] = s.Info.Defs[l]
			}
			answered[jump.Label.Pos()] = true
		}
	}
	return answered
}

// labelsOf are the labels of a statement of the top level.
func labelsOf(c BodyChunk) []*ast.Ident {
	if c.Func == nil {
		return nil
	}
	return cell.StmtLabels(c.Func.Body.List[0])
}

// gotosOf are the goto statements of a statement of the top level, those of function literals left out, and those whose
// label is deeper in the statement.
func gotosOf(c BodyChunk) (out []*ast.BranchStmt) {
	if c.Func == nil {
		return nil
	}
	inner := map[string]bool{}
	ast.Inspect(c.Func.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			inner[n.Label.Name] = true
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && n.Label != nil {
				out = append(out, n)
			}
		}
		return true
	})
	kept := out[:0]
	for _, j := range out {
		if !inner[j.Label.Name] {
			kept = append(kept, j)
		}
	}
	return kept
}
