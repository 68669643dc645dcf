// Package kit holds what cells are compiled with: the Go compiler that made this program and the export data of every
// package that cells can import.
//
// A program that make built carries its kit, compressed, and unpacks it for its user the first time that a session needs
// it. One that go build made carries none; it makes the same kit from its own sources with the user's toolchain, once for
// each user: that takes minutes.
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

	"gaucho/internal/buildenv"
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

	make func(ctx context.Context, dir string, say Say) error
	own  bool // the program carries no kit
}

// A Say is told what takes time, in lines.
type Say func(format string, args ...any)

// Available reports whether this program has a kit or the sources of one. A program of a test has neither.
func Available() bool { return Carried() || Sources != nil }

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

// Open returns the kit of this program, unpacking or making it where this user has not got it yet.
func Open(ctx context.Context, say Say) (*Kit, error) {
	k, err := Find()
	if err != nil {
		return nil, err
	}
	var first error
	for _, root := range cacheDirs() {
		k.Dir = filepath.Join(root, k.ID)
		err := k.Restore(ctx, say)
		if err == nil {
			prune(root, k.ID)
			return k, k.fits()
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

// Find returns the kit of this program, which may be Missing.
func Find() (*Kit, error) {
	if err := supported(); err != nil {
		return nil, err
	}
	k := &Kit{make: func(_ context.Context, dir string, _ Say) error { return unpack(dir, carried()) }}
	var carries bool
	if k.ID, carries = carriedID(); !carries {
		sources, err := moduleSources()
		if err != nil {
			return nil, err
		}
		state, err := hash(sources)
		if err != nil {
			return nil, err
		}
		k.ID, k.make, k.own = "own-"+name(state), makeOwn, true
	}
	roots := cacheDirs()
	for _, root := range roots {
		if k.Dir = filepath.Join(root, k.ID); !k.Missing() {
			return k, nil
		}
	}
	k.Dir = filepath.Join(roots[0], k.ID)
	return k, nil
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
			return fmt.Errorf("this program was built with %s, which compiled cells do not go with; build it without", s.Key)
		}
	}
	return nil
}

// name is a short name for what the words say.
func name(words ...string) string {
	words = append(words, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, setting := range []string{"GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFIPS140", "-tags"} {
		words = append(words, setting+"="+buildenv.Setting(setting))
	}
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// Missing reports whether the kit is gone: people empty caches, and systems their temporary directories.
func (k *Kit) Missing() bool {
	_, err := os.Stat(filepath.Join(k.Dir, complete))
	return err != nil
}

// Restore makes the kit's directory unless it is there. Two sessions may do so at once; what takes minutes one of them does.
func (k *Kit) Restore(ctx context.Context, say Say) error {
	root := filepath.Dir(k.Dir)
	if err := makePrivate(root); err != nil {
		return err
	}
	if k.own && k.Missing() {
		unlock, err := lock(ctx, root, say)
		if err != nil {
			return err
		}
		defer unlock()
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
	k.noteFailure(ctx, nil)
	err = k.make(ctx, work, say)
	k.noteFailure(ctx, err)
	if err != nil {
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
