package kit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/internal/buildenv"
	"gaucho/internal/modpath"
	"gaucho/interp/symbols"
)

// A Toolchain is a go command, and how it is run to make a kit.
type Toolchain struct {
	Command string    // go
	Dir     string    // of the module gaucho
	Env     []string  // with the settings with which the program is built
	Stderr  io.Writer // takes what the command complains of; the error does where it is nil
}

// findToolchain looks for the toolchain that built this program. Where the go command is of another release it is asked
// for the right one, which may be a download by the user's own Go configuration.
func findToolchain(ctx context.Context) (*Toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, errNoGo
	}
	t := &Toolchain{Command: command, Dir: os.TempDir()}
	version := ""
	for _, release := range []string{"local", runtime.Version()} {
		t.Env = buildenv.Environ("CGO_ENABLED=0", "GOTOOLCHAIN="+release, "GOFLAGS=-mod=mod", "GOWORK=off", "GO111MODULE=on")
		out, err := t.run(ctx, "env", "GOVERSION")
		if err != nil {
			return nil, fmt.Errorf("compiled cells need the Go toolchain %s, and %s cannot get it: %w", runtime.Version(), command, err)
		}
		if version = strings.TrimSpace(string(out)); version == runtime.Version() {
			return t, nil
		}
	}
	return nil, fmt.Errorf("compiled cells need the Go toolchain %s, and %s is %s", runtime.Version(), command, version)
}

// run runs the go command and returns what it prints.
func (t *Toolchain) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.Command, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = t.Dir, t.Env, t.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it removes what it has begun
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return nil, errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

// dirs are the toolchain's own directory and the go command's cache.
func (t *Toolchain) dirs(ctx context.Context) (root, cache string, err error) {
	out, err := t.run(ctx, "env", "GOROOT", "GOCACHE")
	root, cache, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	return root, strings.TrimSpace(cache), err
}

// withoutModules is the toolchain without modules: in place of their cache it has an empty directory. The go command replaces no file
// in that cache, where a toolchain lies that it has fetched for itself, so it must not choose the toolchain again either.
func (t *Toolchain) withoutModules(root, empty string) *Toolchain {
	own := *t
	own.Command = filepath.Join(root, "bin", "go")
	own.Env = append(slices.Clip(t.Env), "GOROOT="+root, "GOTOOLCHAIN=local", "GOMODCACHE="+empty)
	return &own
}

// fillHere makes a kit for this platform from the sources of the module gaucho.
func (t *Toolchain) fillHere(ctx context.Context, dir string) error {
	t.Dir = Module
	if Module == "" {
		var err error
		if t.Dir, err = os.MkdirTemp("", "gaucho-source-*"); err != nil {
			return err
		}
		defer os.RemoveAll(t.Dir)
		if err := copySources(t.Dir); err != nil {
			return err
		}
	}
	return t.Fill(ctx, dir, runtime.GOOS, runtime.GOARCH, func(string, ...any) {})
}

// copySources writes the parts of the module gaucho into a directory.
func copySources(dir string) error {
	sources, err := moduleSources()
	if err != nil {
		return err
	}
	return eachSource(sources, func(path string, text []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(path))
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600))
	})
}

// Fill puts a compiler, an assembler and the export data of what cells' text imports into a kit's directory.
func (t *Toolchain) Fill(ctx context.Context, dir, goos, goarch string, say Say) error {
	for _, tool := range []string{"compile", "asm"} {
		say("building Go's program %s for %s/%s\n", tool, goos, goarch)
		if err := t.buildTool(ctx, tool, dir, goos, goarch); err != nil {
			return fmt.Errorf("the tool %s of Go cannot be built: %w", tool, err)
		}
	}
	root, _, err := t.dirs(ctx)
	if err != nil {
		return err
	}
	headers := os.DirFS(filepath.Join(root, "pkg", "include"))
	if err := os.CopyFS(filepath.Join(dir, include), headers); err != nil {
		return err
	}
	say("compiling the %d packages that cells can import\n", len(importable()))
	// Without -linkshared the compiler refers to what is in other packages by number, and only the linker knows the numbers.
	args := []string{"list", "-export", "-gcflags=all=-linkshared", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}", modpath.Own("gaucho/interp/rt")}
	for _, path := range importable() {
		args = append(args, modpath.Own(path))
	}
	out, err := t.run(ctx, args...)
	if err != nil {
		return err
	}
	// What a package exports is told with all that it refers to in others, so that these are not read. But the text of a cell
	// imports a package that its author cannot, where a variable is of one of its types.
	imported := slices.Concat(importable(), symbols.Mentioned(), runtimePackages)
	for _, more := range Inlined {
		imported = append(imported, more...)
	}
	for line := range strings.Lines(string(out)) {
		path, file, ok := strings.Cut(strings.TrimSpace(line), "\t")
		path = modpath.Cell(path)
		if !ok || !slices.Contains(imported, path) {
			continue
		}
		data, err := exportData(file)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, packages, filepath.FromSlash(path)+exportSuffix)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// runtimePackages are those whose names cells' text has.
var runtimePackages = []string{"gaucho/interp/rt/cell", "gaucho/interp/rt/run"}

// Inlined are packages that generic functions of the standard library use, by the package of these. They have functions that are
// inlined wherever they are called, so that the program has no code of them.
var Inlined = map[string][]string{"crypto/hkdf": {"crypto/internal/fips140"}}

// importable are the packages that cells can import.
func importable() []string {
	return slices.DeleteFunc(slices.Clone(symbols.Paths()), func(path string) bool { return path == "unsafe" || path == "builtin" })
}

// exportData returns the first member of a compiled package, which has all that the compiler reads of it, as an archive.
func exportData(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const magic, header = "!<arch>\n", 60
	if len(data) < len(magic)+header || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%s is not a compiled package", file)
	}
	size, err := strconv.Atoi(strings.TrimSpace(string(data[len(magic)+48 : len(magic)+58])))
	if end := len(magic) + header + size; err == nil && end <= len(data) {
		return bytes.Clone(data[:end]), nil
	}
	return nil, fmt.Errorf("%s is not a compiled package", file)
}

// parts of the module gaucho that cells can import or that their text uses, and what these need.
var parts = []string{"LICENSE", "go.mod", "go.sum", "internal", "interp/rt", "interp/wire", "plotting", "render", "stdlib"}

// moduleSources are those that kits are made from.
func moduleSources() (fs.FS, error) {
	switch {
	case Module != "":
		return os.DirFS(Module), nil
	case Sources == nil:
		return nil, errors.New("this program was built without the sources of what cells can import")
	}
	return Sources, nil
}

// eachSource calls f with the files of the parts, without tests.
func eachSource(sources fs.FS, f func(path string, text []byte) error) error {
	for _, part := range parts {
		err := fs.WalkDir(sources, part, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := fs.ReadFile(sources, path)
			if err != nil {
				return err
			}
			return f(path, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hash names the state of the sources and what of them is offered.
func hash(sources fs.FS) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, importable(), Inlined)
	err := eachSource(sources, func(path string, text []byte) error {
		fmt.Fprintf(h, "%s %d\n", path, len(text))
		h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
