//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLacking: a Jupyter without what draws widgets, and a papermill without what writes Go, are told of with the command that
// helps; one that has both, one without either, and a machine without Python or Jupyter are not.
func TestLacking(t *testing.T) {
	for _, c := range []struct{ has, want string }{
		{"jupyterlab", "pip install jupyterlab_widgets"},
		{"notebook", "pip install jupyterlab_widgets"},
		{"jupyterlab jupyterlab_widgets", ""},
		{"jupyterlab jupyterlab_widgets papermill", "pip install dist/gaucho_kernel-*.whl"},
		{"papermill", "pip install dist/gaucho_kernel-*.whl"},
		{"jupyterlab papermill", "pip install jupyterlab_widgets, pip install dist/gaucho_kernel-*.whl"},
		{"jupyterlab jupyterlab_widgets papermill gaucho_kernel", ""},
		{"", ""},
	} {
		prefix := t.TempDir()
		bin := filepath.Join(prefix, "bin")
		if err := os.Mkdir(bin, 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"python3": "#!/bin/sh\nprintf '%s\\n' " + c.has + "\n", "jupyter": "#!/bin/sh\n"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o777); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("VIRTUAL_ENV", prefix)
		t.Setenv("PATH", bin+":/bin:/usr/bin")
		for _, s := range []Settings{{Prefix: prefix}, {SysPrefix: true}, {}} {
			var got []string
			for _, f := range Lacking(t.Context(), s) {
				_, install, _ := strings.Cut(f.Mend, filepath.Join(bin, "python3")+" -m ")
				got = append(got, install)
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("with %q and %+v: %q, want %q", c.has, s, got, c.want)
			}
		}
	}
	t.Setenv("PATH", t.TempDir())
	if got := Lacking(t.Context(), Settings{}); got != nil {
		t.Errorf("without Jupyter: %v", got)
	}
	if got := Lacking(t.Context(), Settings{Prefix: t.TempDir()}); got != nil {
		t.Errorf("without Python: %v", got)
	}
}
