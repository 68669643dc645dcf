// Package atomicfile writes files as a whole or not at all.
package atomicfile

import (
	"io"
	"os"
	"path/filepath"
)

// Write writes a file by write. A file of that name is replaced only once all is written, and kept where writing fails.
func Write(file string, write func(w io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
