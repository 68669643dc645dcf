package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// There is a wheel for each platform whose symbols are generated, but for browsers, which pip does not know.
func TestPlatforms(t *testing.T) {
	files, err := filepath.Glob("../../interp/symbols/platform_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "platform_"), ".go")
		if platform := strings.Replace(name, "_", "/", 1); platform != "js/wasm" {
			want = append(want, platform)
		}
	}
	if got := slices.Sorted(maps.Keys(tags)); len(want) < 4 || !slices.Equal(got, want) {
		t.Errorf("wheels for %v, symbols for %v", got, want)
	}
}

// Two wheels of the same program are the same bytes, with the licences, and each file in them has the same day, a real one.
func TestSameBytes(t *testing.T) {
	t.Chdir("../..")
	var wheels [2][]byte
	for i := range wheels {
		name, err := write(t.TempDir(), "1.2.3", "linux/amd64", []byte("a program"))
		if err != nil {
			t.Fatal(err)
		}
		if wheels[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(wheels[0], wheels[1]) {
		t.Error("two wheels of the same program differ")
	}
	z, err := zip.NewReader(bytes.NewReader(wheels[0]), int64(len(wheels[0])))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"LICENSE", "NOTICE", "LICENSES.txt"} {
		if text, err := fs.ReadFile(z, "gaucho_kernel-1.2.3.dist-info/licenses/"+name); err != nil || len(text) < 1000 {
			t.Errorf("%s in the wheel: %d bytes, %v", name, len(text), err)
		}
	}
	for _, f := range z.File {
		if want := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); !f.Modified.Equal(want) {
			t.Errorf("%s is of %v, not of %v", f.Name, f.Modified, want)
		}
	}
}
