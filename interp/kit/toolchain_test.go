package kit

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestToolchainAmongModules builds a tool with a toolchain that lies where the go command keeps modules, as one does that the
// go command has fetched. It replaces no file there.
func TestToolchainAmongModules(t *testing.T) {
	here := &Toolchain{Command: "go", Env: append(os.Environ(), "CGO_ENABLED=0"), Stderr: os.Stderr}
	root, _, err := here.dirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	here.Env = append(here.Env, "GOMODCACHE="+filepath.Dir(root))
	dir := t.TempDir()
	if err := here.buildTool(t.Context(), "asm", dir, runtime.GOOS, runtime.GOARCH); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(filepath.Join(dir, "asm"+exe()), "-V").CombinedOutput(); err != nil || !strings.Contains(string(out), runtime.Version()) {
		t.Errorf("asm -V says %q, %v", out, err)
	}
}

var fetched = flag.String("fetched", "", "make a kit with this `toolchain`, such as go1.26.7, which the go command fetches")

// TestFetched makes a kit with a toolchain that the go command has fetched for itself: minutes.
func TestFetched(t *testing.T) {
	if *fetched == "" {
		t.Skip("long: -fetched go1.26.7 makes a kit with that toolchain")
	}
	module, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	other := &Toolchain{Command: "go", Dir: module, Env: append(os.Environ(), "CGO_ENABLED=0", "GOTOOLCHAIN="+*fetched), Stderr: os.Stderr}
	root, _, err := other.dirs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if cache, err := other.run(t.Context(), "env", "GOMODCACHE"); err != nil || !strings.HasPrefix(root, strings.TrimSpace(string(cache))) {
		t.Skipf("%s is this machine's own toolchain, in %s", *fetched, root)
	}
	dir := t.TempDir()
	if err := other.Fill(t.Context(), dir, runtime.GOOS, runtime.GOARCH, t.Logf); err != nil {
		t.Fatal(err)
	}
	k := &Kit{Dir: dir}
	if out, err := exec.Command(k.Tool("compile"), "-V").CombinedOutput(); err != nil || !strings.Contains(string(out), *fetched) {
		t.Errorf("compile -V says %q, %v", out, err)
	}
	for _, path := range importable() {
		if _, err := os.Stat(k.Package(path)); err != nil {
			t.Error(err)
		}
	}
}
