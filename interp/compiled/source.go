package compiled

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// Sources are the files of Gaucho's own from which the worker is built: go.mod, go.sum and the packages that it needs. The
// program that embeds them sets it.
var Sources fs.FS

// sourceFiles lists the files of Sources that a build reads, sorted.
var sourceFiles = sync.OnceValues(func() (map[string][]byte, error) {
	if Sources == nil {
		return nil, errors.New("this program was built without the sources of its worker")
	}
	files := map[string][]byte{}
	read := func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files[path], err = fs.ReadFile(Sources, path)
		return err
	}
	for _, part := range sourceParts {
		if err := fs.WalkDir(Sources, part, read); err != nil {
			return nil, err
		}
	}
	return files, nil
})

// sourceParts are what Sources must hold.
var sourceParts = []string{
	"go.mod", "go.sum", "interp/rt", "interp/wire", "interp/worker", "interp/symbols/tables", "interp/symbols/internal", "plotting", "stdlib",
}

// sourceHash names the state of the sources.
var sourceHash = sync.OnceValues(func() (string, error) {
	files, err := sourceFiles()
	if err != nil {
		return "", err
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	h := sha256.New()
	for _, name := range names {
		fmt.Fprintf(h, "%s %d\n", name, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
})

// writeSources puts the sources into a directory, whole or not at all.
func writeSources(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	files, err := sourceFiles()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".src-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for name, text := range files {
		path := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, "go.mod")); there == nil {
			return nil // another session was faster
		}
		return err
	}
	return nil
}
