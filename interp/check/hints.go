package check

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/symbols"
)

var (
	undefinedName   = regexp.MustCompile(`^undefined: (\w+)$`)
	undefinedMember = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
	anotherOfName   = regexp.MustCompile(`^cannot use .* of (?:\w+ )?type (.+)\) as (.+) value in `)
	unknownField    = regexp.MustCompile(`^unknown field (\w+) in struct literal`)
	noFieldOrMethod = regexp.MustCompile(` undefined \(type .* has no field or method (\w+)\)$`)
)

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
		return s.undefinedHint(p, m[1])
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
			return fmt.Sprintf("%s %%doc %s says more.", there("Package "+m[1]+" has", ExportedNames(pkg.Scope())), m[1])
		}
	}
	if m := noFieldOrMethod.FindStringSubmatch(p.Msg); m != nil && p.typ != nil {
		if name := s.newerHas(p.typ, m[1]); name != "" {
			return fmt.Sprintf("The value is of the earlier %s, without %s. Make it again to have one of the new type.", name, m[1])
		}
		if near := cell.Nearest(m[1], memberNames(p.typ, s.Pkg)); near != "" {
			return fmt.Sprintf("The type has %s.", near)
		}
		return there("The type has", memberNames(p.typ, s.Pkg))
	}
	if m := unknownField.FindStringSubmatch(p.Msg); m != nil && p.typ != nil && !strings.Contains(p.Msg, ", but does have ") {
		names := fieldNames(p.typ, s.Pkg)
		if near := cell.Nearest(m[1], names); near != "" {
			return fmt.Sprintf("The struct has %s.", near)
		}
		return there("The struct has", names)
	}
	if m := anotherOfName.FindStringSubmatch(p.Msg); m != nil && m[1] == m[2] {
		return fmt.Sprintf("One %[1]s is of an earlier declaration of a type. Declare what still has that one again.", m[1])
	}
	return ""
}

// there lists the names of what there is, the first forty of many.
func there(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	more := ""
	if n := len(names); n > 40 {
		names, more = names[:40], fmt.Sprintf(" and %d more", n-40)
	}
	return fmt.Sprintf("%s %s%s.", what, strings.Join(names, ", "), more)
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

// undefinedHint is about a name that nothing declares: one that a cell declares that did not come so far, one of another
// language, one of a package, or one that is like it.
func (s *Stage) undefinedHint(p Finding, name string) string {
	if f, ok := s.scope.Failed[name]; ok {
		return f.hint(name)
	}
	own := slices.Clone(p.own)
	for n := range s.scope.Names {
		if p.call || !isMust(s.scope, n) {
			own = append(own, n)
		}
	}
	if near := cell.Nearest(name, own); near != "" {
		return fmt.Sprintf("Did you mean %s?", near)
	}
	if hint := cmp.Or(pythonNames[name], cell.PackageInstead(name)); hint != "" {
		return hint
	}
	if p.call && !p.pkg {
		if f := elsewhere(name, s.Importer); f != "" {
			return fmt.Sprintf("Did you mean %s?", f)
		}
	}
	if near := s.nearestName(p, name); near != "" {
		return fmt.Sprintf("Did you mean %s?", near)
	}
	return ""
}

// nearestName is a name of a package, before a dot, or else one of Go's own that is like the one typed and can be meant at the place.
func (s *Stage) nearestName(p Finding, name string) string {
	if p.pkg {
		var packages []string
		for _, path := range symbols.Paths() {
			packages = append(packages, symbols.Name(path))
		}
		return cmp.Or(cell.Nearest(name, slices.Collect(maps.Keys(s.scope.Imports))), cell.Nearest(name, packages))
	}
	var fitting []string
	for _, n := range universe {
		switch types.Universe.Lookup(n).(type) {
		case *types.Builtin:
			if p.call {
				fitting = append(fitting, n)
			}
		case *types.TypeName:
			if p.call || p.isOf {
				fitting = append(fitting, n)
			}
		case *types.Const:
			if !p.call && !p.isOf && len(n) == len(name) {
				fitting = append(fitting, n)
			}
		}
	}
	return cell.Nearest(name, fitting)
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
