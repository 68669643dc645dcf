package assist

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/api"
	"gaucho/interp/check"
	"gaucho/interp/symbols"
)

// common are the packages that cells use most, the most likely first.
var common = []string{
	"fmt", "strings", "mat", "math", "maps", "plotting", "stat", "slices", "os", "time", "strconv", "sort", "rand", "table", "json", "errors",
	"floats", "vec", "linalg", "distuv", "widgets", "display", "regression", "csv", "bufio", "sync", "context", "io", "http", "regexp", "filepath",
	"bytes", "cmp", "em", "filtering", "herding", "inference", "nn", "rl", "rkhs", "study", "kernelmachine", "boosting", "mabfdr", "testing",
}

// likelyFirst sorts items that match a prefix: names of the cell and the session, then packages that the session uses, then
// common ones, then Go's own names, then the other packages. Within each the order stays.
func likelyFirst(items []api.Item, sc *check.Scope) {
	place := func(it api.Item) int {
		i := slices.Index(common, it.Text)
		switch {
		case it.Type == "package" && sc.Imports[it.Text] != "":
			return 1
		case it.Type == "package" && i >= 0:
			return 2 + i
		case it.Type == "package":
			return 1000
		case it.Own:
			return 0
		}
		return 500
	}
	slices.SortStableFunc(items, func(a, b api.Item) int { return place(a) - place(b) })
}

// fewLetters is how many letters it takes for members of packages to be offered without the package's name, and manyMembers how
// many of them are.
const (
	fewLetters  = 3
	manyMembers = 20
)

// elsewhere offers what packages export under names that begin with a prefix: stat.Mean for mean. Packages of the session
// come first.
func (v *View) elsewhere(sc *check.Scope, prefix string) []api.Item {
	if len(prefix) < fewLetters {
		return nil
	}
	var paths []string
	for _, name := range common {
		if path := sc.Imports[name]; path != "" {
			paths = append(paths, path)
		} else if list := symbols.ByName(name); len(list) > 0 && !sc.Live(name) {
			paths = append(paths, list[0])
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return imported(sc, a) - imported(sc, b) })
	var out []api.Item
	for _, path := range paths {
		pkg, err := v.Checker.Importer.Import(path)
		if err != nil {
			continue
		}
		for _, n := range check.ExportedNames(pkg.Scope()) {
			if len(out) < manyMembers && len(n) >= len(prefix) && strings.EqualFold(n[:len(prefix)], prefix) {
				it := itemOf(pkg.Scope().Lookup(n))
				it.Text = pkg.Name() + "." + n
				out = append(out, it)
			}
		}
	}
	return out
}

// imported is 0 for a package that the session has imported, 1 for others.
func imported(sc *check.Scope, path string) int {
	for _, p := range sc.Imports {
		if p == path {
			return 0
		}
	}
	return 1
}

// typeStands reports whether only a type can be at the cursor.
func (g *cursorContext) typeStands() bool {
	i := len(g.path) - 1
	if g.selector() != nil {
		i--
	}
	for ; i > 0; i-- {
		x, _ := g.path[i].(ast.Expr)
		switch p := g.path[i-1].(type) {
		case *ast.ValueSpec:
			return p.Type == x
		case *ast.Field:
			return p.Type == x
		case *ast.TypeSpec:
			return p.Type == x
		case *ast.ChanType, *ast.MapType:
			return true
		case *ast.ArrayType:
			return p.Elt == x
		case *ast.TypeAssertExpr:
			return p.Type == x
		case *ast.CallExpr:
			f, ok := p.Fun.(*ast.Ident)
			return ok && (f.Name == "make" || f.Name == "new") && len(p.Args) > 0 && p.Args[0] == x && g.check.Info.Uses[f] == types.Universe.Lookup(f.Name)
		case *ast.StarExpr, *ast.Ellipsis, *ast.ParenExpr: // of a type if that is one
			continue
		}
		return false
	}
	return false
}

// typesOnly keeps what a type can begin with.
func typesOnly(items []api.Item) []api.Item {
	begins := []string{token.CHAN.String(), token.FUNC.String(), token.INTERFACE.String(), token.MAP.String(), token.STRUCT.String()}
	return slices.DeleteFunc(items, func(it api.Item) bool {
		return it.Type != "type" && it.Type != "package" && (it.Type != "keyword" || !slices.Contains(begins, it.Text))
	})
}
