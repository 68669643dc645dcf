package stdsuite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// InternalTests returns the internal tests of a package (those of package json, say) as a cell that calls them. The
// package itself goes with its tests into a private directory of dir, which Prepare made, where a session reads it as it
// reads a fetched module.
func InternalTests(dir, root, pkg string) (*Tests, error) {
	t := &Tests{Package: pkg, LeftOut: map[string]string{}}
	files, err := ownFiles(root, pkg)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		for _, d := range f.AST.Decls {
			if isTest(d) && strings.HasSuffix(f.Name, "_test.go") {
				t.call(f.decl(d).names[0])
			}
		}
	}
	if len(t.Names) == 0 {
		return t, nil
	}
	t.imports = []string{fmt.Sprintf("import own %q", privatePath(pkg)), `import "testing"`}
	return t, private(dir, root, pkg, files)
}

// PrivateTests returns those of a package's external tests that were left out, as a cell that imports the private package,
// which exports what the package's test files do.
func PrivateTests(dir, root, pkg string, left map[string]string) (*Tests, error) {
	t, err := externalTests(root, pkg, privatePath(pkg))
	if err != nil {
		return nil, err
	}
	t.Names = slices.DeleteFunc(t.Names, func(name string) bool { return left[name] == "" })
	for _, d := range t.decls {
		if d.test && left[d.names[0]] == "" {
			d.dropped = "it has run"
		}
	}
	files, err := ownFiles(root, pkg)
	if err != nil || len(t.Names) == 0 {
		return t, err
	}
	return t, private(dir, root, pkg, files)
}

// ownFiles are the files of a package and its internal tests.
func ownFiles(root, pkg string) ([]*File, error) {
	files, err := read(root, pkg, func(name string) bool { return !strings.HasPrefix(name, "example") })
	return slices.DeleteFunc(files, func(f *File) bool { return strings.HasSuffix(f.AST.Name.Name, "_test") }), err
}

// privatePath is the path of the private copy of a package.
func privatePath(pkg string) string { return module + "/own/" + pkg }

// call adds a test that calls one of the private package.
func (t *Tests) call(name string) {
	t.Names = append(t.Names, name)
	text := fmt.Sprintf("func %s(t *testing.T) { own.%[1]s(t) }", name)
	t.decls = append(t.decls, &decl{text: text, names: []string{name}, uses: map[string]bool{}})
}

var internalImport = regexp.MustCompile(`(?m)^(\s*(?:import )?(?:[\w.]+ )?)"internal/([\w/]+)"`)

var constraint = regexp.MustCompile(`(?m)^//go:build .*$`)

// private writes a package into dir, and below it the internal packages that it imports, unless they have a stand-in.
// Tests are no test files there, for a package is read without these.
func private(dir, root, pkg string, files []*File) error {
	to := filepath.Join(dir, "own", filepath.FromSlash(pkg))
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		text := constraint.ReplaceAllString(string(f.Text), "") // read chose the files
		for _, m := range internalImport.FindAllStringSubmatch(text, -1) {
			at := "standins/" + m[2]
			if _, err := standins.ReadDir(at); err != nil {
				at = "own/internal/" + m[2]
				needed, err := read(root, "internal/"+m[2], func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
				if err != nil {
					return err
				}
				if err := private(dir, root, "internal/"+m[2], needed); err != nil {
					return err
				}
			}
			text = strings.ReplaceAll(text, `"internal/`+m[2]+`"`, fmt.Sprintf("%q", module+"/"+at))
		}
		name := strings.Replace(f.Name, "_test.go", "_tests.go", 1)
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
