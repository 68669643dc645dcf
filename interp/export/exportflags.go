package export

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// A program takes the parameters of its notebook as flags, after the cells that set them, and refuses all other arguments.
// Where the notebook reads the arguments itself they are left to it.

// flags returns a function that takes the program's arguments, and the calls of main with that of it among them.
func (e *exporter) flags(calls []string) (function string, all []string) {
	var vars []*types.Var
	at := 0
	for i, c := range e.cells {
		if c.parameters {
			at = i + 1
			vars = append(vars, e.parameters(c)...)
		}
	}
	if e.readsArguments(len(vars) > 0) {
		if len(vars) > 0 {
			e.notes = append(e.notes, "The notebook reads the program's arguments itself, so its parameters are no flags of the program.")
		}
		return "", calls
	}
	name, set := e.unused("arguments"), e.unused("flags")
	var b strings.Builder
	fmt.Fprintf(&b, "// %s takes the parameters of the notebook as flags, and refuses other arguments.\nfunc %[1]s() {\n", name)
	fmt.Fprintf(&b, "%s := %s.NewFlagSet(%s.Args[0], %[2]s.ExitOnError)\n", set, e.use("flag"), e.use("os"))
	for _, v := range vars {
		fmt.Fprintf(&b, "%s(%s, %q, &%s)\n", e.helper("parameter"), set, v.Name(), e.names[e.rootOf(v)])
		e.flagNames = append(e.flagNames, v.Name())
	}
	fmt.Fprintf(&b, "%s(%s)\n}\n\n", e.helper("parse"), set)
	return b.String(), slices.Insert(slices.Clone(calls), at, name+"()")
}

// parameters are the variables that a cell of parameters declares, of those types of which a flag can be.
func (e *exporter) parameters(c *written) (vars []*types.Var) {
	for _, st := range c.steps {
		if st.stage == nil {
			continue
		}
		for _, chunk := range st.stage.Out.Part.Body {
			for _, v := range chunk.Declares {
				switch {
				case v.Name() == "_":
				case isFlag(v.Type()):
					vars = append(vars, v)
				default:
					e.note(c.number, "the parameter %s is a %s, so the program has no flag for it", v.Name(), types.TypeString(v.Type(), types.RelativeTo(v.Pkg())))
				}
			}
		}
		for _, d := range st.stage.Consts {
			for _, sp := range d.Specs {
				for _, n := range sp.(*ast.ValueSpec).Names {
					e.note(c.number, "the parameter %s is a constant, so the program has no flag for it", n.Name)
				}
			}
		}
	}
	return vars
}

// isFlag reports whether a flag can give a variable of the type its value: a number, a string or a bool, or by JSON a slice or a map
// of such. Bytes are none, which JSON writes otherwise.
func isFlag(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsFloat|types.IsString|types.IsBoolean) != 0
	case *types.Slice:
		b, _ := u.Elem().Underlying().(*types.Basic)
		return isFlag(u.Elem()) && (b == nil || b.Kind() != types.Uint8)
	case *types.Map:
		b, _ := u.Key().Underlying().(*types.Basic)
		return isFlag(u.Elem()) && b != nil && b.Kind() == types.String
	}
	return false
}

// readsArguments reports whether the notebook may read the arguments of the program: by os.Args, package flag, or, unless it has
// parameters, a module.
func (e *exporter) readsArguments(parameters bool) bool {
	for path := range e.imports {
		if path == "flag" || pathRank(path) > 0 && !parameters && !strings.HasPrefix(path, "gaucho/") && !strings.HasPrefix(path, "gonum.org/") {
			return true
		}
	}
	for _, obj := range e.objects {
		if obj.Name() == "Args" && obj.Pkg() != nil && obj.Pkg().Path() == "os" {
			return true
		}
	}
	return false
}
