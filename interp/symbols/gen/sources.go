package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/internal/modpath"
	"gaucho/interp/docs"
)

// overlayDir holds hand-written sources in place of what the interpreter cannot lower, a file for each package.
const overlayDir = "gen/overlay"

// writeSources writes the sources of generic functions and types. Each package becomes one file: the generic
// declarations, those that they need, and the overlay's in place of those of the same name. A package whose generic
// parts are all in its overlay consists of the overlay.
func writeSources(builds, next []*build, out output) error {
	base, err := sourcesOf(builds[0])
	if err != nil {
		return err
	}
	later, err := sourcesOf(next[0])
	if err != nil {
		return err
	}
	out[dataDir+"/sources.bin"] = archive(builds[0], base)
	out[newerDir+"/sources.bin"] = archive(next[0], changed(base, later))
	return nil
}

// withoutSource are packages whose generic functions are compiled only: they share too much with the rest of the package.
var withoutSource = []string{"encoding/json/jsontext", "encoding/json/v2"}

func sourcesOf(b *build) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, p := range b.public {
		roots := missing(p)
		if (p.Standard || strings.HasPrefix(p.ImportPath, "gaucho/")) && !emitted(p.ImportPath) && len(roots) > 0 &&
			!slices.Contains(withoutSource, p.ImportPath) {
			text, err := sourceOf(p, roots)
			if err != nil {
				return nil, fmt.Errorf("source of %s: %w", p.ImportPath, err)
			}
			all[p.ImportPath] = text
		}
	}
	return all, nil
}

// A decls is the package-level declarations of some files, by name; methods are under the name of their type.
type decls struct {
	fset    *token.FileSet
	byName  map[string][]ast.Decl
	order   []string
	imports map[string]string // name to path
}

func newDecls() *decls {
	return &decls{fset: token.NewFileSet(), byName: map[string][]ast.Decl{}, imports: map[string]string{}}
}

func (d *decls) parse(file string) error {
	f, err := parser.ParseFile(d.fset, file, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, spec := range f.Imports {
		path := modpath.Cell(strings.Trim(spec.Path.Value, `"`))
		d.imports[importedName(path)] = path
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			name := decl.Name.Name
			if decl.Recv != nil {
				name = docs.Receiver(decl.Recv.List[0].Type)
			}
			d.add(name, decl)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					d.add(spec.Name.Name, &ast.GenDecl{Tok: token.TYPE, Specs: []ast.Spec{spec}})
				case *ast.ValueSpec:
					for _, name := range spec.Names { // the whole group, for the sake of iota
						if name.Name != "_" {
							d.add(name.Name, decl)
						}
					}
				}
			}
		}
	}
	return nil
}

// importedName is the name of a package imported without one.
func importedName(path string) string {
	elems := strings.Split(path, "/")
	if last := elems[len(elems)-1]; len(elems) == 1 || len(last) != 2 || last[0] != 'v' {
		return last
	}
	return elems[len(elems)-2]
}

func (d *decls) add(name string, decl ast.Decl) {
	if _, ok := d.byName[name]; !ok {
		d.order = append(d.order, name)
	}
	d.byName[name] = append(d.byName[name], decl)
}

// closure returns the names reached from the roots. Every identifier counts that is spelled like a declaration, which
// at worst takes too much.
func (d *decls) closure(roots []string) map[string]bool {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] || d.byName[name] == nil {
			return
		}
		seen[name] = true
		for _, decl := range d.byName[name] {
			ast.Inspect(decl, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && d.imports[x.Name] != "" {
						return false
					}
				}
				if id, ok := n.(*ast.Ident); ok {
					visit(id.Name)
				}
				return true
			})
		}
	}
	for _, name := range roots {
		visit(name)
	}
	return seen
}

func sourceOf(p *pkg, roots []string) ([]byte, error) {
	d := newDecls()
	overlay := filepath.Join(overlayDir, strings.ReplaceAll(p.ImportPath, "/", "_")+".go")
	if matches, _ := filepath.Glob(overlay); matches != nil {
		if err := d.parse(overlay); err != nil {
			return nil, err
		}
	}
	over := maps.Clone(d.byName)
	if slices.ContainsFunc(roots, func(name string) bool { return over[name] == nil }) {
		library := newDecls()
		for _, name := range p.GoFiles {
			if err := library.parse(filepath.Join(p.Dir, name)); err != nil {
				return nil, err
			}
		}
		for _, name := range library.order {
			if over[name] == nil {
				d.order = append(d.order, name)
				d.byName[name] = library.byName[name]
			}
		}
		maps.Copy(d.imports, library.imports)
	}
	return d.print(p.Name, d.closure(roots))
}

// print writes one file with the given declarations and the imports that they use.
func (d *decls) print(pkg string, names map[string]bool) ([]byte, error) {
	var body bytes.Buffer
	imports := map[string]bool{}
	done := map[ast.Decl]bool{}
	for _, name := range d.order {
		for _, decl := range d.byName[name] {
			if !names[name] || done[decl] {
				continue
			}
			done[decl] = true
			if err := format.Node(&body, token.NewFileSet(), decl); err != nil {
				return nil, err
			}
			body.WriteString("\n")
			ast.Inspect(decl, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := sel.X.(*ast.Ident); ok && d.imports[x.Name] != "" {
						imports[d.imports[x.Name]] = true
					}
				}
				return true
			})
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n", pkg)
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "import %q\n", path)
	}
	b.Write(body.Bytes())
	return format.Source(b.Bytes())
}
