package check

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/modules"
)

// An ImportedModule is a package of a module that is run from its source, with the place of its import.
type ImportedModule struct {
	*modules.Package
	At token.Pos
}

// errForbidden is the error of an import that the session's options forbid.
var errForbidden = errors.New("this package may not be imported here")

// takeImports makes the stage's own imports known.
func (s *Stage) takeImports() {
	for _, p := range s.stage.Imports {
		for _, sp := range p.Decl.(*ast.GenDecl).Specs {
			spec := sp.(*ast.ImportSpec)
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				s.problemAt(spec.Path, "invalid import path: %s", spec.Path.Value)
				continue
			}
			pkg, err := s.Importer.Import(path)
			if errors.Is(err, errForbidden) {
				s.unimported = true
				s.problemAt(spec.Path, "package %s may not be imported here", path)
				continue
			}
			if missing := (*modules.Error)(nil); errors.As(err, &missing) {
				s.unimported = true
				s.problemAt(spec.Path, "%s", missing.Msg)
				continue
			}
			if err != nil {
				s.unimported = true
				s.problemAt(spec.Path, "%s", missingPackage(path))
				continue
			}
			if m := s.finder.Module(path); m != nil {
				s.Out.Modules = append(s.Out.Modules, ImportedModule{m, spec.Pos()})
			}
			name := pkg.Name()
			if spec.Name != nil {
				name = spec.Name.Name
			}
			switch name {
			case "_":
				continue
			case ".":
				name = "." + path
			}
			if s.Out.Start.imports == nil {
				s.Out.Start.imports = map[string]string{}
			}
			s.Out.Start.imports[name] = path
			s.scope.bring(name, path)
		}
	}
}

// missingPackage says in Go's words that a package is not to be had.
func missingPackage(path string) string {
	if path == "C" {
		return "import \"C\" is cgo, which cells cannot use"
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		return fmt.Sprintf("package %s is not in std, gonum or gaucho", path)
	}
	return fmt.Sprintf("no module that comes with Gaucho provides package %s, and this session fetches none", path)
}

// importDecls are the imports that the stage's file needs: what the session has imported and the stage mentions, and
// what it uses without an import.
func (s *Stage) importDecls() []ast.Decl {
	need := map[string]string{}
	declared := s.declaredNames()
	for name, path := range s.scope.Imports {
		if strings.HasPrefix(name, ".") {
			need[name] = path
		}
	}
	for name, sels := range s.quals {
		if declared[name] || s.scope.Live(name) {
			continue
		}
		if path := s.scope.Imports[name]; path != "" {
			need[name] = path
		} else if path := s.Find(name, sels); path != "" {
			need[name] = path
		}
	}
	for name, alias := range s.stage.Older {
		if s.scope.Live(name) {
			continue
		}
		for _, p := range s.stage.Body {
			if sels := p.Names.Qualified[name]; sels != nil && slices.Contains(p.Declares(), name) {
				need[alias] = cmp.Or(s.scope.Imports[name], s.Find(name, sels))
			}
		}
		if need[alias] == "" {
			delete(need, alias)
		}
	}
	var decls []ast.Decl
	for _, name := range slices.Sorted(maps.Keys(need)) {
		spec := &ast.ImportSpec{Path: &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(need[name])}, Name: ast.NewIdent(name)}
		if strings.HasPrefix(name, ".") {
			spec.Name.Name = "."
		}
		decls = append(decls, &ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	}
	return decls
}

// Find chooses the package that a name means without an import: the first in the order of preference that has all the
// members asked for, else the first.
func (c *Checker) Find(name string, sels map[string]bool) string {
	first := ""
	for _, path := range c.finder.ByName(name) {
		pkg, err := c.Importer.Import(path)
		switch {
		case errors.Is(err, errForbidden):
			continue
		case err == nil && hasAll(pkg.Scope(), sels):
			return path
		case first == "":
			first = path
		}
	}
	return first
}

func hasAll(scope *types.Scope, names map[string]bool) bool {
	for n := range names {
		if scope.Lookup(n) == nil {
			return false
		}
	}
	return true
}
