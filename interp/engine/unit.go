package engine

import (
	"go/token"
	"strings"

	"gaucho/interp/wire"
)

// A Unit is a lowered part: what the worker evaluates, and the descriptors of the types that it names and that were not
// in an earlier unit, or have new methods.
type Unit struct {
	wire.Unit
	Types []wire.Type
	Notes []string // what the user should know
}

// A Refusal is a construct that the interpreter cannot run as Go would.
type Refusal struct {
	Pos token.Pos
	Msg string
}

func (r Refusal) Error() string { return r.Msg }

// Refusals are all refusals of a part, in source order.
type Refusals []Refusal

func (r Refusals) Error() string {
	var lines []string
	for _, one := range r {
		lines = append(lines, one.Msg)
	}
	return strings.Join(lines, "\n")
}
