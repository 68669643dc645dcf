package kit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/interp/symbols"
)

// A toolchain is one of Go's, of the release that built this program.
type toolchain struct {
	command string // go
	version string
	env     []string
}

// findToolchain looks for the toolchain that built this program. Where the go command is of another release it is asked
// for the right one, which may be a download by the user's own Go configuration.
func findToolchain(ctx context.Context) (*toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("compiled cells need the Go toolchain %s, because this program was built without it, and no go command was found", runtime.Version())
	}
	t := &toolchain{command: command}
	for _, release := range []string{"local", runtime.Version()} {
		t.env = append(os.Environ(), "CGO_ENABLED=0", "GOTOOLCHAIN="+release, "GOFLAGS=-mod=mod", "GOWORK=off", "GO111MODULE=on", "GOEXPERIMENT=", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
		out, err := t.run(ctx, os.TempDir(), "env", "GOVERSION")
		if err != nil {
			return nil, fmt.Errorf("compiled cells need the Go toolchain %s, and %s cannot get it: %w", runtime.Version(), command, err)
		}
		t.version = strings.TrimSpace(string(out))
		if t.version == runtime.Version() {
			break
		}
	}
	if t.version != runtime.Version() {
		return nil, fmt.Errorf("compiled cells need the Go toolchain %s, and %s is %s", runtime.Version(), command, t.version)
	}
	return t, nil
}

// run runs the go command in a directory and returns what it prints; its error holds what it complains of.
func (t *toolchain) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.command, args...)
	cmd.Dir, cmd.Env = dir, t.env
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

// fill makes a kit from the sources of the module gaucho.
func (t *toolchain) fill(ctx context.Context, dir string) error {
	module := Module
	if module == "" {
		var err error
		if module, err = os.MkdirTemp("", "gaucho-source-*"); err != nil {
			return err
		}
		defer os.RemoveAll(module)
		if err := copySources(module); err != nil {
			return err
		}
	}
	return Fill(dir, runtime.GOOS, runtime.GOARCH, func(args ...string) ([]byte, error) { return t.run(ctx, module, args...) })
}

// copySources writes the parts of the module gaucho into a directory.
func copySources(dir string) error {
	return eachSource(func(path string, text []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(path))
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, text, 0o600))
	})
}

// Fill puts a compiler, an assembler and the export data of what cells' text imports into a kit's directory. goCommand runs the
// go command in the directory of the module gaucho, with the settings with which the program is built.
func Fill(dir, goos, goarch string, goCommand func(args ...string) ([]byte, error)) error {
	for _, tool := range []string{"compile", "asm"} {
		if err := buildTool(tool, dir, goos, goarch, goCommand); err != nil {
			return fmt.Errorf("the tool %s of Go cannot be built: %w", tool, err)
		}
	}
	root, err := goCommand("env", "GOROOT")
	if err != nil {
		return err
	}
	headers := os.DirFS(filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"))
	if err := os.CopyFS(filepath.Join(dir, include), headers); err != nil {
		return err
	}
	// Without -linkshared the compiler refers to what is in other packages by number, and only the linker knows the numbers.
	args := []string{"list", "-export", "-gcflags=all=-linkshared", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}", "gaucho/interp/rt"}
	out, err := goCommand(append(args, importable()...)...)
	if err != nil {
		return err
	}
	// What a package exports is told with all that it refers to in others, so that these are not read. But the text of a cell
	// imports a package that its author cannot, where a variable is of one of its types.
	imported := slices.Concat(importable(), symbols.Mentioned(), runtimePackages)
	for line := range strings.Lines(string(out)) {
		path, file, ok := strings.Cut(strings.TrimSpace(line), "\t")
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
var parts = []string{"LICENSE", "go.mod", "go.sum", "internal/atomicfile", "internal/halt", "internal/tex", "interp/rt", "interp/wire", "plotting", "stdlib"}

// eachSource calls f with the files of the parts, without tests.
func eachSource(f func(path string, text []byte) error) error {
	if Sources == nil {
		return errors.New("this program was built without the sources of what cells can import")
	}
	for _, part := range parts {
		err := fs.WalkDir(Sources, part, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := fs.ReadFile(Sources, path)
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
func hash() (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, importable())
	err := eachSource(func(path string, text []byte) error {
		fmt.Fprintf(h, "%s %d\n", path, len(text))
		h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
