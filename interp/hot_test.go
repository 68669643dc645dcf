package interp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/interp/compiled"
)

// startHot starts an interpreted session that can compile cells.
func startHot(t testing.TB, r Sink) *Session {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil || compiled.Supported() != nil || raceDetector {
		t.Skip("compiling cells needs a C compiler, and a platform that has plugins")
	}
	compiled.Sources = os.DirFS("..")
	markReady = func(*compiled.Builder) error { return nil }
	s, err := Start(context.Background(), Options{Sink: r, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestHot runs transcripts of sessions that compile cells.
func TestHot(t *testing.T) {
	files, err := filepath.Glob("testdata/hot/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := startHot(t, r)
			if err := s.findCompiler(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.hot.builder.BuildWorker(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i, sn := range snippets(string(text)) {
				if got := runCell(s, r, i+1, sn.src); !agrees(got, sn.want) {
					t.Errorf("cell %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, sn.title, sn.src, got, sn.want)
				}
			}
		})
	}
}
