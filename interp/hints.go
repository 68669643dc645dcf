package interp

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gaucho/interp/symbols"
)

var (
	undefinedName   = regexp.MustCompile(`^undefined: (\w+)$`)
	undefinedMember = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	noFieldOrMethod = regexp.MustCompile(` undefined \(type .* has no field or method (\w+)\)$`)
)

// pythonNames are names that people who come from Python try.
var pythonNames = map[string]string{
	"True": "Go's word is true.", "False": "Go's word is false.", "None": "Go's word is nil.",
	"help":   "%doc NAME shows a name's documentation, and so does NAME? in a cell of its own.",
	"dir":    "%who lists the session's names, and Tab behind a point completes members.",
	"exit":   "The front end's menu shuts the kernel down; %reset forgets everything.",
	"quit":   "The front end's menu shuts the kernel down; %reset forgets everything.",
	"printf": "fmt.Printf prints by a format.", "sprintf": "fmt.Sprintf formats.",
	"str": "fmt.Sprint(x) makes a string of any value.", "input": "fmt.Scanln(&x) reads from the user.",
	"sorted":     "slices.Sorted sorts what an iterator gives, slices.Sort(s) a slice in place.",
	"isinstance": "A type switch, or v, ok := x.(T), asks for a type.",
	"sum":        "A loop sums: for _, v := range xs { total += v }; floats.Sum sums a []float64.",
	"abs":        "math.Abs(x) is of a float64.", "round": "math.Round(x) is of a float64.", "sqrt": "math.Sqrt(x) is of a float64.",
	"pow": "math.Pow(x, y) is of float64s.", "list": "A slice literal is []int{1, 2, 3}.", "dict": "A map literal is map[string]int{\"a\": 1}.",
}

// withHints adds what may help to problems with names.
func (s *Session) withHints(sc *scope, problems []problem) []problem {
	for i := range problems {
		if problems[i].hint == "" {
			problems[i].hint = s.hint(sc, problems[i])
		}
	}
	return problems
}

func (s *Session) hint(sc *scope, p problem) string {
	if hint := mustHint(sc, p.msg); hint != "" {
		return hint
	}
	if m := undefinedName.FindStringSubmatch(p.msg); m != nil {
		if hint := pythonNames[m[1]]; hint != "" {
			return hint
		}
		if near := s.nearestName(sc, p, m[1]); near != "" {
			return fmt.Sprintf("Did you mean %s?", near)
		}
	}
	if m := undefinedMember.FindStringSubmatch(p.msg); m != nil {
		path := sc.imports[m[1]]
		if path == "" {
			path = s.checker.find(m[1], map[string]bool{m[2]: true})
		}
		if pkg, err := s.checker.importer.Import(path); err == nil {
			if near := nearest(m[2], exported(pkg.Scope())); near != "" {
				return fmt.Sprintf("Package %s has %s.%s.", path, m[1], near)
			}
		}
	}
	if m := noFieldOrMethod.FindStringSubmatch(p.msg); m != nil && p.typ != nil {
		if near := nearest(m[1], memberNames(p.typ, s.checker.pkg)); near != "" {
			return fmt.Sprintf("The type has %s.", near)
		}
	}
	return ""
}

// nearestName is a name that is like the one typed and can be meant at the place: one of the cell, else of the session, else
// a package before a dot, or one of Go's own.
func (s *Session) nearestName(sc *scope, p problem, name string) string {
	var imported, packages []string
	for n := range sc.imports {
		imported = append(imported, n)
	}
	for _, path := range symbols.Paths() {
		packages = append(packages, symbols.Name(path))
	}
	lists := [][]string{p.own, slices.Collect(maps.Keys(sc.names))}
	if p.pkg {
		lists = append(lists, imported, packages)
	} else {
		lists = append(lists, universe)
	}
	for _, list := range lists {
		if near := nearest(name, list); near != "" {
			return near
		}
	}
	return ""
}

// universe are Go's own names, without iota, which means something in declarations of constants only.
var universe = slices.DeleteFunc(types.Universe.Names(), func(n string) bool { return n == "iota" })

func exported(sc *types.Scope) []string {
	var out []string
	for _, n := range sc.Names() {
		if token.IsExported(n) {
			out = append(out, n)
		}
	}
	return out
}

// receiverAt is the type of x where the selector of x.Sel stands at pos.
func receiverAt(root ast.Node, info *types.Info, pos token.Pos) types.Type {
	var t types.Type
	ast.Inspect(root, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Pos() == pos {
			t = info.TypeOf(sel.X)
		}
		return t == nil
	})
	return t
}

// nearest is the name most like the one typed, or "" when none is near: at most one edit for three letters, where a
// letter of the other case counts as no edit, and none for a single letter, which is like too many.
func nearest(name string, names []string) string {
	best, at := "", (len(name)+2)/3+1
	if len(name) == 1 {
		at = 1
	}
	for _, n := range names {
		if n == name || strings.Contains(n, mark) {
			continue
		}
		d := editDistance(strings.ToLower(name), strings.ToLower(n), at+1)
		if d < at || d == at && best != "" && n < best {
			best, at = n, d
		}
	}
	return best
}

// editDistance is the number of insertions, deletions, substitutions and swaps of neighbours between a and b, or
// limit when it is at least that.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	older, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, prev, row = prev, row, older
	}
	return min(prev[len(b)], limit)
}

func abs(x int) int { return max(x, -x) }
