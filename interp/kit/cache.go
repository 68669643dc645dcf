package kit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// cacheDirs are where the kits of this user may lie: in the user's cache or, where there is none that can be written (no home,
// one that is read-only, a full disk), among temporary files.
func cacheDirs() []string {
	var dirs []string
	if cache, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(cache, "gaucho", "kit"))
	}
	return append(dirs, filepath.Join(os.TempDir(), fmt.Sprintf("gaucho-kit-%d", os.Getuid())))
}

// makePrivate makes the directory of the kits. What is run from there must be nobody else's, so it belongs to the user alone.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return private(dir)
}

// private reports what keeps a directory from being the user's alone.
func private(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case info.Mode().Perm()&0o022 != 0 && os.PathSeparator == '/':
		return fmt.Errorf("%s can be written by others than its owner; remove it or run chmod go-w %[1]s", dir)
	}
	return owned(dir, info)
}

// explain puts in words that the cache cannot be written.
func explain(err error) error {
	var path *fs.PathError
	where := "its directory"
	if errors.As(err, &path) {
		where = path.Path
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the compiler cannot be unpacked into %s: the disk is full", where)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), path != nil && path.Op == "mkdir":
		return fmt.Errorf("the compiler cannot be unpacked: %w; set XDG_CACHE_HOME to a directory that can be written", err)
	}
	return err
}

// prune removes kits that no session has used for a month, and those of this user's own builds after a day, except the
// last few: a kit takes some 80 MB.
func prune(root, used string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	age := func(e fs.DirEntry) time.Duration {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return time.Since(info.ModTime())
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == used || !e.IsDir() })
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return int(age(a) - age(b)) })
	for i, e := range entries {
		if a := age(e); a > 30*24*time.Hour || i >= 3 && a > 24*time.Hour {
			name := filepath.Join(root, e.Name())
			if gone := name + ".old"; os.Rename(name, gone) == nil { // on Windows not where a program of it runs, which goes on
				os.RemoveAll(gone)
			}
		}
	}
}
