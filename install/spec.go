package install

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gaucho/internal/atomicfile"
)

// Defaults of a kernelspec.
const (
	DefaultName        = "gaucho"
	DefaultDisplayName = "Gaucho (Go)"
)

// Settings say where a kernelspec goes and what it says. The zero value is the user's own, under the default names.
type Settings struct {
	Prefix      string // an installation's prefix: the kernelspec goes to PREFIX/share/jupyter/kernels
	SysPrefix   bool   // the prefix of the Python in use
	Name        string // of the directory; what --kernel and notebooks call it
	DisplayName string // what JupyterLab's launcher shows
	Binary      string // the program that Jupyter starts; this one if empty
}

// former are the settings of a second kernelspec that earlier releases installed, for a compiled engine.
func (s Settings) former() Settings {
	s.Name = cmp.Or(s.Name, DefaultName) + "-compiled"
	return s
}

// A Spec is what kernel.json holds.
type Spec struct {
	Argv          []string       `json:"argv"`
	DisplayName   string         `json:"display_name"`
	Language      string         `json:"language"`
	InterruptMode string         `json:"interrupt_mode"`
	Metadata      map[string]any `json:"metadata"`
}

//go:embed logos
var logos embed.FS

// Install writes the kernelspec and returns its directory. One that is there is replaced, and the second one of earlier
// releases is removed.
func Install(ctx context.Context, s Settings) (dir string, err error) {
	if dir, err = s.dir(ctx); err != nil {
		return "", err
	}
	binary, err := s.binary()
	if err != nil {
		return "", err
	}
	s.Binary = binary
	files, err := Kernelspec(s)
	if err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	for _, f := range files {
		if err := atomicfile.WriteData(filepath.Join(dir, f.Name), f.Data); err != nil {
			return "", fmt.Errorf("install: %w", err)
		}
	}
	if former, err := s.former().dir(ctx); err == nil {
		if spec, err := readSpec(former); err == nil && spec.ours() {
			os.RemoveAll(former)
		}
	}
	return dir, nil
}

// A File is one of a kernelspec.
type File struct {
	Name string
	Data []byte
}

// Kernelspec returns the files of a kernelspec that starts s.Binary as it is written there. The last is kernel.json, with
// which a directory becomes a kernelspec.
func Kernelspec(s Settings) ([]File, error) {
	if s.DisplayName == "" {
		s.DisplayName = DefaultDisplayName
	}
	spec := Spec{
		Argv:          []string{s.Binary, "kernel", "-f", "{connection_file}"},
		DisplayName:   s.DisplayName,
		Language:      "go",
		InterruptMode: "message",
		Metadata:      map[string]any{"debugger": true},
	}
	var kernelJSON bytes.Buffer
	enc := json.NewEncoder(&kernelJSON)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(spec); err != nil {
		return nil, err
	}
	entries, err := logos.ReadDir("logos")
	if err != nil {
		panic(err) // embedded
	}
	var files []File
	for _, e := range entries {
		logo, err := logos.ReadFile("logos/" + e.Name())
		if err != nil {
			panic(err) // embedded
		}
		files = append(files, File{e.Name(), logo})
	}
	return append(files, File{"kernel.json", kernelJSON.Bytes()}), nil
}

// Uninstall removes the kernelspec, and returns its directory. A directory that is not Gaucho's is left alone.
func Uninstall(ctx context.Context, s Settings) (dir string, err error) {
	if dir, err = s.dir(ctx); err != nil {
		return "", err
	}
	spec, err := readSpec(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("install: no kernelspec is in %s", dir)
	case err != nil:
		return "", err
	case !spec.ours():
		return "", fmt.Errorf("install: the kernelspec in %s is not Gaucho's: it starts %s", dir, strings.Join(spec.Argv, " "))
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", fmt.Errorf("install: %w", err)
	}
	return dir, nil
}

// readSpec reads the kernelspec in a directory.
func readSpec(dir string) (*Spec, error) {
	path := filepath.Join(dir, "kernel.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec Spec
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, fmt.Errorf("install: %s: %w", path, err)
	}
	return &spec, nil
}

// ours says that a kernelspec starts Gaucho.
func (s *Spec) ours() bool {
	if len(s.Argv) < 2 || s.Argv[1] != "kernel" {
		return false
	}
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(filepath.FromSlash(s.Argv[0]))), ".exe")
	return strings.HasPrefix(name, "gaucho") || s.Language == "go" && strings.HasPrefix(s.DisplayName, "Gaucho")
}

var validName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// dir is the kernelspec's directory.
func (s Settings) dir(ctx context.Context) (string, error) {
	name := s.Name
	if name == "" {
		name = DefaultName
	}
	if !validName.MatchString(name) || strings.Trim(name, ".") == "" {
		return "", fmt.Errorf("install: name is %q, must be letters, digits, dots, hyphens and underscores", name)
	}
	if s.Prefix != "" && s.SysPrefix {
		return "", errors.New("install: --prefix and --sys-prefix exclude each other")
	}
	data, err := "", error(nil)
	switch {
	case s.Prefix != "":
		data = prefixDir(s.Prefix)
	case s.SysPrefix:
		var prefix string
		prefix, err = sysPrefix(ctx)
		data = prefixDir(prefix)
	default:
		data, err = userDir()
	}
	if err != nil {
		return "", err
	}
	return filepath.Abs(filepath.Join(data, "kernels", strings.ToLower(name)))
}

// binary is the absolute path of the program that Jupyter is to start.
func (s Settings) binary() (string, error) {
	path := s.Binary
	if path == "" {
		exe, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("install: %w", err)
		}
		if fleeting(exe) {
			return "", errors.New("install: this program was started by go run and is gone when it ends; build it with go build, then install")
		}
		path = exe
	}
	return filepath.Abs(path)
}

// fleeting says that a program lies where go run puts it: in a temporary directory or in Go's cache.
func fleeting(exe string) bool {
	for _, element := range strings.Split(filepath.ToSlash(filepath.Dir(exe)), "/") {
		if strings.HasPrefix(element, "go-build") {
			return true
		}
	}
	return false
}
