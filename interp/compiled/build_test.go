package compiled

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"gaucho/interp/modules"
)

func TestMain(m *testing.M) {
	Sources = os.DirFS("../..")
	os.Exit(m.Run())
}

// fakeGo puts a go command in the PATH that answers go env: with version, unless it is asked to be another toolchain.
func fakeGo(t *testing.T, version, cc string) {
	t.Helper()
	if Supported() != nil {
		t.Skip("no plugins here")
	}
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nif [ $GOTOOLCHAIN != local ]; then echo 'go: download '$GOTOOLCHAIN': toolchain not available' >&2; exit 1; fi\n"+
		"echo '{\"GOVERSION\": %q, \"GOTOOLDIR\": \"/none\", \"CC\": %q}'\n", version, cc)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %v, without %q", err, w)
		}
	}
}

func TestMissingTools(t *testing.T) {
	t.Run("no go", func(t *testing.T) {
		if Supported() != nil {
			t.Skip("no plugins here")
		}
		t.Setenv("PATH", t.TempDir())
		_, err := FindToolchain(t.Context())
		wantError(t, err, "needs the Go toolchain "+runtime.Version(), "no go command was found")
	})
	t.Run("another version", func(t *testing.T) {
		fakeGo(t, "go1.2.3", "cc")
		_, err := FindToolchain(t.Context())
		wantError(t, err, runtime.Version(), "is go1.2.3", "cannot get it", "toolchain not available")
	})
	t.Run("no C compiler", func(t *testing.T) {
		fakeGo(t, runtime.Version(), "nosuchcc -m64")
		_, err := FindToolchain(t.Context())
		wantError(t, err, "needs a C compiler", "nosuchcc")
	})
}

// newBuilder is a builder with the user's own cache, in a session without a notebook's module.
func newBuilder(t *testing.T) *Builder {
	t.Helper()
	b, err := NewBuilder(context.Background(), "")
	if err != nil {
		t.Skip(err)
	}
	return b
}

func TestCacheNotWritable(t *testing.T) {
	newBuilder(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	t.Setenv("HOME", file)
	_, err := NewBuilder(t.Context(), "")
	wantError(t, err, file)
	wantError(t, cacheError(&fs.PathError{Op: "open", Path: "/cache/x", Err: syscall.EROFS}), "cannot write /cache/x", "XDG_CACHE_HOME")
	wantError(t, cacheError(&fs.PathError{Op: "write", Path: "/cache/x", Err: syscall.ENOSPC}), "/cache/x", "the disk is full")
	wantError(t, diskError(errors.New("link: writing a.so: no space left on device")), "the disk is full")
}

// TestModules: what a module cannot be had for is said in words. Nothing is fetched here.
func TestModules(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	b := newBuilder(t)
	told := ""
	_, err := b.Package(t.Context(), "example.org/nothing/here", func(path string) { told = path })
	wantError(t, err, "example.org/nothing/here", "cannot be fetched without a network")
	if told != "example.org/nothing/here" {
		t.Errorf("the user was told of %q", told)
	}
	_, err = b.Get(t.Context(), false, "example.org/nothing@v1.0.0")
	wantError(t, err, "example.org/nothing@v1.0.0", "cannot be fetched without a network")
	var module *modules.Error
	if !errors.As(err, &module) {
		t.Errorf("the error is a %T", err)
	}
}

// TestNotebookModule: cells can import the packages of the module beside the notebook.
func TestNotebookModule(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	newBuilder(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module lab\n\ngo 1.26\n", "stats/stats.go": "package stats\n\nfunc Twice(x int) int { return 2 * x }\n",
		"cmd/main.go": "package main\n\nfunc main() {}\n",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := NewBuilder(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if !b.Local("lab/stats") || b.Local("laboratory") {
		t.Error("the notebook's own packages are not known")
	}
	e, err := b.Package(t.Context(), "lab/stats", func(string) { t.Error("fetching") })
	if err != nil || e.File == "" || e.Dir != filepath.Join(dir, "stats") {
		t.Errorf("%+v, %v", e, err)
	}
	_, err = b.Package(t.Context(), "lab/cmd", func(string) {})
	wantError(t, err, "is a program, not an importable package")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("modul lab\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = NewBuilder(t.Context(), dir)
	wantError(t, err, "the go.mod beside the notebook cannot be read", "modul")
}
