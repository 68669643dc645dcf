package interp

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gaucho/interp/compiled"
)

var everything = flag.Bool("compiled", false, "run all of testdata in the compiled engine, not only a sample")

// startCompiled starts a session of the compiled engine; without a toolchain and a C compiler there is none to test.
func startCompiled(t testing.TB, r Sink) *Session {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil || compiled.Supported() != nil {
		t.Skip("Go's plugins need a C compiler, and a platform that has them")
	}
	compiled.Sources = os.DirFS("..")
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	s, err := Start(context.Background(), Options{Sink: r, Engine: "compiled", Dir: t.TempDir(), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if _, err := s.builder.BuildWorker(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.nativeWorker(context.Background(), Cell{ID: "build"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCompiledCells runs transcripts of testdata/cells in the compiled engine, which must show what yaegi shows.
func TestCompiledCells(t *testing.T) {
	runCompiled(t, "testdata/cells/*.txt", "results", func(got, want string) bool { return agrees(got, want) })
}

// TestCompiledEveryday runs snippets of testdata/everyday in the compiled engine.
func TestCompiledEveryday(t *testing.T) {
	runCompiled(t, "testdata/everyday/*.txt", "objects", func(got, want string) bool {
		return strings.TrimRight(notes.ReplaceAllString(got, ""), "\n") == strings.TrimRight(want, "\n")
	})
}

// runCompiled runs the files of a pattern, or the sample, each in a session of its own.
func runCompiled(t *testing.T, pattern, sample string, agree func(got, want string) bool) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if name != sample && !*everything || name == "refused" { // the compiled engine refuses nothing of these
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := startCompiled(t, r)
			for i, sn := range snippets(string(text)) {
				if got := runCell(s, r, i+1, sn.src); !agree(got, sn.want) {
					t.Errorf("snippet %d%s\n%s\n--- got\n%s\n--- want\n%s", i+1, sn.title, sn.src, got, sn.want)
				}
			}
		})
	}
}
