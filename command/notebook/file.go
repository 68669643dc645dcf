package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gaucho/internal/atomicfile"
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

// WriteFile writes data to the file, whole or not at all. The directory is made if it is missing.
func WriteFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return atomicfile.WriteData(path, data)
}
