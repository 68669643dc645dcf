//go:build unix

package kit

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPrivate: a directory from which the compiler is run is refused if somebody else could have put something there.
func TestPrivate(t *testing.T) {
	for name, c := range map[string]struct {
		make func(dir string) error
		want string
	}{
		"own":         {func(dir string) error { return os.Mkdir(dir, 0o700) }, ""},
		"for a group": {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o770)) }, "can be written by others"},
		"for all":     {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o707)) }, "can be written by others"},
		"link":        {func(dir string) error { return os.Symlink(filepath.Dir(dir), dir) }, "is not a directory"},
		"file":        {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "is not a directory"},
		"another's": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 4711, 4711))
		}, "belongs to another user"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "another's" && os.Geteuid() != 0 {
				t.Skip("only root can give a directory away")
			}
			dir := filepath.Join(t.TempDir(), "kit")
			if err := c.make(dir); err != nil {
				t.Fatal(err)
			}
			err := private(dir)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	// The directory of the user's cache is made for the user alone, whatever the umask.
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	defer syscall.Umask(syscall.Umask(0))
	dir := cacheDirs()[0]
	if err := makePrivate(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%s has mode %v, error %v", dir, info.Mode(), err)
	}
}

// TestPrune: what is used stays whatever the clock says, as does a kit of a time when the clock was ahead.
func TestPrune(t *testing.T) {
	const day = 24 * time.Hour
	root := t.TempDir()
	for name, age := range map[string]time.Duration{
		"used": 60 * day, "old": 31 * day, "built": 2 * day, "morning": 5 * time.Hour, "hour": time.Hour, "now": 0, "ahead": -365 * day,
	} {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
	}
	prune(root, "used")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{"ahead", "hour", "morning", "now", "used"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}
