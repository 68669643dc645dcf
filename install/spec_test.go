package install

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// unsetPython makes the test's process one outside any Python environment.
func unsetPython(t *testing.T) {
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "JUPYTER_DATA_DIR", "JUPYTER_PATH", "XDG_DATA_HOME"} {
		t.Setenv(env, "")
	}
}

func TestInstall(t *testing.T) {
	unsetPython(t)
	prefix := t.TempDir()
	binary := filepath.Join(t.TempDir(), "gaucho")
	dir, err := Install(t.Context(), Settings{Prefix: prefix, Binary: binary})
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(prefix, "share", "jupyter", "kernels", "gaucho"); dir != want {
		t.Errorf("installed in %s, want %s", dir, want)
	}
	data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"argv":           []any{binary, "kernel", "-f", "{connection_file}"},
		"display_name":   "Gaucho (Go)",
		"language":       "go",
		"interrupt_mode": "message",
		"metadata":       map[string]any{"debugger": true},
	}
	got, _ := json.Marshal(spec)
	if w, _ := json.Marshal(want); !bytes.Equal(got, w) {
		t.Errorf("kernel.json is %s, want %s", got, w)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(f)
		f.Close()
		if err != nil || c.Width != size || c.Height != size {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "logo-svg.svg")); err != nil || !bytes.HasPrefix(svg, []byte("<svg")) {
		t.Errorf("logo-svg.svg: %.20s, %v", svg, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}

	// Again, under other words; then away.
	if _, err := Install(t.Context(), Settings{Prefix: prefix, Binary: binary, DisplayName: "Go"}); err != nil {
		t.Fatal(err)
	}
	if s, err := readSpec(dir); err != nil || s.DisplayName != "Go" {
		t.Errorf("installed again: %+v, %v", s, err)
	}
	if _, err := Uninstall(t.Context(), Settings{Prefix: prefix}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there", dir)
	}
	if _, err := Uninstall(t.Context(), Settings{Prefix: prefix}); err == nil || !strings.Contains(err.Error(), "no kernelspec is in") {
		t.Errorf("uninstalled twice: %v", err)
	}
}

// The second kernelspec of earlier releases goes when the one there is now is installed; a stranger's of its name stays.
func TestInstallRemovesFormer(t *testing.T) {
	unsetPython(t)
	for argv, stays := range map[string]bool{"gaucho": false, "gophernotes": true} {
		s := Settings{Prefix: t.TempDir(), Binary: filepath.Join(t.TempDir(), "gaucho")}
		former := filepath.Join(s.Prefix, "share", "jupyter", "kernels", "gaucho-compiled")
		if err := os.MkdirAll(former, 0o777); err != nil {
			t.Fatal(err)
		}
		spec := `{"argv": ["` + argv + `", "kernel", "-f", "{connection_file}", "--engine", "compiled"], "display_name": "Go", "language": "go"}`
		if err := os.WriteFile(filepath.Join(former, "kernel.json"), []byte(spec), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(former); (err == nil) != stays {
			t.Errorf("after the installation of gaucho the former kernelspec of %s: %v", argv, err)
		}
	}
}

func TestInstallPlaces(t *testing.T) {
	unsetPython(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	user := filepath.Join(home, ".local", "share", "jupyter")
	switch runtime.GOOS {
	case "darwin":
		user = filepath.Join(home, "Library", "Jupyter")
	case "windows":
		t.Setenv("APPDATA", home)
		user = filepath.Join(home, "jupyter")
	}
	env, data := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		variable, value string
		settings        Settings
		want            string
	}{
		{"", "", Settings{}, filepath.Join(user, "kernels", "gaucho")},
		{"JUPYTER_DATA_DIR", data, Settings{}, filepath.Join(data, "kernels", "gaucho")},
		{"VIRTUAL_ENV", env, Settings{SysPrefix: true}, filepath.Join(env, "share", "jupyter", "kernels", "gaucho")},
		{"CONDA_PREFIX", env, Settings{SysPrefix: true, Name: "Go-1.26"}, filepath.Join(env, "share", "jupyter", "kernels", "go-1.26")},
	} {
		t.Run(c.variable, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			if got, err := c.settings.dir(t.Context()); err != nil || got != c.want {
				t.Errorf("%s, %v, want %s", got, err, c.want)
			}
		})
	}
}

func TestInstallBadInput(t *testing.T) {
	unsetPython(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		settings Settings
		want     string
	}{
		{Settings{Prefix: "a", Name: "../x"}, `name is "../x", must be letters`},
		{Settings{Prefix: "a", Name: ".."}, `name is "..", must be letters`},
		{Settings{Prefix: "a", SysPrefix: true}, "exclude each other"},
		{Settings{Prefix: file, Binary: "b"}, "not a directory"},
	} {
		if runtime.GOOS == "windows" && c.settings.Prefix == file {
			c.want = "install: "
		}
		if _, err := Install(t.Context(), c.settings); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error is %v, want %s", c.settings, err, c.want)
		}
	}
}

func TestUninstallForeign(t *testing.T) {
	unsetPython(t)
	prefix := t.TempDir()
	dir := filepath.Join(prefix, "share", "jupyter", "kernels", "gaucho")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	text := `{"argv": ["/usr/bin/python3", "-m", "ipykernel_launcher"], "display_name": "Python 3"}`
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(t.Context(), Settings{Prefix: prefix}); err == nil || !strings.Contains(err.Error(), "is not Gaucho's") {
		t.Errorf("removed another's kernelspec: %v", err)
	}
}

func TestFleeting(t *testing.T) {
	if !fleeting(filepath.Join(os.TempDir(), "go-build123", "b001", "exe", "gaucho")) || !fleeting("/home/a/.cache/go-build/0a/0a1f-d/gaucho") || fleeting(filepath.Join(os.TempDir(), "gaucho")) {
		t.Error("a program of go run is not told from one of go build")
	}
}
