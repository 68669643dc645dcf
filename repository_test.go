package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Tests of the repository itself: what is in it is its authors' own, and what others wrote comes as modules.

// tree are the files of the tree that are not hidden, nor as large as what is built there.
func tree(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "dist" || name != "." && strings.HasPrefix(d.Name(), ".")): // what make builds, and what git ignores
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > 8<<20 {
			return err
		}
		files = append(files, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// claim is how files say whose they are.
var claim = regexp.MustCompile(`(?i)copyright\s+(\(c\)|©|[0-9]{4})|SPDX-License[-]Identifier|all\s+rights\s+reserved`)

// TestOwnFiles: no file but licences and notices bears somebody else's copyright.
func TestOwnFiles(t *testing.T) {
	for _, name := range tree(t) {
		if base := path.Base(name); base == "NOTICE" || strings.HasPrefix(base, "LICENSE") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if claim.MatchString(line) && !strings.Contains(line, "Gaucho authors") {
				t.Errorf("%s:%d: %.120q: what others wrote comes as a module, and notices are in NOTICE", name, n+1, line)
			}
		}
	}
}

// TestModules: go.mod names the modules that are imported, and no others, as they are published, and the documents list
// them all.
func TestModules(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Replace {
		t.Errorf("go.mod replaces %s", r.Old.Path)
	}
	imported := imports(t)
	required := map[string]bool{} // modules that are required directly, by whether they are imported
	for _, r := range mod.Require {
		if !r.Indirect {
			required[r.Mod.Path] = false
		}
	}
	for p, file := range imported {
		if m := moduleOf(p, required); m != "" {
			required[m] = true
		} else {
			t.Errorf("%s imports %s, of which go.mod does not require the module", file, p)
		}
	}
	for m, used := range required {
		if !used {
			t.Errorf("go.mod requires %s, which nothing imports", m)
		}
	}
	for _, m := range []string{"github.com/traefik/yaegi", "github.com/go-zeromq/zmq4", "gonum.org/v1/gonum", "gonum.org/v1/plot"} {
		if _, ok := required[m]; !ok {
			t.Errorf("go.mod does not require %s", m)
		}
	}
	for _, doc := range []string{"NOTICE", "docs/dependencies.md"} {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range mod.Require {
			name := r.Mod.Path
			if doc == "NOTICE" { // which puts those of one licence together
				name, _, _ = module.SplitPathVersion(name)
				name = path.Base(name)
			}
			if !strings.Contains(string(text), name) {
				t.Errorf("%s does not mention %s", doc, r.Mod.Path)
			}
		}
	}
}

// goFiles are the Go files of this module, without those of testdata.
func goFiles(t *testing.T) []string {
	t.Helper()
	files := tree(t)
	var others []string // directories of other modules
	for _, name := range files {
		if dir, ok := strings.CutSuffix(name, "/go.mod"); ok {
			others = append(others, dir+"/")
		}
	}
	return slices.DeleteFunc(files, func(name string) bool {
		return !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") ||
			slices.ContainsFunc(others, func(dir string) bool { return strings.HasPrefix(name, dir) })
	})
}

// imports are the packages outside the standard library and this module that its Go files import, each with a file that
// does.
func imports(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, name := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if first, _, _ := strings.Cut(p, "/"); strings.Contains(first, ".") {
				list[p] = name
			}
		}
	}
	return list
}

// moduleOf returns the module of a package, among those given, or "".
func moduleOf(p string, modules map[string]bool) string {
	for m := p; m != "."; m = path.Dir(m) {
		if _, ok := modules[m]; ok {
			return m
		}
	}
	return ""
}
