package compiled

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"gaucho/interp/kit"
	"gaucho/interp/modules"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
)

// setModules says where packages of modules are found that cells import. The builder compiles them from their source.
func (b *Builder) setModules(set *modules.Set) {
	set.UseCompiled(b)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.modules, b.archives, b.keys = set, map[string]wire.Archive{}, map[string]kit.Key{}
}

// path is the path under which a package is compiled and imported. A package of a module that the program has too, though cells are
// not offered it, has one of its own: it may be of another version, and the program's symbols are the program's.
func (b *Builder) path(path string) string {
	b.mu.Lock()
	set := b.modules
	b.mu.Unlock()
	if set == nil || set.Loaded(path) == nil {
		return path
	}
	return b.CompiledPath(path)
}

// CompiledPath is path for a package that is one of a module.
func (b *Builder) CompiledPath(path string) string {
	if !linked()(path) {
		return path
	}
	return run.ModulePath + path
}

// Archive is the object of a package of a module that an earlier session has compiled, nil if there is none. It becomes the session's.
func (b *Builder) Archive(p *modules.Package, path string) []byte {
	as := b.CompiledPath(path)
	key, err := b.key(p, path)
	if err != nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keys[as] = key
	data, ok := b.kit.Object(key)
	if !ok {
		return nil
	}
	file := b.nextObject()
	if os.WriteFile(file, data, 0o600) != nil {
		return nil
	}
	b.archives[as] = wire.Archive{Path: as, File: file}
	return data
}

// nextObject is a file for an object. The caller holds the lock.
func (b *Builder) nextObject() string {
	b.numbered++
	return filepath.Join(b.dir, fmt.Sprintf("module%d.a", b.numbered))
}

// linked reports whether a package is of a module that is part of this program. One that does not know its modules, as tests, may have
// any.
var linked = sync.OnceValue(func() func(path string) bool {
	info, ok := debug.ReadBuildInfo()
	return func(path string) bool {
		return !ok || len(info.Deps) == 0 || slices.ContainsFunc(info.Deps, func(m *debug.Module) bool { return path == m.Path || strings.HasPrefix(path, m.Path+"/") })
	}
})

// needed are the packages of modules, compiled, that a package with these imports needs, each after those that it imports.
func (b *Builder) needed(ctx context.Context, imports []string, clock *progress) ([]wire.Archive, error) {
	b.mu.Lock()
	set := b.modules
	b.mu.Unlock()
	var list []*modules.Package
	var add func(p *modules.Package)
	add = func(p *modules.Package) {
		if p == nil || slices.Contains(list, p) {
			return
		}
		for _, dep := range p.Imports {
			add(dep)
		}
		list = append(list, p)
	}
	for _, path := range imports {
		if set == nil {
			break
		}
		if !strings.HasPrefix(path, run.CellPath) {
			add(set.Loaded(strings.TrimPrefix(path, run.ModulePath)))
			continue
		}
		for _, a := range b.archivesOf(path) {
			add(set.Loaded(strings.TrimPrefix(a, run.ModulePath)))
		}
	}
	var out []wire.Archive
	for i, p := range list {
		clock.now(fmt.Sprintf("%s, package %d of %d of modules", p.Types.Path(), i+1, len(list)))
		a, err := b.archive(ctx, p, out)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// inlined are the packages of the program that generic functions of imported packages use, at any distance. Whoever has an instance of
// such a function compiled must import them: functions that everybody inlines are not in the program.
func (b *Builder) inlined(imports []string) (paths []string) {
	b.mu.Lock()
	set := b.modules
	b.mu.Unlock()
	seen := map[*modules.Package]bool{}
	add := func(path string) {
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	var follow func(p *modules.Package)
	follow = func(p *modules.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, dep := range p.Imports {
			follow(dep)
		}
		for _, im := range p.Types.Imports() {
			if path := im.Path(); path != "unsafe" && set.Loaded(path) == nil {
				if p.Generic() {
					add(path)
				}
				for _, more := range kit.Inlined[path] {
					add(more)
				}
			}
		}
	}
	for _, path := range imports {
		for _, more := range kit.Inlined[path] {
			add(more)
		}
		if set == nil || strings.HasPrefix(path, run.CellPath) {
			continue
		}
		if p := set.Loaded(strings.TrimPrefix(path, run.ModulePath)); p != nil {
			follow(p)
		}
	}
	return paths
}

// archivesOf are the packages of modules that an earlier cell needs.
func (b *Builder) archivesOf(cell string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.cells[cell]; c != nil {
		return c.modules
	}
	return nil
}

// archive compiles a package of a module, unless that was done before. earlier has all that it imports.
func (b *Builder) archive(ctx context.Context, p *modules.Package, earlier []wire.Archive) (wire.Archive, error) {
	path := b.path(p.Types.Path())
	b.mu.Lock()
	a, ok := b.archives[path]
	key, object := b.keys[path], b.nextObject()
	b.mu.Unlock()
	if ok {
		return a, nil
	}
	job, err := b.job(p, path)
	if err == nil {
		err = b.compile(ctx, job, object, earlier)
	}
	if err != nil {
		return a, fmt.Errorf("package %s: %w", p.Types.Path(), err)
	}
	b.keepObject(p, key, object)
	a = wire.Archive{Path: path, File: object}
	b.mu.Lock()
	b.archives[path] = a
	b.mu.Unlock()
	return a, nil
}

// keepObject keeps the object of a package for the next session, unless one of its files was edited since it was read.
func (b *Builder) keepObject(p *modules.Package, key kit.Key, object string) {
	if now, err := b.key(p, p.Types.Path()); err != nil || now != key {
		return
	}
	if data, err := os.ReadFile(object); err == nil {
		b.kit.KeepObject(key, data)
	}
}

// A job is what a package of a module is compiled from.
type job struct {
	pkg     *modules.Package
	path    string   // by which it is compiled
	imports []string // paths of what it imports
	mapped  []byte   // lines of the import configuration, of imports under other paths
	more    []byte   // a file of ours
	embeds  []byte   // the embed configuration
}

// job says what a package is compiled from.
func (b *Builder) job(p *modules.Package, path string) (*job, error) {
	var imports []string
	var mapped []byte
	for _, im := range p.Types.Imports() {
		as := b.path(im.Path())
		if imports = append(imports, as); as != im.Path() {
			mapped = fmt.Appendf(mapped, "importmap %s=%s\n", im.Path(), as)
		}
	}
	var unseen bytes.Buffer
	fmt.Fprintf(&unseen, "package %s\n", p.Types.Name())
	for _, path := range b.inlined(imports) {
		if fmt.Fprintf(&unseen, "import _ %q\n", path); !slices.Contains(imports, path) {
			imports = append(imports, path)
		}
	}
	methods, mentioned := interfaceMethods(p)
	for i, path := range mentioned {
		if fmt.Fprintf(&unseen, "import p%s%d %q\n", mark, i, path); !slices.Contains(imports, path) {
			imports = append(imports, path)
		}
	}
	if methods != "" {
		fmt.Fprintf(&unseen, "import _ \"unsafe\"\n%s", methods)
	}
	embeds, err := embedConfig(p)
	if err != nil {
		return nil, err
	}
	return &job{pkg: p, path: path, imports: imports, mapped: mapped, more: unseen.Bytes(), embeds: embeds}, nil
}

// compile compiles a job. earlier has all that its package imports.
func (b *Builder) compile(ctx context.Context, j *job, object string, earlier []wire.Archive) error {
	base, p := strings.TrimSuffix(object, ".a"), j.pkg
	err := errors.Join(os.WriteFile(base+".go", j.more, 0o600), os.WriteFile(base+".cfg", append(j.mapped, b.imports(j.imports, earlier, "packagefile ")...), 0o600), os.WriteFile(base+".embed", j.embeds, 0o600))
	if err != nil {
		return err
	}
	args := slices.Concat(packageFlags, []string{"-p", j.path, "-importcfg", base + ".cfg", "-embedcfg", base + ".embed", "-o", object,
		"-trimpath", p.Dir + "=>" + p.Name() + ";" + b.dir + "=>", "-buildid", b.kit.ID, "-lang", version.Lang(p.Language())})
	assembly := assembler{builder: b, pkg: p, path: j.path, dir: base + ".s"}
	more, err := assembly.begin(ctx)
	args = append(args, more...)
	for _, f := range p.Files {
		args = append(args, p.Fset.File(f.FileStart).Name())
	}
	if err == nil {
		err = b.compiler.run(ctx, "compile", append(args, base+".go")...)
	}
	if err == nil {
		err = assembly.addTo(ctx, object)
	}
	return err
}

// embedConfig says to the compiler which files the package's //go:embed directives name.
func embedConfig(p *modules.Package) ([]byte, error) {
	config := struct {
		Patterns map[string][]string
		Files    map[string]string
	}{map[string][]string{}, map[string]string{}}
	for pattern, files := range p.Patterns {
		config.Patterns[pattern] = files
		for _, f := range files {
			config.Files[f] = filepath.Join(p.Dir, filepath.FromSlash(f))
		}
	}
	return json.Marshal(config)
}
