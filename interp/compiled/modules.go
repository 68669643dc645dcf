package compiled

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/interp/modules"
)

// A session's build list is that of a main module of its own, which requires Gaucho, all that Gaucho requires, what the
// go.mod beside the notebook requires, and what cells have asked for.

// startModule writes the main module: Gaucho's own requirements, and those of the notebook's module in folder.
func (b *Builder) startModule(ctx context.Context, sources, folder string) error {
	files, err := sourceFiles()
	if err != nil {
		return err
	}
	own := string(files["go.mod"])
	own = strings.Replace(own, "module gaucho\n", "module gaucho.session\n", 1)
	text := own + fmt.Sprintf(plainModule, sources)
	sums := string(files["go.sum"])
	if folder != "" {
		more, sum, err := b.notebookModule(ctx, folder)
		if err != nil {
			return err
		}
		text += more
		sums += sum
	}
	hash := sha256.Sum256([]byte(b.key + text))
	b.mod = filepath.Join(filepath.Dir(b.dir), "mod-"+hex.EncodeToString(hash[:8]))
	if _, err := os.Stat(filepath.Join(b.mod, "go.mod")); err != nil {
		if err := os.MkdirAll(b.mod, 0o777); err != nil {
			return err
		}
		err := errors.Join(
			writeFile(filepath.Join(b.mod, "go.sum"), []byte(sums), 0o666),
			writeFile(filepath.Join(b.mod, "go.mod"), []byte(text), 0o666))
		if err != nil {
			return err
		}
	}
	if text == own+fmt.Sprintf(plainModule, sources) {
		return nil
	}
	return b.rekey(ctx, own)
}

// Local reports whether a package is of the module beside the notebook.
func (b *Builder) Local(path string) bool {
	return b.local != "" && (path == b.local || strings.HasPrefix(path, b.local+"/"))
}

// plainModule is what a session's go.mod has beside Gaucho's own requirements.
const plainModule = "\nrequire gaucho v0.0.0\nreplace gaucho => %s\n"

// rekey gives the session a worker of its own where the notebook's module asks for other versions of what the worker is
// linked with than Gaucho itself.
func (b *Builder) rekey(ctx context.Context, own string) error {
	versions, err := b.list(ctx, b.mod)
	if err != nil {
		return modules.Explain(err, "the build list of the notebook's go.mod")
	}
	other := ""
	for line := range strings.Lines(own) {
		words := strings.Fields(line)
		if len(words) >= 2 && strings.HasPrefix(words[1], "v") && versions[words[0]] != words[1] {
			other += words[0] + " " + versions[words[0]] + "\n"
		}
	}
	if other != "" {
		sum := sha256.Sum256([]byte(b.key + other))
		b.key = hex.EncodeToString(sum[:8])
		b.dir = filepath.Join(filepath.Dir(b.dir), b.key)
	}
	return nil
}

// notebookModule reads the go.mod in a folder: what it requires, replaces and excludes, and the module itself, whose
// packages cells can import.
func (b *Builder) notebookModule(ctx context.Context, folder string) (mod, sum string, err error) {
	file := filepath.Join(folder, "go.mod")
	if _, err := os.Stat(file); err != nil {
		return "", "", nil
	}
	out, err := b.Tools.run(ctx, folder, b.Tools.Go, "mod", "edit", "-json", file)
	if err != nil {
		return "", "", fmt.Errorf("the go.mod beside the notebook cannot be read: %w", err)
	}
	type version struct{ Path, Version string }
	var m struct {
		Module  struct{ Path string }
		Require []version
		Exclude []version
		Replace []struct{ Old, New version }
	}
	if err := json.Unmarshal(out, &m); err != nil {
		return "", "", err
	}
	var text strings.Builder
	if m.Module.Path == "gaucho" {
		return "", "", nil // Gaucho's own
	}
	b.local = m.Module.Path
	fmt.Fprintf(&text, "require %s v0.0.0\nreplace %s => %s\n", m.Module.Path, m.Module.Path, folder)
	for _, r := range m.Require {
		if r.Path != "gaucho" {
			fmt.Fprintf(&text, "require %s %s\n", r.Path, r.Version)
		}
	}
	for _, x := range m.Exclude {
		fmt.Fprintf(&text, "exclude %s %s\n", x.Path, x.Version)
	}
	for _, r := range m.Replace {
		if r.Old.Path == "gaucho" {
			continue
		}
		to := r.New.Path
		if strings.HasPrefix(to, ".") {
			to = filepath.Join(folder, to)
		}
		fmt.Fprintf(&text, "replace %s %s => %s %s\n", r.Old.Path, r.Old.Version, to, r.New.Version)
	}
	sums, _ := os.ReadFile(filepath.Join(folder, "go.sum"))
	return text.String(), string(sums), nil
}

// list is the version of each module of the build list.
func (b *Builder) list(ctx context.Context, dir string) (map[string]string, error) {
	out, err := b.Tools.run(ctx, dir, b.Tools.Go, "list", "-mod=mod", "-m", "-f", "{{.Path}} {{.Version}}", "all")
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, v, _ := strings.Cut(strings.TrimSpace(line), " ")
		versions[path] = v
	}
	return versions, nil
}

// linked are the modules whose packages the worker has.
func (b *Builder) linked(ctx context.Context) ([]string, error) {
	out, err := b.Tools.run(ctx, b.mod, b.Tools.Go, "list", "-mod=mod", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", workerPackage)
	if err != nil {
		return nil, err
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return slices.Compact(list), nil
}

// A LinkedError says that a module that is asked for needs another version of one that the worker is linked with.
type LinkedError struct{ Changes []string }

func (e *LinkedError) Error() string {
	return "this changes modules that the session's worker is linked with: " + strings.Join(e.Changes, ", ")
}

// Get adds modules to the session, as go get does: paths with or without @version. When the worker would have to be
// another one it fails with a [LinkedError] and changes nothing; with force it goes on, and the session needs the worker
// that BuildWorker then builds.
func (b *Builder) Get(ctx context.Context, force bool, specs ...string) (added []string, err error) {
	b.modules.Lock()
	defer b.modules.Unlock()
	before, err := b.list(ctx, b.mod)
	if err != nil {
		return nil, modules.Explain(err, strings.Join(specs, " "))
	}
	linked, err := b.linked(ctx)
	if err != nil {
		return nil, modules.Explain(err, strings.Join(specs, " "))
	}
	next, err := os.MkdirTemp(filepath.Dir(b.dir), "mod-new-")
	if err != nil {
		return nil, cacheError(err)
	}
	defer os.RemoveAll(next)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(b.mod, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(next, name), text, 0o666)
		}
		if err != nil {
			return nil, cacheError(err)
		}
	}
	if _, err := b.Tools.run(ctx, next, b.Tools.Go, append([]string{"get"}, specs...)...); err != nil {
		return nil, modules.Explain(err, strings.Join(specs, " "))
	}
	after, err := b.list(ctx, next)
	if err != nil {
		return nil, modules.Explain(err, strings.Join(specs, " "))
	}
	added, changes := modules.Compare(before, after, func(path string) bool { return slices.Contains(linked, path) })
	if changes != nil && !force {
		return nil, &LinkedError{changes}
	}
	if err := b.takeModule(next); err != nil || changes == nil {
		return added, err
	}
	return append(added, changes...), b.changeWorker(ctx)
}

// changeWorker has the next worker built from the modules of today.
func (b *Builder) changeWorker(ctx context.Context) error {
	files, err := sourceFiles()
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.cells = map[string]*built{}
	b.mu.Unlock()
	if err := b.rekey(ctx, string(files["go.mod"])); err != nil {
		return err
	}
	b.worker.forget()
	if err := os.MkdirAll(filepath.Join(b.dir, "cells"), 0o777); err != nil {
		return cacheError(err)
	}
	return cacheError(b.writeLinker())
}

// takeModule makes the module in a directory the session's.
func (b *Builder) takeModule(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		return err
	}
	hash := sha256.Sum256(append([]byte(b.key), text...))
	mod := filepath.Join(filepath.Dir(b.dir), "mod-"+hex.EncodeToString(hash[:8]))
	if err := os.MkdirAll(mod, 0o777); err != nil {
		return cacheError(err)
	}
	err = errors.Join(writeFile(filepath.Join(mod, "go.sum"), sums, 0o666), writeFile(filepath.Join(mod, "go.mod"), text, 0o666))
	if err != nil {
		return cacheError(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mod = mod
	b.readExports()
	return nil
}

// An Export is a compiled package of a module.
type Export struct {
	File string   // with its export data
	Deps []string // packages that it imports, directly or not
	Dir  string   // of its source
}

// Package has a package ready that is not Gaucho's own, fetching its module when no module of the session provides it;
// fetching tells the user of that.
func (b *Builder) Package(ctx context.Context, path string, fetching func(path string)) (*Export, error) {
	if e, err := b.describe(ctx, path); err == nil {
		return e, nil
	} else if !strings.Contains(err.Error(), "no required module provides package") &&
		!strings.Contains(err.Error(), "cannot find module providing package") && !strings.Contains(err.Error(), "missing go.sum entry") {
		return nil, modules.Explain(err, "package "+path)
	}
	fetching(path)
	if _, err := b.Get(ctx, false, path); err != nil {
		return nil, err
	}
	e, err := b.describe(ctx, path)
	if err != nil {
		return nil, modules.Explain(err, "package "+path)
	}
	return e, nil
}

// Dir is the folder with the source of a package that the session can import; empty where there is none.
func (b *Builder) Dir(path string) string {
	out, err := b.Tools.run(context.Background(), b.mod, b.Tools.Go, "list", "-f", "{{.Dir}}", "--", path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func (b *Builder) describe(ctx context.Context, path string) (*Export, error) {
	out, err := b.Tools.run(ctx, b.mod, b.Tools.Go, "list", "-export", "-trimpath", "-buildmode=plugin", "-json=Name,Export,Deps,Dir", "--", path)
	if err != nil {
		return nil, err
	}
	var e struct {
		Name, Export, Dir string
		Deps              []string
	}
	if err := json.Unmarshal(out, &e); err != nil {
		return nil, err
	}
	if e.Name == "main" {
		return nil, fmt.Errorf("package %s is a program, not an importable package", path)
	}
	return &Export{File: e.Export, Deps: e.Deps, Dir: e.Dir}, nil
}
