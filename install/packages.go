package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Lacking finds the Python packages that go with the kernel and that the Jupyter lacks for which the settings install it. It finds
// nothing where there is no Jupyter. It starts Python.
func Lacking(ctx context.Context, s Settings) []Finding {
	python := s.python(ctx)
	if python == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c",
		"import importlib.util\nfor n in 'jupyterlab notebook jupyterlab_widgets papermill gaucho_kernel'.split():\n if importlib.util.find_spec(n): print(n)")
	cmd.Dir = os.TempDir() // Python finds packages in the current directory too
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	has := func(name string) bool { return slices.Contains(strings.Fields(string(out)), name) }
	var found []Finding
	if (has("jupyterlab") || has("notebook")) && !has("jupyterlab_widgets") {
		found = append(found, Finding{What: "widgets", State: Note, Detail: "this Jupyter shows widgets as text",
			Mend: python + " -m pip install jupyterlab_widgets"})
	}
	if has("papermill") && !has("gaucho_kernel") {
		found = append(found, Finding{What: "papermill", State: Note, Detail: "papermill sets no parameters in Go notebooks",
			Mend: "make wheel, then " + python + " -m pip install dist/gaucho_kernel-*.whl"})
	}
	return found
}

// python is the Python of the Jupyter for which the settings install the kernel, empty where there is none.
func (s Settings) python(ctx context.Context) string {
	names := []string{"bin/python3", "bin/python"}
	if runtime.GOOS == "windows" {
		names = []string{"python.exe", "Scripts/python.exe"}
	}
	prefix := s.Prefix
	switch {
	case s.SysPrefix:
		prefix, _ = sysPrefix(ctx)
	case prefix == "": // for the user, so for the jupyter command in use
		jupyter, err := exec.LookPath("jupyter")
		if err != nil {
			return ""
		}
		prefix = filepath.Dir(jupyter)
		for i, name := range names {
			names[i] = filepath.Base(name)
		}
	}
	for _, name := range names {
		if python, err := exec.LookPath(filepath.Join(prefix, filepath.FromSlash(name))); err == nil && prefix != "" {
			return python
		}
	}
	return ""
}
