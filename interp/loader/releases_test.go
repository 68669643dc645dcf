package loader

import (
	"fmt"
	"go/build/constraint"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReleases: each release has its file, and the constraints of all files together let exactly these be built with the loader,
// and any other with the stub.
func TestReleases(t *testing.T) {
	for _, release := range releases {
		if _, err := os.Stat("runtime" + strings.ReplaceAll(strings.TrimPrefix(release, "go"), ".", "") + ".go"); err != nil {
			t.Error(err)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for minor := 25; minor <= 29; minor++ {
		release := fmt.Sprintf("go1.%d", minor)
		known := slices.Contains(releases, release)
		own := 0
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(string(text), "\n")
			if !constraint.IsGoBuild(line) {
				continue
			}
			expr, err := constraint.Parse(line)
			if err != nil {
				t.Fatal(file, err)
			}
			with := func(tag string) bool {
				var n int
				if _, err := fmt.Sscanf(tag, "go1.%d", &n); err == nil {
					return n <= minor
				}
				return tag == "linux" || tag == "amd64"
			}
			switch in := expr.Eval(with); {
			case strings.HasPrefix(file, "runtime1"):
				if in && !strings.HasSuffix(file, "_test.go") {
					own++
				}
			case file == "stub.go":
				if in == known {
					t.Errorf("%s with %s: %v", file, release, in)
				}
			case in != known:
				t.Errorf("%s with %s: %v", file, release, in)
			}
		}
		if known && own != 1 || !known && own != 0 {
			t.Errorf("%s has %d files of its own", release, own)
		}
	}
}

// TestWhyNot: who cannot load is told what to do.
func TestWhyNot(t *testing.T) {
	for _, c := range []struct{ toolchain, goos, goarch, want string }{
		{"go1.28.1", "linux", "amd64", "this Gaucho was built with go1.28.1, and compiles cells when built with go1.26 or go1.27: build it with GOTOOLCHAIN=go1.27.0, or get a newer Gaucho"},
		{"go1.27.4 X:jsonv2", "linux", "amd64", "a program with the race detector or a sanitizer cannot load compiled cells"},
		{"go1.27.4", "js", "wasm", "compiled cells need Linux, macOS or Windows on amd64 or arm64; this is js on wasm"},
	} {
		if got := whyNot(c.toolchain, c.goos, c.goarch).Error(); got != c.want {
			t.Errorf("%v: %s", c, got)
		}
	}
}
