package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A key with which a caller writes the numbers that JSON lacks, as {"\u0000float": "nan"}.
const jsonFloat = "\x00float"

// collection is the declared type when it is a list or a map, else nil.
func (d declaration) collection() ast.Expr {
	typ := d.typ
	if lit, ok := d.init.(*ast.CompositeLit); ok && typ == nil {
		typ = lit.Type
	}
	switch typ.(type) {
	case *ast.ArrayType, *ast.MapType:
		return typ
	}
	return nil
}

// fromJSON returns a value that JSON describes as a Go expression, lists and objects in the type given, or in one that
// holds their elements if typ is nil: []float64 for [1, 2.5], map[string]any for {"a": 1, "b": "x"}.
func fromJSON(text string, typ ast.Expr) (string, error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "", err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%s is more than one value", text)
	}
	return goValue(v, typ)
}

func goValue(v any, typ ast.Expr) (string, error) {
	switch v := v.(type) {
	case nil:
		return "nil", nil
	case bool:
		return strconv.FormatBool(v), nil
	case string:
		return strconv.Quote(v), nil
	case json.Number:
		return v.String(), nil
	case []any:
		return goList(v, typ)
	case map[string]any:
		if s, ok := v[jsonFloat].(string); ok && len(v) == 1 {
			return map[string]string{"nan": "math.NaN()", "inf": "math.Inf(1)", "-inf": "math.Inf(-1)"}[s], nil
		}
		return goMap(v, typ)
	}
	panic("notebook: JSON has no such value")
}

func goList(list []any, typ ast.Expr) (string, error) {
	name, elem := "[]"+commonType(list), ast.Expr(nil)
	if typ != nil {
		array, ok := typ.(*ast.ArrayType)
		if !ok {
			return "", fmt.Errorf("a list is given, must be a %s", types.ExprString(typ))
		}
		name, elem = types.ExprString(typ), array.Elt
	}
	parts := make([]string, len(list))
	for i, v := range list {
		var err error
		if parts[i], err = goValue(v, elem); err != nil {
			return "", err
		}
	}
	return name + "{" + strings.Join(parts, ", ") + "}", nil
}

func goMap(m map[string]any, typ ast.Expr) (string, error) {
	keys := make([]string, 0, len(m))
	values := make([]any, 0, len(m))
	for k, v := range m {
		keys, values = append(keys, k), append(values, v)
	}
	slices.Sort(keys)
	name, elem, text := "map[string]"+commonType(values), ast.Expr(nil), true
	if typ != nil {
		declared, ok := typ.(*ast.MapType)
		if !ok {
			return "", fmt.Errorf("an object is given, must be a %s", types.ExprString(typ))
		}
		name, elem = types.ExprString(typ), declared.Value
		key, ok := declared.Key.(*ast.Ident)
		text = !ok || kindOfType(key) != noString // JSON's keys are text; a map of Go's may have numbers
	}
	parts := make([]string, len(keys))
	for i, k := range keys {
		value, err := goValue(m[k], elem)
		if err != nil {
			return "", err
		}
		if text {
			k = strconv.Quote(k)
		}
		parts[i] = k + ": " + value
	}
	return name + "{" + strings.Join(parts, ", ") + "}", nil
}

// commonType is a type that holds all values, and is any for those that have nothing in common.
func commonType(values []any) string {
	common := ""
	for _, v := range values {
		t := typeOf(v)
		switch {
		case common == "" || common == t:
			common = t
		case common+t == "intfloat64" || common+t == "float64int":
			common = "float64"
		default:
			return "any"
		}
	}
	if common == "" {
		return "any"
	}
	return common
}

func typeOf(v any) string {
	switch v := v.(type) {
	case bool:
		return "bool"
	case string:
		return "string"
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return "float64"
		}
		return "int"
	case []any:
		return "[]" + commonType(v)
	case map[string]any:
		if _, ok := v[jsonFloat]; ok {
			return "float64"
		}
		values := make([]any, 0, len(v))
		for _, e := range v {
			values = append(values, e)
		}
		return "map[string]" + commonType(values)
	}
	return "any"
}
