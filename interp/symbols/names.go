package symbols

import (
	"cmp"
	_ "embed"
	"go/token"
	"slices"
	"strings"
	"sync"
)

// Paths returns the import paths of all packages that cells can import, sorted. The caller must not change it.
func Paths() []string { return names().paths }

// Mentioned returns the import paths of the packages that cells cannot import and of which [Paths] export variables, functions
// or types that are of their types, sorted.
func Mentioned() []string {
	var paths []string
	for path, d := range typeIndex() {
		if !d.public {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Name returns the name of the package with the given path, which is not always the path's last element
// (math/rand/v2 is rand), or "" where cells cannot import it.
func Name(path string) string {
	if path == "unsafe" {
		return path
	}
	if d := typeIndex()[path]; d != nil && d.public {
		return d.name
	}
	return ""
}

// ByName returns the paths of the packages with the given name, in the order in which import on use prefers them:
// Gaucho's, then those of gonum that deal with numbers and figures, then the standard library's, then the rest of gonum
// (graph/path would otherwise hide path). Among the standard library's, math/rand/v2 comes before math/rand before
// crypto/rand, and text/template before html/template. A caller who knows which members are used takes the first package
// that has them. The caller must not change the result.
func ByName(name string) []string { return names().byName[name] }

type nameIndex struct {
	paths  []string
	byName map[string][]string
}

var names = sync.OnceValue(func() nameIndex {
	n := nameIndex{byName: map[string][]string{"unsafe": {"unsafe"}}, paths: []string{"unsafe"}}
	for path, d := range typeIndex() {
		if d.public {
			n.paths = append(n.paths, path)
			n.byName[d.name] = append(n.byName[d.name], path)
		}
	}
	slices.Sort(n.paths)
	for _, list := range n.byName {
		slices.SortFunc(list, func(a, b string) int {
			return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
		})
	}
	return n
})

// first lists packages of the standard library that come before others of the same name.
var first = []string{"math/rand/v2", "math/rand", "text/template", "runtime/pprof"}

// remote lists directories of gonum whose packages come after the standard library's.
var remote = []string{
	"gonum.org/v1/gonum/graph", "gonum.org/v1/gonum/unit", "gonum.org/v1/gonum/blas/gonum",
	"gonum.org/v1/gonum/lapack/gonum", "gonum.org/v1/plot/gob", "gonum.org/v1/plot/tools",
}

func rank(path string) int {
	under := func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }
	switch {
	case under("gaucho"):
		return 0
	case slices.ContainsFunc(remote, under):
		return 100
	case under("gonum.org"):
		return 1
	}
	if i := slices.Index(first, path); i >= 0 {
		return 2 + i
	}
	return 50
}

//go:embed data/names.txt
var namesText string

// special is read from names.txt: the interfaces that have a wrapper, under "wrap/" and the package's path, the exported
// names that are in no table, under "-" and the package's path, and under "?" packages for [Asserts].
var special = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.Lines(namesText + newerFile("names.txt")) {
		words := strings.Fields(line)
		m[words[0]] = words[1:]
	}
	return m
})

// Has reports whether the table of a package has the name. The path "wrap/" and a package's path stands for the table of
// wrappers of the package's interfaces; one that a function asks for without giving it a name is called after what it
// embeds, as "XYer_YErrorer" in plotter. Generic functions and types and constraints are in no table; see [Source].
func Has(path, name string) bool {
	if strings.HasPrefix(path, "wrap/") {
		return slices.Contains(special()[path], name)
	}
	if slices.Contains(special()["-"+path], name) {
		return false
	}
	d := typeIndex()[path]
	if d == nil || !d.public && path != instPath || !token.IsExported(name) {
		return false
	}
	_, ok := slices.BinarySearch(d.open().Names(), name)
	return ok
}

// Asserts reports whether a package looks for methods, by type assertions, in values that it gets as any.
func Asserts(path string) bool {
	_, ok := special()["?"+path]
	return ok
}
