package cell

import (
	"fmt"
	"go/token"
	"strings"
)

// A Problem is one compile error.
type Problem struct {
	Pos  token.Position
	Msg  string
	Hint string
}

func problemAt(src string, at int, format string, args ...any) *Problem {
	p := &Problem{Msg: fmt.Sprintf(format, args...)}
	p.Pos.Line, p.Pos.Column = Position(src, at)
	return p
}

// Position is the line and the column of a byte offset, both from 1.
func Position(src string, at int) (line, column int) {
	return 1 + strings.Count(src[:at], "\n"), at - strings.LastIndexByte(src[:at], '\n')
}
