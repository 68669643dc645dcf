package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"

	"gaucho/interp/cell"
	"gaucho/interp/symbols"
)

var (
	undefinedName   = regexp.MustCompile(`^undefined: (\w+)$`)
	undefinedMember = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	anotherOfName   = regexp.MustCompile(`^cannot use .* of (?:\w+ )?type (.+)\) as (.+) value in `)
	noFieldOrMethod = regexp.MustCompile(` undefined \(type .* has no field or method (\w+)\)$`)
)

// pythonNames are names that people who come from Python try.
var pythonNames = map[string]string{
	"Out":  "Out[3] is the result of cell 3. The number must be a constant, because it determines the type.",
	"True": "In Go it is true.", "False": "In Go it is false.", "None": "In Go it is nil.",
	"help":   "%doc NAME shows a name's documentation, and so does NAME? in a cell of its own.",
	"dir":    "%who lists the session's names, and Tab after a dot completes members.",
	"exit":   "The front end's menu shuts the kernel down; %reset forgets everything.",
	"quit":   "The front end's menu shuts the kernel down; %reset forgets everything.",
	"printf": "Use fmt.Printf to print with a format.", "sprintf": "Use fmt.Sprintf to format.",
	"str": "Use fmt.Sprint(x) to make a string of any value.", "input": "fmt.Scanln(&x) reads from the user.",
	"sorted":     "slices.Sort(s) sorts a slice in place, slices.Sorted the values of an iterator.",
	"isinstance": "Use a type switch, or v, ok := x.(T), to test for a type.",
	"sum":        "Sum in a loop: for _, v := range xs { total += v }; floats.Sum sums a []float64.",
	"abs":        "Use math.Abs(x) for a float64.", "round": "Use math.Round(x) for a float64.", "sqrt": "Use math.Sqrt(x) for a float64.",
	"pow": "Use math.Pow(x, y) for float64s.", "list": "Write a slice as []int{1, 2, 3}.", "dict": "Write a map as map[string]int{\"a\": 1}.",
}

// Problems are the findings as problems, with hints.
func (s *Stage) Problems() (out []cell.Problem) {
	for _, f := range s.findings {
		if f.Hint == "" {
			f.Hint = s.hint(f)
		}
		out = append(out, f.Problem)
	}
	return out
}

func (s *Stage) hint(p Finding) string {
	if hint := mustHint(s.scope, p.Msg); hint != "" {
		return hint
	}
	if m := undefinedName.FindStringSubmatch(p.Msg); m != nil {
		if hint := pythonNames[m[1]]; hint != "" {
			return hint
		}
		if near := s.nearestName(p, m[1]); near != "" {
			return fmt.Sprintf("Did you mean %s?", near)
		}
	}
	if m := undefinedMember.FindStringSubmatch(p.Msg); m != nil {
		path := s.scope.Imports[m[1]]
		if path == "" {
			path = s.Find(m[1], map[string]bool{m[2]: true})
		}
		if pkg, err := s.Importer.Import(path); err == nil {
			if near := cell.Nearest(m[2], ExportedNames(pkg.Scope())); near != "" {
				return fmt.Sprintf("Package %s has %s.%s.", path, m[1], near)
			}
		}
	}
	if m := noFieldOrMethod.FindStringSubmatch(p.Msg); m != nil && p.typ != nil {
		if name := s.newerHas(p.typ, m[1]); name != "" {
			return fmt.Sprintf("The value is of the earlier %s, without %s. Make it again to have one of the new type.", name, m[1])
		}
		if near := cell.Nearest(m[1], memberNames(p.typ, s.Pkg)); near != "" {
			return fmt.Sprintf("The type has %s.", near)
		}
	}
	if m := anotherOfName.FindStringSubmatch(p.Msg); m != nil && m[1] == m[2] {
		return fmt.Sprintf("One %[1]s is of an earlier declaration of a type. Declare what still has that one again.", m[1])
	}
	return ""
}

// newerHas is the name of a type that was declared anew, and in its new form has a field or method, "" for others.
func (s *Stage) newerHas(t types.Type, member string) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	newer, ok := s.Pkg.Scope().Lookup(n.Obj().Name()).(*types.TypeName)
	if !ok { // the cell does not mention the name
		if e := s.scope.Names[n.Obj().Name()]; e != nil {
			newer, ok = e.Obj.(*types.TypeName)
		}
	}
	if !ok || newer == n.Origin().Obj() {
		return ""
	}
	if obj, _, _ := types.LookupFieldOrMethod(newer.Type(), true, s.Pkg, member); obj == nil {
		return ""
	}
	return newer.Name()
}

// nearestName is a name that is like the one typed and can be meant at the place: one of the cell, else of the session, else
// a package before a dot, or one of Go's own.
func (s *Stage) nearestName(p Finding, name string) string {
	var imported, packages []string
	for n := range s.scope.Imports {
		imported = append(imported, n)
	}
	for _, path := range symbols.Paths() {
		packages = append(packages, symbols.Name(path))
	}
	lists := [][]string{p.own, slices.Collect(maps.Keys(s.scope.Names))}
	if p.pkg {
		lists = append(lists, imported, packages)
	} else {
		lists = append(lists, universe)
	}
	for _, list := range lists {
		if near := cell.Nearest(name, list); near != "" {
			return near
		}
	}
	return ""
}

// universe are Go's own names, without iota, which means something in declarations of constants only.
var universe = slices.DeleteFunc(types.Universe.Names(), func(n string) bool { return n == "iota" })

// ExportedNames returns the exported names of a package's scope.
func ExportedNames(sc *types.Scope) []string {
	var out []string
	for _, n := range sc.Names() {
		if token.IsExported(n) {
			out = append(out, n)
		}
	}
	return out
}

// receiverAt is the type of x where the selector of x.Sel is at pos.
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
