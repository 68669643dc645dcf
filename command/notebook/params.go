package notebook

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
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
	JSON  bool // Value is JSON, and says itself what is a number and what is text
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

// SetParameters puts a cell that sets the parameters after the cell tagged "parameters" (at the top if there is none),
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
	source, unknown, err := assignments(declared, params)
	if err != nil {
		return nil, err
	}
	cell := &Cell{Type: "code", Source: "// Parameters" + source, Metadata: map[string]any{"tags": []any{tagInjected}}}
	if nb.Minor >= 5 {
		cell.ID = tagInjected // the same each time, so that a notebook that is run again is the same file
	}
	if old := slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.HasTag(tagInjected) }); old >= 0 {
		nb.Cells[old] = cell
	} else {
		nb.Cells = slices.Insert(nb.Cells, at+1, cell)
	}
	return unknown, nil
}

// SetsParameters reports whether the cell declares the notebook's parameters, or gives them their values.
func (c *Cell) SetsParameters() bool { return c.HasTag(tagParameters) || c.HasTag(tagInjected) }

// Assignments returns the text that gives the parameters their values after a cell that declares them, a line each, by
// the rules of SetParameters.
func Assignments(cell string, params []Parameter) (source string, unknown []string, err error) {
	return assignments(declarations(cell), params)
}

func assignments(declared map[string]declaration, params []Parameter) (source string, unknown []string, err error) {
	for _, p := range params {
		d, ok := declared[p.Name]
		if !ok {
			unknown = append(unknown, p.Name)
		}
		line, err := d.set(p)
		if err != nil {
			return "", nil, err
		}
		source += "\n" + line
	}
	return source, unknown, nil
}

// A declaration is what the parameters cell says of a name.
type declaration struct {
	form form
	text textual
	typ  ast.Expr // its type, where it is written down
	init ast.Expr // its value, if it has one
	at   int      // where its name is in the cell
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
	case d.form == constant && d.typ != nil:
		return "const " + p.Name + " " + types.ExprString(d.typ) + " = " + value, nil
	case d.form == constant:
		return "const " + p.Name + " = " + value, nil
	}
	if value == "nil" {
		return "var " + p.Name + " any = nil", nil
	}
	return "var " + p.Name + " = " + value, nil
}

// value returns p's value as a Go expression.
func (d declaration) value(p Parameter) (string, error) {
	value := strings.TrimSpace(p.Value)
	switch {
	case p.Raw:
		return strconv.Quote(p.Value), nil
	case p.JSON, d.text != aString && value != "" && strings.Contains("[{", value[:1]) && json.Valid([]byte(value)):
		expr, err := fromJSON(value, d.collection())
		if err != nil {
			return "", fmt.Errorf("parameter %s: %w", p.Name, err)
		}
		return expr, nil
	}
	if d.text != aString {
		value = fromPython(value)
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
	case "nan", "+nan", "-nan":
		return "math.NaN()", nil
	case "inf", "+inf", "infinity", "+infinity":
		return "math.Inf(1)", nil
	case "-inf", "-infinity":
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

// wholeNumber is a number as Python's int reads it.
var wholeNumber = regexp.MustCompile(`^([+-]?)0*([0-9](?:_?[0-9])*)$`)

// fromPython is a value in Go's words, where papermill reads one that Go writes otherwise: True, False, None, and 010, which is ten.
func fromPython(value string) string {
	switch value {
	case "True", "False":
		return strings.ToLower(value)
	case "None":
		return "nil"
	}
	if m := wholeNumber.FindStringSubmatch(value); m != nil {
		return strings.TrimPrefix(m[1], "+") + m[2]
	}
	return value
}

// declarations returns what a cell declares at its top level. The cell may hold anything; what cannot be parsed by
// itself (a magic, an import) is passed over.
func declarations(source string) map[string]declaration {
	const before = "package p; func _() {"
	all := map[string]declaration{}
	start := 0
	for _, end := range statements(source) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", before+source[start:end]+"\n}", 0)
		if err == nil {
			for _, stmt := range file.Decls[0].(*ast.FuncDecl).Body.List {
				declare(all, stmt, func(p token.Pos) int { return start + fset.Position(p).Offset - len(before) })
			}
		}
		start = end
	}
	return all
}

// declare notes what a statement declares; at gives a place in the cell.
func declare(all map[string]declaration, stmt ast.Stmt, at func(token.Pos) int) {
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
			d := declaration{form: variable, at: at(name.Pos())}
			if len(s.Rhs) == len(s.Lhs) {
				d.init, d.text = s.Rhs[i], kindOf(s.Rhs[i])
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
				d := declaration{form: variable, typ: v.Type, at: at(name.Pos())}
				if decl.Tok == token.CONST {
					d.form = constant
				}
				if len(v.Values) == len(v.Names) {
					d.init = v.Values[i]
				}
				switch t := v.Type.(type) {
				case nil:
					if d.init != nil {
						d.text = kindOf(d.init)
					}
				case *ast.Ident:
					d.text = kindOfType(t)
				case *ast.SelectorExpr:
					d.text = maybe
				default:
					d.text = noString
				}
				all[name.Name] = d
			}
		}
	}
}

// kindOf says whether an expression is a string, as far as its form says.
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

// statements returns where the statements of a cell end: where Go's own rule puts a semicolon outside all brackets.
func statements(source string) []int {
	var s scanner.Scanner
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	var ends []int
	depth := 0
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
				if lit == ";" {
					at++
				}
				ends, depth = append(ends, at), 0
			}
		case token.EOF:
			return append(ends, len(source))
		}
	}
}
