package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestKeeps: a file that is private stays private, and a link stays one.
func TestKeeps(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink("a", link)); err != nil {
		t.Skip(err)
	}
	if err := WriteData(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if data, _ := os.ReadFile(file); err != nil || string(data) != "new" || st.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("the file is %q, mode %v, %v", data, st.Mode(), err)
	}
	if to, err := os.Readlink(link); to != "a" {
		t.Errorf("the link leads to %q, %v", to, err)
	}
}

// TestFails: where writing fails the old file stays, and nothing beside it.
func TestFails(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := WriteData(file, []byte("old")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	err := Write(file, func(w io.Writer) error {
		w.Write([]byte("ne"))
		return full
	})
	if data, _ := os.ReadFile(file); !errors.Is(err, full) || string(data) != "old" {
		t.Errorf("%v, and the file is %q", err, data)
	}
	if entries, err := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	if err := WriteData(filepath.Join(dir, "missing", "a"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a directory that is missing: %v", err)
	}
}

// TestPipe: what is no file is written to, not replaced.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	name := fmt.Sprintf("/proc/self/fd/%d", w.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("this system gives pipes no names")
	}
	err = errors.Join(WriteData(name, []byte("through")), w.Close())
	if data, _ := io.ReadAll(r); err != nil || string(data) != "through" {
		t.Errorf("%v, and the pipe has %q", err, data)
	}
}
