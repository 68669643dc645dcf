package modules

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"gaucho/internal/modpath"
)

// readNotebook takes over the go.mod of the directory with the notebook or one above, and the go.work that names it, as the go command
// finds them.
func (s *Set) readNotebook(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if home := above(folder, "go.mod"); home != "" {
		f, err := readMod(home)
		if err != nil {
			return err
		}
		if f.Module == nil || f.Module.Mod.Path == modpath.Path {
			return nil // Gaucho's own
		}
		below, err := filepath.Rel(home, folder)
		if err != nil {
			return err
		}
		s.local = &Module{Path: f.Module.Mod.Path, Dir: home}
		s.cells = path.Join(s.local.Path, filepath.ToSlash(below))
		if f.Go != nil {
			s.main.AddGoStmt(f.Go.Version)
		}
		s.adopt(f, home)
	}
	if err := s.readWork(folder); err != nil {
		return fmt.Errorf("the workspace cannot be used: %w", err)
	}
	s.main.Cleanup()
	return nil
}

// readWork takes over the modules of the go.work in a directory or above. It must name that of the notebook.
func (s *Set) readWork(folder string) error {
	file := os.Getenv("GOWORK")
	if file == "" {
		if dir := above(folder, "go.work"); dir != "" {
			file = filepath.Join(dir, "go.work")
		}
	}
	if file == "" || file == "off" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	w, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return err
	}
	named := s.local == nil
	for _, u := range w.Use {
		home := within(filepath.Dir(file), u.Path)
		if s.local != nil && home == s.local.Dir {
			named = true
			continue
		}
		f, err := readMod(home)
		if err != nil {
			return err
		}
		if f.Module != nil {
			s.main.AddNewRequire(f.Module.Mod.Path, "v0.0.0-00010101000000-000000000000", false)
			s.main.AddReplace(f.Module.Mod.Path, "", home, "")
			s.adopt(&modfile.File{Exclude: f.Exclude, Replace: f.Replace}, home)
		}
	}
	if !named {
		return fmt.Errorf("%s does not name the module in %s: go work use %[2]s adds it", file, s.local.Dir)
	}
	s.adopt(&modfile.File{Replace: w.Replace}, filepath.Dir(file))
	s.addSums(file + ".sum")
	return nil
}

// adopt takes over the lines of a go.mod in a directory, and the hashes beside it.
func (s *Set) adopt(f *modfile.File, dir string) {
	for _, r := range f.Require {
		s.main.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
	}
	for _, x := range f.Exclude {
		s.main.AddExclude(x.Mod.Path, x.Mod.Version)
	}
	for _, r := range f.Replace {
		to := r.New.Path
		if r.New.Version == "" {
			to = within(dir, to)
		}
		s.main.AddReplace(r.Old.Path, r.Old.Version, to, r.New.Version)
	}
	s.addSums(filepath.Join(dir, "go.sum"))
}

// addSums takes over the hashes of a go.sum.
func (s *Set) addSums(file string) {
	text, _ := os.ReadFile(file) // what cannot be read knows no hashes
	for key, sum := range readSums(string(text)) {
		s.sums[key] = sum
	}
}

func readMod(dir string) (*modfile.File, error) {
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the notebook's go.mod cannot be read: %w", err)
	}
	f, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil, fmt.Errorf("the notebook's go.mod cannot be read: %w", err)
	}
	return f, nil
}

// above is the nearest directory with a file of that name: dir or one above it, but not the one for temporary files, which anybody
// may write to. It is empty for none.
func above(dir, name string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() && dir != filepath.Clean(os.TempDir()) {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// Vendored reports whether the notebook's module has vendored packages.
func (s *Set) Vendored() bool {
	if s.local == nil {
		return false
	}
	_, err := os.Stat(filepath.Join(s.local.Dir, "vendor", "modules.txt"))
	return err == nil
}

// within is a path that a file in a directory names.
func within(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
