package compiled

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"gaucho/interp/rt"
	"gaucho/interp/wire"
)

// A Builder builds the worker and the plugins of a session, in a cache that sessions share.
type Builder struct {
	Tools *Toolchain
	dir   string // of the cache, for this build list, these flags and this toolchain
	mod   string // the directory of the main module
	key   string
	local string // path of the notebook's module, if there is one

	modules sync.Mutex // held while mod changes

	worker workerBuild

	mu      sync.Mutex
	exports map[string]string // file of the compiled package, by path
	cells   map[string]*built
}

// built is the package of a cell, compiled.
type built struct {
	archive string
	deps    []string // packages of cells that it needs, direct ones
}

// workerPackage is the program that the worker is.
const workerPackage = "gaucho/interp/worker/native"

// NewBuilder finds the toolchain and the cache. Where a go.mod lies in the notebook's folder, the session has the modules
// that it requires.
func NewBuilder(ctx context.Context, folder string) (*Builder, error) {
	t, err := FindToolchain(ctx)
	if err != nil {
		return nil, err
	}
	hash, err := sourceHash()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	root := filepath.Join(cache, "gaucho", "compiled")
	sum := sha256.Sum256([]byte(strings.Join([]string{"2", hash, t.Version, t.CC, runtime.GOOS, runtime.GOARCH, os.Getenv("GOAMD64")}, "\x00")))
	src := filepath.Join(root, "src-"+hash)
	b := &Builder{
		Tools: t, key: hex.EncodeToString(sum[:8]), exports: map[string]string{}, cells: map[string]*built{},
	}
	b.dir = filepath.Join(root, b.key)
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, cacheError(err)
	}
	if err := writeSources(src); err != nil {
		return nil, cacheError(err)
	}
	if err := b.startModule(ctx, src, folder); err != nil {
		return nil, cacheError(err)
	}
	if err := os.MkdirAll(filepath.Join(b.dir, "cells"), 0o777); err != nil {
		return nil, cacheError(err)
	}
	if err := b.writeLinker(); err != nil {
		return nil, cacheError(err)
	}
	b.readExports()
	prune(root, b.dir, src, b.mod)
	pruneCells(filepath.Join(b.dir, "cells"))
	return b, nil
}

// maxCells is how many bytes of cells the cache of a build may hold.
const maxCells = 1 << 30

// pruneCells removes the oldest half of the cells in a folder when there are too many, but none of the last hour.
func pruneCells(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			files = append(files, info)
			total += info.Size()
		}
	}
	if total < maxCells {
		return
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total < maxCells/2 || time.Since(f.ModTime()) < time.Hour {
			return
		}
		if os.Remove(filepath.Join(dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}

// prune removes from the cache what no session has used for half a day, save the last few: a build is 100 MB and more.
func prune(root string, used ...string) {
	now := time.Now()
	for _, dir := range used {
		os.Chtimes(dir, now, now)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	age := map[string]time.Duration{}
	var dirs []string
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasPrefix(e.Name(), readyPrefix) && now.Sub(info.ModTime()) > 30*24*time.Hour {
			os.Remove(filepath.Join(root, e.Name()))
		}
		if err == nil && e.IsDir() {
			dirs = append(dirs, filepath.Join(root, e.Name()))
			age[dirs[len(dirs)-1]] = now.Sub(info.ModTime())
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(age[a], age[b]) })
	for i, dir := range dirs {
		if i >= 6 && age[dir] > 12*time.Hour {
			os.RemoveAll(dir)
		}
	}
}

// cacheError puts in words that the cache cannot be written.
func cacheError(err error) error {
	var path *fs.PathError
	where := "its cache"
	if errors.As(err, &path) {
		where = path.Path
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the compiled engine cannot write %s: the disk is full", where)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("the compiled engine cannot write %s: %w; set XDG_CACHE_HOME to a folder that can be written", where, err)
	case path != nil && path.Op == "mkdir":
		return fmt.Errorf("the compiled engine cannot make its cache: %w; set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return err
}

// Version names all that plugins are made from.
func (b *Builder) Version() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.key + filepath.Base(b.mod)
}

// WorkerFile is where the worker is or will be, and whether it is there.
func (b *Builder) WorkerFile() (path string, ok bool) {
	path = filepath.Join(b.dir, "worker")
	_, err := os.Stat(path)
	return path, err == nil
}

// diskError finds a full disk in what a program complains of.
func diskError(err error) error {
	if strings.Contains(err.Error(), "no space left on device") {
		return errors.New("the disk is full")
	}
	return err
}

// writeLinker writes the program that package link calls as the C compiler. It answers at once what link asks to learn
// which flags there are, a sixth of the time of a cell, and hands on the rest.
func (b *Builder) writeLinker() error {
	path := b.linker()
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	script := "#!/bin/sh\nfor last; do :; done\ncase \"$last\" in\n*/trivial.c)\n\tcase \" $* \" in\n" +
		"\t*\" -Qunused-arguments \"*|*compress-debug-sections*) exit 1;;\n\tesac\n\texit 0;;\nesac\nexec " + b.Tools.CC + " \"$@\"\n"
	return writeFile(path, []byte(script), 0o777)
}

func (b *Builder) linker() string { return filepath.Join(b.dir, "cc") }

// writeFile writes a file whole or not at all.
func writeFile(path string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// readExports takes over what earlier sessions found out.
func (b *Builder) readExports() {
	clear(b.exports)
	data, err := os.ReadFile(filepath.Join(b.mod, "exports.json"))
	if err == nil {
		json.Unmarshal(data, &b.exports)
	}
	for _, file := range b.exports { // Go's cache forgets what was not used for some days
		if _, err := os.Stat(file); err != nil {
			clear(b.exports)
			return
		}
	}
}

// base are packages that most cells are linked with.
var base = []string{"gaucho/interp/rt/cell", "runtime/cgo", "fmt", "math", "strings", "sort", "errors", "time", "os", "context", "unsafe"}

// Warm has the packages ready that most cells need.
func (b *Builder) Warm(ctx context.Context) error { return b.need(ctx, base) }

// need has compiled packages ready, with all that they import.
func (b *Builder) need(ctx context.Context, paths []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var missing []string
	for _, p := range paths {
		if b.exports[p] == "" && p != "unsafe" && !strings.HasPrefix(p, rt.CellPath) {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	args := []string{"list", "-export", "-deps", "-trimpath", "-buildmode=plugin", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}"}
	out, err := b.Tools.run(ctx, b.mod, b.Tools.Go, append(args, missing...)...)
	if err != nil {
		return diskError(err)
	}
	for line := range strings.Lines(string(out)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			b.exports[path] = file
		}
	}
	kept := maps.Clone(b.exports)
	maps.DeleteFunc(kept, func(path, _ string) bool { return b.Local(path) }) // its source may change
	data, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(b.mod, "exports.json"), data, 0o666)
}

// Build compiles and links the package of a unit, unless that was done before, and fills in where the plugin is.
func (b *Builder) Build(ctx context.Context, u *wire.Unit) error {
	if u.Package == "" || u.Plugin != "" {
		return nil
	}
	name := filepath.Join(b.dir, "cells", strings.TrimPrefix(u.Package, rt.CellPath))
	if err := b.plugin(ctx, u, name); err != nil {
		return cacheError(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	pkg := &built{archive: name + ".a"}
	for _, p := range u.Imports {
		if strings.HasPrefix(p, rt.CellPath) {
			pkg.deps = append(pkg.deps, p)
		}
	}
	b.cells[u.Package] = pkg
	u.Plugin, u.Text = name+".so", ""
	return nil
}

func (b *Builder) plugin(ctx context.Context, u *wire.Unit, name string) error {
	_, err := os.Stat(name + ".so")
	_, err2 := os.Stat(name + ".a")
	if err == nil && err2 == nil {
		now := time.Now()
		os.Chtimes(b.dir, now, now)
		return nil
	}
	if err := b.need(ctx, append(u.Imports, base...)); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Join(b.dir, "cells"), ".work-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	file := func(name string) string { return filepath.Join(work, name) }
	if err := errors.Join(os.WriteFile(file("cell.go"), []byte(u.Text), 0o666), os.WriteFile(file("cfg"), b.config(u), 0o666)); err != nil {
		return err
	}
	compile := []string{"-dynlink", "-p", u.Package, "-importcfg", file("cfg"), "-o", file("cell.a"), "-pack", "-trimpath", work,
		"-buildid", b.key, "-lang", "go1.26", "-c=2", file("cell.go")}
	if err := b.Tools.tool(ctx, work, "compile", compile...); err != nil {
		return fmt.Errorf("the Go compiler does not take the cell's text: %w", diskError(err))
	}
	if err := hidePluginTable(file("cell.a"), u.Package); err != nil {
		return err
	}
	link := []string{"-buildmode=plugin", "-pluginpath", u.Package, "-importcfg", file("cfg"), "-o", file("cell.so"),
		"-s", "-w", "-buildid", b.key, "-extld", b.linker(), file("cell.a")}
	if err := b.Tools.tool(ctx, work, "link", link...); err != nil {
		return fmt.Errorf("the Go linker fails on the cell: %w", diskError(err))
	}
	return errors.Join(os.Rename(file("cell.a"), name+".a"), os.Rename(file("cell.so"), name+".so"))
}

// config is the import configuration of a cell's package.
func (b *Builder) config(u *wire.Unit) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out bytes.Buffer
	for path, file := range b.exports {
		fmt.Fprintf(&out, "packagefile %s=%s\n", path, file)
	}
	seen := map[string]bool{}
	var add func(path string)
	add = func(path string) {
		pkg := b.cells[path]
		if pkg == nil || seen[path] {
			return
		}
		seen[path] = true
		fmt.Fprintf(&out, "packagefile %s=%s\n", path, pkg.archive)
		for _, d := range pkg.deps {
			add(d)
		}
	}
	for _, p := range u.Imports {
		add(p)
	}
	return out.Bytes()
}

// hidePluginTable renames the table of a package's exported names, which the compiler makes for package plugin under one
// name for all packages called main: a plugin that imports earlier cells would find theirs in place of its own. Cells
// need no such table, they register themselves.
func hidePluginTable(archive, pkg string) error {
	data, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(pkg))
	id := hex.EncodeToString(sum[:])
	for _, name := range []string{"go:plugin.tabs", "go:plugin.exports"} {
		data = bytes.ReplaceAll(data, []byte(name), []byte("go:"+id[:len(name)-3]))
	}
	return os.WriteFile(archive, data, 0o666)
}
