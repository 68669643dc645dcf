package papers

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/stdlib/reproduction"
	"gaucho/stdlib/study"
)

// NewCompact returns the compact record of the results of a study at the given size, which is empty for a study that is not of
// the papers. It refuses the small size, which shows only that a study runs and supports no conclusion.
func NewCompact(res *study.Results, size Size) (*study.Compact, error) {
	if size == Small {
		return nil, fmt.Errorf("papers: size is %s, must be default or paper: the small one shows only that %s runs", size, res.Study.Name)
	}
	c, err := study.NewCompact(res)
	if err != nil {
		return nil, err
	}
	if size != "" {
		c.Study, c.Size = strings.TrimSuffix(c.Study, "."+string(size)), string(size)
	}
	return c, nil
}

// ReadCompact reads the compact record of a study from a directory; an empty one stands for the records that notebooks read,
// which come with Gaucho (package reproduction). The error is fs.ErrNotExist if there is none.
func ReadCompact(dir, name string) (*study.Compact, error) {
	if dir == "" {
		return reproduction.Read(name)
	}
	js, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		return nil, err
	}
	c, err := study.ParseCompact(js)
	if err != nil {
		return nil, fmt.Errorf("papers: %s.json: %w", name, err)
	}
	if c.Study != name || c.Size != "" && !slices.Contains(Sizes, Size(c.Size)) {
		return nil, fmt.Errorf("papers: %s.json holds the study %q at size %q", name, c.Study, c.Size)
	}
	return c, nil
}

// WriteCompact writes a record to NAME.json in a directory, which it creates if necessary. It does not replace a record of a
// larger size.
func WriteCompact(dir string, c *study.Compact) (path string, err error) {
	path = filepath.Join(dir, c.Study+".json")
	old, err := ReadCompact(dir, c.Study)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case old.Version == c.Version && slices.Index(Sizes, Size(old.Size)) > slices.Index(Sizes, Size(c.Size)):
		return "", fmt.Errorf("papers: %s is of size %s; remove it to keep the %s one", path, old.Size, c.Size)
	}
	js, err := c.Marshal()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return path, os.WriteFile(path, js, 0o666)
}
