// Package kit holds what cells are compiled with: the Go compiler that made this program and the export data of every
// package that cells can import.
//
// A program that make built carries its kit, compressed, and unpacks it for its user the first time that a session needs
// it. One that go build made carries none; it makes the same kit from its own sources with the user's toolchain, which
// must be of the release that built the program.
package kit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Sources are those of the module gaucho, from which a program without a kit makes one. The program sets it; tests set
// Module, the directory of the module, in its place.
var (
	Sources fs.FS
	Module  string
)

// A Kit is unpacked, and ready to compile.
type Kit struct {
	Dir string // of the user alone
	ID  string // names the compiler, its settings and the packages

	make func(dir string) error
}

// Tool is the file of one of the kit's programs: compile or asm.
func (k *Kit) Tool(name string) string { return filepath.Join(k.Dir, name+exe()) }

// Include is the directory of Go's header files for assembly.
func (k *Kit) Include() string { return filepath.Join(k.Dir, include) }

const include = "include"

// Package is the file of a package's export data. Where the kit has none, there is no such file.
func (k *Kit) Package(path string) string {
	return filepath.Join(k.Dir, packages, filepath.FromSlash(path)+exportSuffix)
}

// complete is an empty file, made last.
const complete = "complete"

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// Open returns the kit of this program, unpacking or making it where this user has not got it yet; say is told what
// takes time.
func Open(ctx context.Context, say func(format string, args ...any)) (*Kit, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	make := func(dir string) error { return unpack(dir, carried()) }
	id, ok := carriedID()
	if !ok {
		t, err := findToolchain(ctx)
		if err != nil {
			return nil, err
		}
		if Module != "" {
			Sources = os.DirFS(Module)
		}
		state, err := hash()
		if err != nil {
			return nil, err
		}
		id = "own-" + name(state, runtime.Version())
		make = func(dir string) error {
			say("Compiling the packages that cells can import with %s, once for this version of Gaucho; this can take some minutes ...\n", runtime.Version())
			start := time.Now()
			if err := t.fillHere(ctx, dir); err != nil {
				return fmt.Errorf("the packages that cells can import cannot be compiled: %w", err)
			}
			say("done in %s\n", time.Since(start).Round(time.Second))
			return nil
		}
	}
	var first error
	for _, root := range cacheDirs() {
		k := &Kit{Dir: filepath.Join(root, id), ID: id, make: make}
		err := k.Restore()
		if err == nil {
			prune(root, id)
			return k, nil
		}
		if first == nil {
			first = explain(err)
		}
		if !errors.As(err, new(*fs.PathError)) { // another directory does not help
			break
		}
	}
	return nil, first
}

// supported reports what of this program's build compiled cells do not go with.
func supported() error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "-race" && s.Value == "true", s.Key == "-cover" && s.Value == "true", s.Key == "-msan" && s.Value == "true", s.Key == "-asan" && s.Value == "true":
			return fmt.Errorf("this program was built with %s", s.Key)
		}
	}
	return nil
}

// name is a short name for what the words say.
func name(words ...string) string {
	words = append(words, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "GOAMD64", "GOARM64", "GOEXPERIMENT", "-tags":
				words = append(words, s.Key+"="+s.Value)
			}
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Missing reports whether the kit is gone: people empty caches, and systems their temporary directories.
func (k *Kit) Missing() bool {
	_, err := os.Stat(filepath.Join(k.Dir, complete))
	return err != nil
}

// Restore makes the kit's directory unless it is there. Two sessions may do so at once.
func (k *Kit) Restore() error {
	root := filepath.Dir(k.Dir)
	if err := makePrivate(root); err != nil {
		return err
	}
	if err := private(k.Dir); err == nil {
		if !k.Missing() {
			now := time.Now()
			os.Chtimes(k.Dir, now, now) // for prune
			return nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	work, err := os.MkdirTemp(root, ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := k.make(work); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, complete), nil, 0o600); err != nil {
		return err
	}
	if err := os.Rename(work, k.Dir); err == nil || !k.Missing() {
		return nil
	}
	if err := os.RemoveAll(k.Dir); err != nil { // what is left of one of which a part was removed
		return err
	}
	return os.Rename(work, k.Dir)
}

// Packages lie in this directory of a kit by their paths, with this suffix.
const (
	packages     = "packages"
	exportSuffix = ".x"
)
