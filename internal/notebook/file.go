package notebook

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads a notebook file.
func ReadFile(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	nb, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	nb.Dir = filepath.Dir(path)
	nb.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return nb, nil
}

// WriteFile writes the notebook to a file, whole or not at all.
func (nb *Notebook) WriteFile(path string) error {
	var buf bytes.Buffer
	if err := nb.Encode(&buf); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return WriteFile(path, buf.Bytes())
}

// WriteFile writes data to the file, whole or not at all: a reader never sees half of it. The directory is made if it is
// missing. A file that is there keeps its mode, and a link leads where it led.
func WriteFile(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	mode, old := fs.FileMode(0o666), false
	if st, err := os.Stat(path); err == nil {
		if !st.Mode().IsRegular() {
			return os.WriteFile(path, data, 0o666) // a device or a pipe
		}
		mode, old = st.Mode().Perm(), true
	}
	tmp, err := os.OpenFile(filepath.Join(dir, "."+filepath.Base(path)+"."+rand.Text()[:8]), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if old {
		err = tmp.Chmod(mode) // what the umask took
	}
	if err == nil {
		_, err = tmp.Write(data)
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
