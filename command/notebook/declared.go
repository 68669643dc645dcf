package notebook

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A Declared is a name that a parameters cell declares.
type Declared struct {
	Name    string `json:"name"`
	Type    string `json:"type"`    // as far as the declaration's form says; else empty
	Default string `json:"default"` // the value that it gets, as written
	Help    string `json:"help"`    // the comment at the end of its line
}

// DeclaredParameters lists the names that a parameters cell declares, in their order.
func DeclaredParameters(cell string) []Declared {
	all := declarations(cell)
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(all[a].at, all[b].at) })
	list := make([]Declared, len(names))
	for i, name := range names {
		d := all[name]
		list[i] = Declared{Name: name, Type: d.typeName()}
		if d.init != nil {
			list[i].Default = types.ExprString(d.init)
		}
		line, _, _ := strings.Cut(cell[d.at:], "\n")
		_, list[i].Help, _ = strings.Cut(line, "// ")
	}
	return list
}

// typeName is the type of a declaration, if its form says.
func (d declaration) typeName() string {
	switch {
	case d.typ != nil:
		return types.ExprString(d.typ)
	case d.init == nil:
		return ""
	}
	switch e := ast.Unparen(d.init).(type) {
	case *ast.CompositeLit:
		return types.ExprString(e.Type)
	case *ast.BasicLit:
		return map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.STRING: "string",
			token.CHAR: "rune", token.IMAG: "complex128"}[e.Kind]
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return "bool"
		}
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 && kindOfType(name) != maybe {
			return name.Name
		}
	}
	return ""
}
