package interp

import (
	"context"
	"fmt"
	"go/parser"
)

// Evaluate runs one expression quietly and returns its forms, for those who look at a session from outside. It declares
// nothing.
func (s *Session) Evaluate(ctx context.Context, c Cell, expression string) (map[string]any, *Error) {
	if _, err := parser.ParseExpr(expression); err != nil {
		msg := fmt.Sprintf("%q is not an expression", expression)
		return nil, &Error{Name: "CompileError", Value: msg, Traceback: []string{msg}}
	}
	c.Source, c.aside = expression, true
	res := s.Execute(ctx, c)
	if res.Err != nil {
		return nil, res.Err
	}
	if res.Display == nil {
		return map[string]any{}, nil
	}
	return res.Display.Data, nil
}
