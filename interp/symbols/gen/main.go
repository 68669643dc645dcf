// Command gen generates what cells can import: package tables (symbol tables and interface wrappers for the
// interpreter) and the files in data (types, documentation, sources of generic functions). It type-checks the sources of
// the standard library of two releases of Go, of gonum, and of this module, for every platform that Gaucho is
// built for. What it writes of the newer release, for programs that are built with it, is what differs from the older one.
// With the same toolchain and the same sources it writes the same bytes. It runs in interp/symbols, with the newer release:
//
//	go generate ./interp/symbols
package main

import (
	"flag"
	"fmt"
	gobuild "go/build"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The releases of Go that Gaucho can be built with. The go command fetches those that are not there.
const (
	older = "go1.26.8"
	newer = "go1.27.4"
)

// Directories that are written, relative to interp/symbols.
const (
	tablesDir = "tables"
	dataDir   = "data"
	newerDir  = "data/go127" // what the newer release has otherwise
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	flag.Var(&skip, "skip", "leave out packages whose path matches `regexp` (for work on a tree that does not build)")
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	if runtime.Version() != newer { // its parser and type checker know the language of both
		return fmt.Errorf("this is %s: run it with %s, as go generate does", runtime.Version(), newer)
	}
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+older)
	root, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT with %s: %w", older, err)
	}
	gobuild.Default.GOROOT = strings.TrimSpace(string(root))
	if err := writeInstances(); err != nil {
		return err
	}
	src := newSources()
	builds, err := load(older, src)
	if err != nil {
		return err
	}
	next, err := load(newer, src)
	if err != nil {
		return err
	}
	out := output{}
	for _, step := range []func(builds, next []*build, out output) error{writeExport, writeTables, writeDocs, writeSources} {
		if err := step(builds, next, out); err != nil {
			return err
		}
	}
	if err := out.clean(); err != nil {
		return err
	}
	return out.save()
}

// An output is the generated files, by name.
type output map[string][]byte

// clean removes generated files of earlier runs that are no longer made.
func (o output) clean() error {
	for _, pattern := range []string{tablesDir + "/z*.go", dataDir + "/*.*", newerDir + "/*"} {
		old, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range old {
			if _, ok := o[filepath.ToSlash(name)]; !ok {
				if err := os.Remove(name); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// save writes the files that changed.
func (o output) save() error {
	for name, content := range o {
		if old, err := os.ReadFile(name); err == nil && string(old) == string(content) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}
