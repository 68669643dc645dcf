package stdsuite

import (
	"go/ast"
	"go/doc"
	"strings"
)

// An Example is one of a package's documentation with the output that it must have, as the cells of a notebook: what it
// declares, if anything, and what it does.
type Example struct {
	Package, Name string
	Cells         []string
	Output        string
	Unordered     bool
}

// Agrees reports whether what the cells print is the example's output, by the rules of go test.
func (e *Example) Agrees(printed string) bool {
	if e.Unordered {
		return sortLines(printed) == sortLines(e.Output)
	}
	return strings.TrimSpace(printed) == strings.TrimSpace(e.Output)
}

// Examples returns the examples of a package that say what they print.
func Examples(root, pkg string) ([]*Example, error) {
	files, err := read(root, pkg, func(name string) bool {
		return strings.HasPrefix(name, "example") && strings.HasSuffix(name, "_test.go")
	})
	if err != nil {
		return nil, err
	}
	tests, err := read(root, pkg, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "example")
	})
	if err != nil {
		return nil, err
	}
	var out []*Example
	for _, f := range files {
		for _, ex := range doc.Examples(f.AST) {
			if ex.Output == "" && !ex.EmptyOutput {
				continue
			}
			// What a cell declares is of package main.
			want := strings.ReplaceAll(ex.Output, f.AST.Name.Name+".", "main.")
			e := &Example{Package: pkg, Name: ex.Name, Output: want, Unordered: ex.Unordered}
			if e.Cells, err = cellsOf(f, files, tests, ex); err != nil {
				return nil, err
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// cellsOf makes cells of an example: of the program that its documentation offers to run, or where it offers none, of all
// that the examples' files declare and of the example's body.
func cellsOf(f *File, files, tests []*File, ex *doc.Example) ([]string, error) {
	if ex.Play != nil {
		play, err := printed(f.Fset, ex.Play)
		if err != nil {
			return nil, err
		}
		if !lacks(play, files) {
			return cells([]*File{play}, play, "main"), nil
		}
	}
	list := cells(append([]*File{f}, others(files, f)...), f, "Example"+ex.Name)
	for _, t := range tests { // a few use a constant of the tests
		for _, id := range f.AST.Unresolved {
			o := t.AST.Scope.Lookup(id.Name)
			if o == nil || o.Kind != ast.Con {
				continue
			}
			for _, d := range t.AST.Decls {
				if d.Pos() <= o.Pos() && o.Pos() < d.End() && !strings.Contains(list[0], t.of(d)) {
					list[0] += "\n\n" + t.of(d)
				}
			}
		}
	}
	return list, nil
}

// lacks reports whether a program does not declare a name that it has of its files: go/doc leaves out some.
func lacks(play *File, files []*File) bool {
	for _, id := range play.AST.Unresolved {
		for _, f := range files {
			if f.AST.Scope.Lookup(id.Name) != nil {
				return true
			}
		}
	}
	return false
}

// others are the files but one.
func others(files []*File, f *File) []*File {
	var out []*File
	for _, o := range files {
		if o != f {
			out = append(out, o)
		}
	}
	return out
}

// cells are what some files declare, without examples, and the body of one function of a file.
func cells(files []*File, from *File, name string) []string {
	var imports, decls []string
	body := ""
	for _, f := range files {
		for _, d := range f.AST.Decls {
			fn, isFunc := d.(*ast.FuncDecl)
			switch {
			case f == from && isFunc && fn.Recv == nil && fn.Name.Name == name:
				body = f.body(fn)
			case isFunc && fn.Recv == nil && (fn.Name.Name == "main" || strings.HasPrefix(fn.Name.Name, "Example")):
			case isImport(d):
				imports = append(imports, f.of(d))
			default:
				decls = append(decls, f.of(d))
			}
		}
	}
	if len(decls) == 0 {
		return []string{strings.Join(append(imports, body), "\n\n")}
	}
	return []string{strings.Join(append(imports, decls...), "\n\n"), body}
}
