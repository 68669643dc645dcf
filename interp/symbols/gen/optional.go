package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// optional lists, for an interface, further methods that compiled code looks for in its values and whose absence
// changes what that code does or by how much it is slower. A wrapper has those of them that the boxed value's type has.
// Each entry is the name of an interface or of one method with its signature. What Gaucho's own packages look for is
// found in their sources.
var optional = map[string][]string{
	"flag.Value":              {"flag.Getter", "IsBoolFlag() bool"},
	"hash.Hash":               {"hash.Cloner"},
	"io.ByteReader":           {"io.Reader"},
	"io.Reader":               {"io.Closer", "io.ByteReader", "io.RuneScanner", "io.Seeker"},
	"io.Writer":               {"io.Closer", "io.StringWriter"},
	"io/fs.FS":                {"io/fs.ReadDirFS", "io/fs.ReadFileFS", "io/fs.StatFS", "io/fs.GlobFS"},
	"io/fs.File":              {"io/fs.ReadDirFile", "io.Seeker"},
	"math/rand.Source":        {"math/rand.Source64"},
	"net/http.ResponseWriter": {"net/http.Flusher", "net/http.Hijacker"},
	"net/http.RoundTripper":   {"CloseIdleConnections()"},
	"image.Image":             {"image.PalettedImage", "image/draw.Image"},

	"gonum.org/v1/gonum/integrate/quad.FixedLocationer": {"gonum.org/v1/gonum/integrate/quad.FixedLocationSingler"},
	"gonum.org/v1/gonum/mat.Matrix":                     {"gonum.org/v1/gonum/mat.Vector", "gonum.org/v1/gonum/mat.RawMatrixer", "gonum.org/v1/gonum/mat.RawVectorer"},
	"gonum.org/v1/gonum/mat.Symmetric":                  {"gonum.org/v1/gonum/mat.RawSymmetricer"},
	"gonum.org/v1/gonum/mat.Triangular":                 {"gonum.org/v1/gonum/mat.RawTriangular"},
	"gonum.org/v1/gonum/mat.Vector":                     {"gonum.org/v1/gonum/mat.RawVectorer"},
	"gonum.org/v1/gonum/optimize.Method":                {"gonum.org/v1/gonum/optimize.Statuser"},
	"gonum.org/v1/gonum/spatial/kdtree.Comparable":      {"gonum.org/v1/gonum/spatial/kdtree.Extender"},
	"gonum.org/v1/gonum/spatial/kdtree.Interface":       {"Bounds() *{gonum.org/v1/gonum/spatial/kdtree}.Bounding"},
	"gonum.org/v1/plot.Plotter":                         {"gonum.org/v1/plot.DataRanger", "gonum.org/v1/plot.GlyphBoxer"},
	"gonum.org/v1/plot/plotter.GridXYZ":                 {"Min() float64", "Max() float64"},
}

// optionalOf returns the groups of optional methods of an interface that it does not have itself.
func (b *build) optionalOf(path, name string, has []wrapMethod) [][]wrapMethod {
	var groups [][]wrapMethod
	for _, text := range append(slices.Clone(optional[path+"."+name]), b.asserted[path+"."+name]...) {
		var group []wrapMethod
		for _, m := range b.optionalMethods(text) {
			if !slices.ContainsFunc(has, func(h wrapMethod) bool { return h.name == m.name }) {
				group = append(group, m)
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// optionalMethods reads an entry of optional.
func (b *build) optionalMethods(text string) []wrapMethod {
	if name, rest, ok := strings.Cut(text, "()"); ok {
		m := wrapMethod{name: name}
		if rest != "" {
			m.results = []string{strings.TrimSpace(rest)}
		}
		return []wrapMethod{m}
	}
	dot := strings.LastIndexByte(text, '.')
	p := b.pkgs[text[:dot]]
	if p == nil {
		panic("optional: no package for " + text)
	}
	obj := p.types.Scope().Lookup(text[dot+1:])
	if obj == nil {
		panic("optional: no interface " + text)
	}
	w, ok := b.wrapper(obj.Name(), obj.Type().Underlying().(*types.Interface))
	if !ok {
		panic("optional: " + text + " cannot be wrapped")
	}
	return w.methods
}

// findAsserted looks through the functions of Gaucho's packages for type assertions from one exported interface to
// another.
func (b *build) findAsserted(src *sources) error {
	b.asserted = map[string][]string{}
	for _, p := range b.public {
		if group(p.ImportPath) != "gaucho" || emitted(p.ImportPath) {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			f, err := parser.ParseFile(src.fset, "asserted/"+p.ImportPath+"/"+name, text, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files = append(files, f)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		conf := b.config(p)
		conf.IgnoreFuncBodies = false
		if _, err := conf.Check(p.ImportPath, src.fset, files, info); err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeAssertExpr:
					if n.Type != nil {
						b.assertion(info.TypeOf(n.X), info.TypeOf(n.Type))
					}
				case *ast.TypeSwitchStmt:
					b.typeSwitch(info, n)
				}
				return true
			})
		}
	}
	return nil
}

func (b *build) typeSwitch(info *types.Info, n *ast.TypeSwitchStmt) {
	var x ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	}
	for _, clause := range n.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			b.assertion(info.TypeOf(x), info.TypeOf(e))
		}
	}
}

func (b *build) assertion(from, to types.Type) {
	name := func(t types.Type) string {
		n, ok := types.Unalias(t).(*types.Named)
		if !ok || n.Obj().Pkg() == nil || !types.IsInterface(n) || !b.named(n.Obj(), n.TypeArgs()) {
			return ""
		}
		w, ok := b.wrapper("", n.Underlying().(*types.Interface))
		if !ok || len(w.methods) == 0 {
			return ""
		}
		return n.Obj().Pkg().Path() + "." + n.Obj().Name()
	}
	f, t := name(from), name(to)
	if f == "" || t == "" || slices.Contains(b.asserted[f], t) || slices.Contains(optional[f], t) {
		return
	}
	b.asserted[f] = append(b.asserted[f], t)
	slices.Sort(b.asserted[f])
}
