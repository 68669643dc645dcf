// Command gen generates what cells can import: package tables (symbol tables and interface wrappers for the
// interpreter) and the files in data (types, documentation, sources of generic functions). It type-checks the sources of
// the standard library of the Go toolchain at hand, of gonum, and of this module, for every platform that Gaucho is
// built for; with the same toolchain and the same sources it writes the same bytes. It runs in interp/symbols:
//
//	go generate ./interp/symbols
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

// Directories that are written, relative to interp/symbols.
const (
	tablesDir = "tables"
	dataDir   = "data"
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
	if err := writeInstances(); err != nil {
		return err
	}
	builds, err := load()
	if err != nil {
		return err
	}
	out := output{}
	for _, step := range []func([]*build, output) error{writeExport, writeTables, writeDocs, writeSources} {
		if err := step(builds, out); err != nil {
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
	for _, pattern := range []string{tablesDir + "/z*.go", dataDir + "/*"} {
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
