package compiled

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gaucho/interp/engine"
	"gaucho/interp/kit"
	"gaucho/interp/modules"
	"gaucho/interp/rt"
	"gaucho/interp/wire"
)

// A Builder compiles the packages of a session's cells: the native kind of engine.
type Builder struct {
	kit      *kit.Kit
	config   []byte // of the kit's packages
	dir      string // of the session's own compiled packages
	compiler compiler

	mu       sync.Mutex
	cells    map[string]*built
	modules  *modules.Set
	archives map[string]wire.Archive // packages of modules, compiled, by path
	numbered int                     // how many there are
}

// built is the package of a cell, compiled.
type built struct {
	file    string
	deps    []string // packages of cells that it imports
	modules []string // packages of modules that it needs
}

// NewBuilder has a compiler ready, and tells say what takes time.
func NewBuilder(ctx context.Context, say func(format string, args ...any)) (*Builder, error) {
	k, err := kit.Open(ctx, say)
	if err != nil {
		return nil, err
	}
	config, err := k.Config()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gaucho-cells-*")
	if err != nil {
		return nil, fmt.Errorf("there is no directory for compiled cells: %w", err)
	}
	b := &Builder{kit: k, config: config, dir: dir, cells: map[string]*built{}}
	b.compiler = compiler{file: k.Compiler(), dir: dir}
	go b.compiler.prepare()
	return b, nil
}

// Name is the name of the kind of engine.
func (b *Builder) Name() string { return "native" }

// New returns an engine whose packages b compiles, and those of modules that they import.
func (b *Builder) New(_ engine.Library, sources *modules.Set, file func(cell int) string) engine.Engine {
	b.setModules(sources)
	return newSession(b, file)
}

// Suspect reports whether a worker ended as one does whose loader or collector went wrong. Nothing of what the Go runtime
// says then happens to Go code that is not at fault with its own memory.
func (b *Builder) Suspect(e *wire.Error) bool {
	return e.Name == "fatal error" && slices.ContainsFunc([]string{
		"fault", "bad pointer", "unexpected return pc", "invalid pc", "SIG", "unexpected signal", "heapBits", "bad summary",
		"invalid runtime symbol table",
	}, func(words string) bool { return strings.Contains(e.Value, words) })
}

// Close ends the compiler and removes what it made.
func (b *Builder) Close() error {
	b.compiler.close()
	return os.RemoveAll(b.dir)
}

// Version names all that cells are compiled with.
func (b *Builder) Version() string { return b.kit.ID }

// Build compiles the package of a unit, unless that was done before, and puts the object into the unit.
func (b *Builder) Build(ctx context.Context, u *wire.Unit) error {
	if u.Package == "" || u.Object != nil {
		return nil
	}
	archives, err := b.needed(ctx, u.Imports)
	if err != nil {
		return err
	}
	file := filepath.Join(b.dir, strings.TrimPrefix(u.Package, rt.CellPath))
	b.mu.Lock()
	known := b.cells[u.Package] != nil
	b.mu.Unlock()
	if !known {
		err := os.WriteFile(file+".go", []byte(u.Text), 0o600)
		if err == nil {
			err = os.WriteFile(file+".cfg", b.imports(u, archives), 0o600)
		}
		if err == nil {
			err = b.compiler.compile(ctx, "-p", u.Package, "-importcfg", file+".cfg", "-o", file+".a", "-trimpath", b.dir,
				"-buildid", b.kit.ID, "-lang", "go1.26", file+".go")
		}
		if err != nil {
			return err
		}
		os.Remove(file + ".cfg")
	}
	if u.Object, err = os.ReadFile(file + ".a"); err != nil {
		return err
	}
	u.Archives, u.Text = archives, ""
	b.keep(u, file+".a")
	return nil
}

// keep notes that a unit's package is compiled.
func (b *Builder) keep(u *wire.Unit, file string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	pkg := &built{file: file}
	for _, a := range u.Archives {
		pkg.modules = append(pkg.modules, a.Path)
	}
	for _, p := range u.Imports {
		if strings.HasPrefix(p, rt.CellPath) {
			pkg.deps = append(pkg.deps, p)
		}
	}
	b.cells[u.Package] = pkg
}

// imports is the import configuration of a cell's package: the kit's, modules', and those of earlier cells.
func (b *Builder) imports(u *wire.Unit, archives []wire.Archive) []byte {
	out := bytes.NewBuffer(bytes.Clone(b.config))
	for _, a := range archives {
		fmt.Fprintf(out, "packagefile %s=%s\n", a.Path, a.File)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		pkg := b.cells[path]
		if pkg == nil || seen[path] {
			return
		}
		seen[path] = true
		fmt.Fprintf(out, "packagefile %s=%s\n", path, pkg.file)
		for _, d := range pkg.deps {
			add(d)
		}
	}
	for _, p := range u.Imports {
		add(p)
	}
	return out.Bytes()
}
