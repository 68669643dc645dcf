package install

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// states joins word and state of each finding.
func states(found []Finding) string {
	var s []string
	for _, f := range found {
		s = append(s, f.What+" "+[]string{"good", "note", "missing"}[f.State])
	}
	return strings.Join(s, ", ")
}

func TestExamineBareMachine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Setenv("APPDATA", t.TempDir())
		t.Setenv("PROGRAMDATA", t.TempDir())
	}
	unsetPython(t)
	t.Setenv("HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	t.Setenv("JUPYTER_RUNTIME_DIR", filepath.Join(t.TempDir(), "not", "yet"))
	found := Examine(t.Context(), "v1", func(context.Context) error { return errors.New("no worker") },
		func(context.Context) (string, error) { return "", errors.New("no toolchain") })
	want := "gaucho good, cells missing, sockets good, jupyter note, kernelspec missing, folders good, modules note, native engine note"
	if got := states(found); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	var b strings.Builder
	if Report(&b, found) {
		t.Error("a machine without kernelspec is called well")
	}
	if !strings.Contains(b.String(), "missing  kernelspec Jupyter does not know Gaucho\n                     -> gaucho install,") {
		t.Error(b.String())
	}
	for _, f := range found {
		if (f.State == Good) != (f.Mend == "") {
			t.Errorf("%+v: what is not good needs advice, what is good none", f)
		}
	}
}

func TestExamineSpecs(t *testing.T) {
	unsetPython(t)
	prefix := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "gaucho.exe")
	if err := os.WriteFile(other, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, binary := range map[string]string{"a": self, "b": other, "c": filepath.Join(prefix, "gone", "gaucho")} {
		if _, err := Install(t.Context(), Settings{Prefix: prefix, Name: name, Binary: binary}); err != nil {
			t.Fatal(err)
		}
	}
	foreign := filepath.Join(prefix, "share", "jupyter", "kernels", "d")
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "kernel.json"), []byte(`{"argv": ["python3"], "display_name": "Python"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := prefixDir(prefix)
	got := states(examineSpecs([]string{dir, dir}))
	if want := "kernelspec good, kernelspec note, kernelspec missing"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestVersionIn(t *testing.T) {
	text := "Selected Jupyter core packages...\nipykernel        : 7.4.0\njupyterlab       : 4.6.1\nnotebook         : not installed\n"
	for name, want := range map[string]string{"jupyterlab": "4.6.1", "notebook": "", "voila": ""} {
		if got := versionIn(text, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
