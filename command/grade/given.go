package grade

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gaucho/command/notebook"
)

// givenFiles lists the files that a source gives to students' code: those that its metadata names in gaucho.files, files or
// directories next to the notebook, or without such a list the directory data, if there is one. Nothing else is copied; an
// error says which of the files would bring answers along.
func givenFiles(nb *notebook.Notebook) (files []string, err error) {
	mine, _ := nb.Metadata["gaucho"].(map[string]any)
	list, listed := mine["files"].([]any)
	if !listed {
		if mine["files"] != nil {
			return nil, fmt.Errorf("the metadata's gaucho.files must be a list of files")
		}
		if st, err := os.Lstat(filepath.Join(nb.Dir, "data")); err != nil || !st.IsDir() {
			return nil, nil
		}
		list = []any{"data"}
	}
	for _, item := range list {
		name, ok := item.(string)
		if !ok || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("the metadata's gaucho.files has %v, must name a file or a directory next to the notebook", item)
		}
		err := filepath.WalkDir(filepath.Join(nb.Dir, filepath.FromSlash(name)), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(nb.Dir, path)
			if strings.HasPrefix(d.Name(), ".") {
				return nil
			}
			if err := harmless(path, d); err != nil {
				return fmt.Errorf("%s would be given to students' code: %w", rel, err)
			}
			files = append(files, rel)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// harmless says why a file must not be given to students.
func harmless(path string, d fs.DirEntry) error {
	switch {
	case !d.Type().IsRegular():
		return fmt.Errorf("it is %s", kind(d.Type()))
	case filepath.Ext(path) == ".ipynb":
		return errors.New("it is a notebook")
	case d.Name() == "autotests.yml", d.Name() == gradesFile, d.Name() == handFile, d.Name() == markedFile:
		return errors.New("it holds tests or marks")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if m := leftMark.Find(text); m != nil {
		return fmt.Errorf("it has the words %s", m)
	}
	return nil
}
