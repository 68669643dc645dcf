package check

import (
	"go/ast"
	"go/types"
	"strings"
)

// Methods that lists, dictionaries and strings of other languages have, with what Go writes for x. The method's
// arguments come where … is.
var (
	ofLists = map[string]string{
		"append": "x = append(x, …)", "push": "x = append(x, …)", "add": "x = append(x, …)", "extend": "x = append(x, other...)",
		"len": "len(x)", "length": "len(x)", "size": "len(x)", "shape": "len(x)", "count": "len(x)",
		"sort": "slices.Sort(x)", "reverse": "slices.Reverse(x)", "copy": "slices.Clone(x)", "index": "slices.Index(x, …)",
		"contains": "slices.Contains(x, …)", "includes": "slices.Contains(x, …)", "insert": "x = slices.Insert(x, …)",
		"pop": "x = x[:len(x)-1]", "remove": "x = slices.Delete(x, i, i+1)", "min": "slices.Min(x)", "max": "slices.Max(x)",
		"sum": "floats.Sum(x)", "mean": "stat.Mean(x, nil)", "std": "stat.StdDev(x, nil)", "var": "stat.Variance(x, nil)",
		"join": "strings.Join(x, …)", "clear": "x = nil",
	}
	ofMaps = map[string]string{
		"keys": "slices.Sorted(maps.Keys(x))", "values": "maps.Values(x)", "items": "for k, v := range x", "get": "v, ok := x[…]",
		"len": "len(x)", "size": "len(x)", "length": "len(x)", "pop": "delete(x, …)", "delete": "delete(x, …)", "has": "_, ok := x[…]",
		"copy": "maps.Clone(x)", "clear": "clear(x)",
	}
	ofStrings = map[string]string{
		"upper": "strings.ToUpper(x)", "lower": "strings.ToLower(x)", "strip": "strings.TrimSpace(x)", "trim": "strings.TrimSpace(x)",
		"split": "strings.Split(x, …)", "replace": "strings.ReplaceAll(x, …)", "startswith": "strings.HasPrefix(x, …)",
		"endswith": "strings.HasSuffix(x, …)", "find": "strings.Index(x, …)", "contains": "strings.Contains(x, …)", "len": "len(x)",
		"length": "len(x)", "format": "fmt.Sprintf(x, …)", "join": "strings.Join(list, x)", "count": "strings.Count(x, …)",
		"repeat": "strings.Repeat(x, n)",
	}
)

// foreignMethod is about a method that a slice, map or string has in other languages.
func (s *Stage) foreignMethod(sel *ast.SelectorExpr) string {
	var list map[string]string
	switch t := s.underlying(sel.X).(type) {
	case *types.Slice, *types.Array:
		list = ofLists
		if !isFloats(s.Info.TypeOf(sel.X)) && (sel.Sel.Name == "mean" || sel.Sel.Name == "std" || sel.Sel.Name == "var" || sel.Sel.Name == "sum") {
			return ""
		}
	case *types.Map:
		list = ofMaps
	case *types.Basic:
		if t.Info()&types.IsString != 0 {
			list = ofStrings
		}
	}
	instead := list[strings.ToLower(sel.Sel.Name)]
	if instead == "" || s.Info.Selections[sel] != nil {
		return ""
	}
	return "Go writes: " + replaceName(instead, "x", types.ExprString(sel.X)) + "."
}

// replaceName puts a text in the place of a name of one letter.
func replaceName(text, name, with string) string {
	var b strings.Builder
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z')
	}
	for i := range len(text) {
		if text[i] == name[0] && !letter(i-1) && !letter(i+1) {
			b.WriteString(with)
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
