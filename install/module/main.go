// Command module gives the module another import path, under which it can be published: in go.mod and in all imports. Cells keep the
// short paths.
//
//	go run ./install/module -path example.org/gaucho                      change this tree
//	go run ./install/module -path example.org/gaucho -o DIR               make a copy that has the path
//	go run ./install/module -path example.org/gaucho -o DIR -library      make a copy of the library alone
//
// The library is what cells program with, stdlib, plotting and render, with what these import of the rest. It is a module without an
// interpreter, a broker and sockets: the pool of workers of stdlib/study stays with the program. Tests and examples come along where all
// that they import does.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"gaucho/internal/modpath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("module: ")
	to := flag.String("path", "", "the module's new `path`")
	dir := flag.String("o", "", "the `directory` to write a copy to, in place of changing this tree")
	library := flag.Bool("library", false, "copy the library alone")
	flag.Parse()
	if err := run(*to, *dir, *library); err != nil {
		log.Fatal(err)
	}
}

func run(to, dir string, library bool) error {
	switch err := module.CheckPath(to); {
	case err != nil && to != modpath.Short:
		return fmt.Errorf("-path: %w", err)
	case library && dir == "":
		return errors.New("-library needs -o DIR: it makes a copy")
	case dir == "":
		dir = "."
	default:
		if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
			return fmt.Errorf("%s is not empty: -o takes a directory that is, or a new one", dir)
		}
	}
	files, err := sources()
	if err != nil {
		return err
	}
	if library {
		if files, err = libraryFiles(files); err != nil {
			return err
		}
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		changed, err := rewrite(name, text, to)
		if err != nil {
			return err
		}
		if dir == "." && bytes.Equal(changed, text) {
			continue
		}
		if err := write(filepath.Join(dir, name), name, changed); err != nil {
			return err
		}
	}
	if library {
		return trimModule(dir)
	}
	return nil
}

// write writes a file with the permissions of another.
func write(file, like string, text []byte) error {
	info, err := os.Stat(like)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, text, info.Mode().Perm()))
}

// sources are the files of the tree, with those that git does not know yet.
func sources() ([]string, error) {
	out, err := exec.Command("git", "ls-files", "-co", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files, which lists the files of this tree: %w", err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(out)), "\n"), func(name string) bool {
		info, err := os.Lstat(name)
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

// rewrite returns a file's text in a module with the path to.
func rewrite(name string, text []byte, to string) ([]byte, error) {
	switch {
	case strings.Contains(name, "testdata/"):
		return text, nil
	case filepath.Base(name) == "go.mod":
		f, err := modfile.ParseLax(name, text, nil)
		if err != nil {
			return nil, err
		}
		own := modpath.Replace(f.Module.Mod.Path, modpath.Path, to)
		return bytes.Replace(text, []byte("module "+f.Module.Mod.Path+"\n"), []byte("module "+own+"\n"), 1), nil
	case filepath.Ext(name) == ".go":
		return rewriteImports(name, text, to)
	}
	return text, nil
}

// rewriteImports changes the imports of a Go file that are of this module, and sorts them.
func rewriteImports(name string, text []byte, to string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	out, done := []byte(nil), 0
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		if own := modpath.Replace(path, modpath.Path, to); own != path {
			out = append(append(out, text[done:fset.Position(spec.Path.Pos()).Offset]...), strconv.Quote(own)...)
			done = fset.Position(spec.Path.End()).Offset
		}
	}
	if done == 0 {
		return text, nil
	}
	return format.Source(append(out, text[done:]...))
}
