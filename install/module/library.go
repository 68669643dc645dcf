package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"gaucho/internal/modpath"
)

// roots are the directories of the library, and left what lies in them and is not of it.
var (
	roots = []string{"stdlib", "plotting", "render"}
	left  = []string{"stdlib/study/pool"}
)

// A pkg is a package of this module as go list describes it.
type pkg struct {
	ImportPath                               string
	Name                                     string
	Imports, Deps, TestImports, XTestImports []string
}

// libraryFiles returns the files that are of the library.
func libraryFiles(files []string) ([]string, error) {
	packages, err := list()
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{} // directories of packages
	for dir, p := range packages {
		if !slices.ContainsFunc(roots, func(root string) bool { return under(dir, root) }) || slices.ContainsFunc(left, func(d string) bool { return under(dir, d) }) || p.Name == "main" {
			continue
		}
		taken[dir] = true
		for _, dep := range p.Deps {
			if d, ours := strings.CutPrefix(dep, modpath.Path+"/"); ours {
				taken[d] = true
			}
		}
	}
	for _, d := range left {
		if taken[d] {
			return nil, fmt.Errorf("a package of the library imports %s, which stays with the program", d)
		}
	}
	return slices.DeleteFunc(files, func(name string) bool {
		if !strings.Contains(name, "/") {
			return !slices.Contains([]string{"go.mod", "go.sum", "LICENSE"}, name)
		}
		dir := filepath.ToSlash(filepath.Dir(name))
		for packages[dir].ImportPath == "" && dir != "." {
			dir = filepath.ToSlash(filepath.Dir(dir)) // data that a package embeds or its tests read
		}
		tests := strings.HasSuffix(name, "_test.go") || strings.Contains(name, "/testdata/")
		return !taken[dir] || tests && !complete(packages[dir], taken)
	}), nil
}

func under(dir, root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }

// complete reports whether all that a package's tests import is taken, save what is of other modules.
func complete(p pkg, taken map[string]bool) bool {
	return !slices.ContainsFunc(slices.Concat(p.TestImports, p.XTestImports), func(path string) bool {
		dir, ours := strings.CutPrefix(path, modpath.Path+"/")
		return ours && !taken[dir]
	})
}

// list returns the packages of this module by their directories, with what they import on any of the systems.
func list() (map[string]pkg, error) {
	packages := map[string]pkg{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-json=ImportPath,Name,Imports,Deps,TestImports,XTestImports", "./...")
		cmd.Env, cmd.Stderr = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for d := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p pkg
			if err := d.Decode(&p); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			dir := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, modpath.Path), "/")
			p.Deps = append(p.Deps, packages[dir].Deps...)
			p.TestImports = append(p.TestImports, packages[dir].TestImports...)
			p.XTestImports = append(p.XTestImports, packages[dir].XTestImports...)
			packages[dir] = p
		}
	}
	return packages, nil
}

var systems = []string{"linux", "darwin", "windows"}

// trimModule leaves in go.mod and go.sum of a copy what its packages and their tests need.
func trimModule(dir string) error {
	needed := map[string]bool{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-test", "-f", "{{with .Module}}{{.Path}}{{end}}", "./...")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off")
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("go list in %s: %w", dir, err)
		}
		for _, m := range strings.Fields(string(out)) {
			needed[m] = true
		}
	}
	mod, sum := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	text, err := os.ReadFile(mod)
	if err != nil {
		return err
	}
	f, err := modfile.Parse(mod, text, nil)
	if err != nil {
		return err
	}
	for _, r := range slices.Clone(f.Require) {
		if !needed[r.Mod.Path] {
			err = errors.Join(err, f.DropRequire(r.Mod.Path))
		}
	}
	f.Cleanup()
	text, formatErr := f.Format()
	sums, readErr := os.ReadFile(sum)
	if err := errors.Join(err, formatErr, readErr); err != nil {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(sums)) {
		if m, _, _ := strings.Cut(line, " "); needed[m] {
			kept.WriteString(line)
		}
	}
	return errors.Join(os.WriteFile(mod, text, 0o666), os.WriteFile(sum, []byte(kept.String()), 0o666))
}
