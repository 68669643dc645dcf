// Package atomicfile writes files as a whole or not at all: a reader never sees half of one.
package atomicfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file by write. A file of that name is replaced only once all is written, keeps its mode, and stays where writing
// fails; a link leads where it led; a device or a pipe is written to as it is.
func Write(file string, write func(w io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	old, err := os.Stat(file)
	if err == nil && !old.Mode().IsRegular() {
		return writeTo(file, os.O_WRONLY, 0, write)
	}
	mode := fs.FileMode(0o666)
	if err == nil {
		mode = old.Mode().Perm()
	}
	next := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+"."+rand.Text()[:8])
	err = writeTo(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode, write)
	if err == nil && old != nil {
		err = os.Chmod(next, mode) // what the umask took
	}
	if err == nil {
		err = os.Rename(next, file)
	}
	if err != nil {
		os.Remove(next)
	}
	return err
}

// WriteData is Write of data at hand.
func WriteData(file string, data []byte) error {
	return Write(file, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func writeTo(file string, flag int, mode fs.FileMode, write func(w io.Writer) error) error {
	f, err := os.OpenFile(file, flag, mode)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
