package compiled

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gaucho/internal/modpath"
	"gaucho/interp/engine"
	"gaucho/interp/kit"
	"gaucho/interp/modules"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
)

// A Builder compiles the packages of a session's cells: the native kind of engine.
type Builder struct {
	kit      *kit.Kit
	dir      string // of the session's own compiled packages
	compiler compiler

	mu       sync.Mutex
	cells    map[string]*built
	modules  *modules.Set
	archives map[string]wire.Archive // packages of modules, compiled, by path
	keys     map[string]kit.Key      // their objects' keys
	numbered int                     // how many there are
}

// built is the package of a cell, compiled.
type built struct {
	file    string
	modules []string // packages of modules that it needs
}

// NewBuilder readies a compiler. It reports by say what takes time.
func NewBuilder(ctx context.Context, say kit.Say) (*Builder, error) {
	k, err := kit.Open(ctx, say)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gaucho-cells-*")
	if err != nil {
		return nil, fmt.Errorf("there is no directory for compiled cells: %w", err)
	}
	b := &Builder{kit: k, dir: dir, cells: map[string]*built{}}
	b.compiler = compiler{kit: k, dir: dir, flags: []string{"-p", strings.TrimSuffix(run.CellPath, "/"), "-trimpath", dir, "-buildid", k.ID}}
	go b.compiler.prepare()
	go k.CleanObjects()
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

// Build compiles the package of a unit, unless that was done before, and puts the object into the unit. It reports what takes long.
func (b *Builder) Build(ctx context.Context, u *wire.Unit, tell func(what string)) error {
	if u.Package == "" || u.Object != nil {
		return nil
	}
	if err := b.present(ctx); err != nil {
		return err
	}
	clock := begin(tell)
	defer clock.end()
	archives, err := b.needed(ctx, u.Imports, clock)
	if err != nil {
		return err
	}
	clock.cell()
	file := filepath.Join(b.dir, strings.TrimPrefix(u.Package, run.CellPath))
	b.mu.Lock()
	known := b.cells[u.Package] != nil
	b.mu.Unlock()
	if !known {
		if err := os.WriteFile(file+".go", []byte(u.Text), 0o600); err != nil {
			return err
		}
		if err := b.compiler.cell(ctx, u.Package, file+".a", file+".go", b.imports(u.Imports, archives, "")); err != nil {
			return err
		}
	}
	if u.Object, err = os.ReadFile(file + ".a"); err != nil {
		return err
	}
	u.Archives, u.Text = archives, ""
	b.keep(u, file+".a")
	return nil
}

// present makes sure that the builder's directories exist: people empty caches to get space, and systems remove temporary files
// that are some days old.
func (b *Builder) present(ctx context.Context) error {
	if b.kit.Missing() {
		if err := b.kit.Restore(ctx, func(string, ...any) {}); err != nil {
			return fmt.Errorf("the compiler was removed while the session ran, and cannot be unpacked again: %w", err)
		}
	}
	if _, err := os.Stat(b.dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the compiled cells of this session, in %s, were removed from outside; restart the kernel and run the cells again", b.dir)
	}
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
	b.cells[u.Package] = pkg
}

// imports are lines PATH=FILE, after a prefix, for what a package itself imports: the compiler reads nothing else, since
// export data says all that can be reached through it.
func (b *Builder) imports(imports []string, archives []wire.Archive, prefix string) []byte {
	files := map[string]string{}
	for _, a := range archives {
		files[a.Path] = a.File
	}
	var out bytes.Buffer
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, path := range imports {
		file := files[path]
		if cell := b.cells[path]; cell != nil {
			file = cell.file
		} else if file == "" {
			file = b.kit.Package(path)
		}
		if own := modpath.Own(path); prefix != "" && own != path { // the go command's form knows nothing of cells' paths
			fmt.Fprintf(&out, "importmap %s=%s\n", path, own)
			path = own
		}
		fmt.Fprintf(&out, "%s%s=%s\n", prefix, path, file)
	}
	return out.Bytes()
}
