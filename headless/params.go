package headless

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Tags of cells, papermill's words.
const (
	tagParameters = "parameters"
	tagInjected   = "injected-parameters"
)

// A Parameter is a value for a name that the notebook's parameters cell declares.
type Parameter struct {
	Name  string
	Value string
	Raw   bool // Value is text, whatever it looks like
}

// ParseParameter reads name=value.
func ParseParameter(s string) (Parameter, error) {
	name, value, ok := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	if !ok {
		return Parameter{}, fmt.Errorf("parameter is %q, must be name=value", s)
	}
	if !token.IsIdentifier(name) || name == "_" {
		return Parameter{}, fmt.Errorf("parameter %q: its name must be a Go identifier", s)
	}
	return Parameter{Name: name, Value: value}, nil
}

// SetParameters puts a cell that sets the parameters behind the cell tagged "parameters" (at the top if there is none),
// in place of one that an earlier run put there. A name that the parameters cell declares keeps its type, so 1 is a
// float64 where the cell says `bandwidth := 0.5`, and text needs no quotes where the name is a string; any other name
// is declared with the type that Go gives to its value, and returned, for such a name is often misspelled.
func (nb *Notebook) SetParameters(params []Parameter) (unknown []string, err error) {
	if len(params) == 0 {
		return nil, nil
	}
	at := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.Type == "code" && c.HasTag(tagParameters) })
	declared := map[string]declaration{}
	if at >= 0 {
		declared = declarations(nb.Cells[at].Source)
	}
	var b strings.Builder
	b.WriteString("// Parameters")
	for _, p := range params {
		d, ok := declared[p.Name]
		if !ok {
			unknown = append(unknown, p.Name)
		}
		line, err := d.set(p)
		if err != nil {
			return nil, err
		}
		b.WriteString("\n" + line)
	}
	cell := &Cell{Type: "code", Source: b.String(), Metadata: map[string]any{"tags": []any{tagInjected}}}
	if nb.Minor >= 5 {
		cell.ID = newID()
	}
	if old := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.HasTag(tagInjected) }); old >= 0 {
		nb.Cells[old] = cell
	} else {
		nb.Cells = slices.Insert(nb.Cells, at+1, cell)
	}
	return unknown, nil
}

// A declaration is what the parameters cell says of a name.
type declaration struct {
	form form
	text textual
	typ  string // the type as written in a const declaration
}

type form int

const (
	undeclared form = iota
	variable
	constant
)

// textual says whether a name holds a string.
type textual int

const (
	maybe textual = iota
	aString
	noString
)

// set returns the statement that gives p its value.
func (d declaration) set(p Parameter) (string, error) {
	value, err := d.value(p)
	switch {
	case err != nil:
		return "", err
	case d.form == variable:
		return p.Name + " = " + value, nil
	case d.form == constant && d.typ != "":
		return "const " + p.Name + " " + d.typ + " = " + value, nil
	case d.form == constant:
		return "const " + p.Name + " = " + value, nil
	}
	return "var " + p.Name + " = " + value, nil
}

// value returns p's value as a Go expression.
func (d declaration) value(p Parameter) (string, error) {
	value := strings.TrimSpace(p.Value)
	if p.Raw {
		return strconv.Quote(p.Value), nil
	}
	expr, err := parser.ParseExpr(value)
	isLiteral := err == nil && kindOf(expr) == aString
	switch {
	case d.text == aString && isLiteral:
		return value, nil
	case d.text == aString:
		return strconv.Quote(p.Value), nil
	}
	switch strings.ToLower(value) {
	case "nan":
		return "math.NaN()", nil
	case "inf", "+inf":
		return "math.Inf(1)", nil
	case "-inf":
		return "math.Inf(-1)", nil
	}
	switch {
	case err == nil && (d.text == noString || kindOf(expr) != maybe):
		return value, nil
	case d.text == noString:
		return "", fmt.Errorf("parameter %s: %q is no Go expression", p.Name, value)
	}
	return strconv.Quote(p.Value), nil
}

// declarations returns what a cell declares at its top level. The cell may hold anything; what cannot be parsed by
// itself (a magic, an import) is passed over.
func declarations(source string) map[string]declaration {
	all := map[string]declaration{}
	for _, chunk := range statements(source) {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+chunk+"\n}", 0)
		if err != nil {
			continue
		}
		for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
			declare(all, stmt)
		}
	}
	return all
}

func declare(all map[string]declaration, stmt ast.Stmt) {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return
		}
		for i, lhs := range s.Lhs {
			name, ok := lhs.(*ast.Ident)
			if !ok || name.Name == "_" {
				continue
			}
			d := declaration{form: variable}
			if len(s.Rhs) == len(s.Lhs) {
				d.text = kindOf(s.Rhs[i])
			}
			all[name.Name] = d
		}
	case *ast.DeclStmt:
		decl, ok := s.Decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR && decl.Tok != token.CONST {
			return
		}
		for _, spec := range decl.Specs {
			v := spec.(*ast.ValueSpec)
			for i, name := range v.Names {
				d := declaration{form: variable}
				if decl.Tok == token.CONST {
					d.form = constant
				}
				switch t := v.Type.(type) {
				case nil:
					if len(v.Values) == len(v.Names) {
						d.text = kindOf(v.Values[i])
					}
				case *ast.Ident:
					d.typ, d.text = t.Name, kindOfType(t)
				default:
					d.text = noString
					if sel, ok := t.(*ast.SelectorExpr); ok {
						d.typ = fmt.Sprint(sel.X, ".", sel.Sel.Name)
						d.text = maybe
					}
				}
				all[name.Name] = d
			}
		}
	}
}

// kindOf says whether an expression is a string, as far as its form tells.
func kindOf(e ast.Expr) textual {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return aString
		}
		return noString
	case *ast.CompositeLit, *ast.FuncLit:
		return noString
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" || e.Name == "nil" {
			return noString
		}
	case *ast.ParenExpr:
		return kindOf(e.X)
	case *ast.UnaryExpr:
		if kindOf(e.X) == noString {
			return noString
		}
	case *ast.BinaryExpr:
		// Both sides: 2*time.Second says nothing by its form, data-2 is a file's name.
		if x := kindOf(e.X); x == kindOf(e.Y) {
			return x
		}
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); ok && len(e.Args) == 1 {
			return kindOfType(name)
		}
		if _, ok := e.Fun.(*ast.ArrayType); ok {
			return noString
		}
	}
	return maybe
}

func kindOfType(name *ast.Ident) textual {
	switch name.Name {
	case "string":
		return aString
	case "bool", "byte", "rune", "error", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16",
		"uint32", "uint64", "uintptr", "float32", "float64", "complex64", "complex128":
		return noString
	}
	return maybe
}

// statements splits a cell where Go's own rule puts a semicolon outside all brackets.
func statements(source string) []string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	var chunks []string
	depth, start := 0, 0
	for {
		pos, tok, lit := s.Scan()
		at := file.Offset(pos)
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.SEMICOLON:
			if depth <= 0 {
				chunks = append(chunks, source[start:at])
				start, depth = at, 0
				if lit == ";" {
					start++
				}
			}
		case token.EOF:
			return append(chunks, source[start:])
		}
	}
}
