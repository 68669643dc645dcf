package kit

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

// TestCompress: what either compressor has packed is unpacked as it was.
func TestCompress(t *testing.T) {
	tool := bytes.Repeat([]byte("text of a tool, "), 100_000)
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	if err := w.AddFS(fstest.MapFS{"tool": {Data: tool, Mode: 0o700}, "packages/a/b": {Data: []byte("exports"), Mode: 0o600}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		effort Effort
	}{{os.Getenv("PATH"), Release}, {os.Getenv("PATH"), Draft}, {"", Release}, {"", Draft}} {
		t.Setenv("PATH", c.path)
		dir := t.TempDir()
		var archive bytes.Buffer
		if err := Compress(&archive, bytes.NewReader(files.Bytes()), c.effort); err != nil {
			t.Fatal(err)
		}
		if err := unpack(dir, &archive); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "tool"))
		if err != nil || !bytes.Equal(got, tool) {
			t.Errorf("the tool is %d bytes, expected %d: %v", len(got), len(tool), err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "packages", "a", "b")); err != nil || string(got) != "exports" {
			t.Errorf("the export data is %q, %v", got, err)
		}
	}
}
