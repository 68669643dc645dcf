package interp

import (
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
	return newSessionFor(t, compiledPatience, Options{Sink: r, Dir: t.TempDir()})
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
			if _, err := s.hot.builder.BuildWorker(t.Context(), nil); err != nil {
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

// TestHotReplay: what was compiled is compiled again in a new worker, and no interpreted code stands for it.
func TestHotReplay(t *testing.T) {
	r := &transcript{}
	s := startHot(t, r)
	for i, src := range []string{
		"%%compile\nimport \"unsafe\"\n// bits looks at a number.\nfunc bits(x float64) uint64 { return *(*uint64)(unsafe.Pointer(&x)) }\ntype Pair struct{ A, B int }",
		"type Box struct{ P Pair }\nfunc sum(b Box) int { return b.P.A + b.P.B + int(bits(0)) }\nz := 7",
		"%%compile\nfunc both(b Box) int { return 2 * sum(b) }",
	} {
		if got := runCell(s, r, i+1, src); got != "" {
			t.Errorf("%s\ngave %s", src, got)
		}
	}
	s.executing.Lock()
	s.save(t.Context())
	s.executing.Unlock()
	runCell(s, r, 4, "for { syscall.Kill(os.Getpid(), syscall.SIGKILL) }")
	if got := runCell(s, r, 5, "%replay"); got != "Declared again: Pair, bits, Box, sum, both\nBrought back as last saved: z\n" {
		t.Errorf("%%replay gave %s", got)
	}
	if got := runCell(s, r, 6, "both(Box{Pair{3, 4}}), bits(2) == math.Float64bits(2), z"); got != "= 14\ntrue\n7\n" {
		t.Errorf("after %%replay: %s", got)
	}
	if data, ok := s.Inspect("bits", 2, 0); !ok || !strings.Contains(plainText(data), "func bits(x float64) uint64") || !strings.Contains(plainText(data), "bits looks at a number") {
		t.Errorf("bits is documented as %v", data)
	}
	if c := s.Complete("bo", 2); len(c.Items) == 0 || c.Items[0].Text != "both" {
		t.Errorf("completions %v", c)
	}
}

// TestHotInterrupt: a compiled loop ends, and so do a compiled recursion and a goroutine that waits.
func TestHotInterrupt(t *testing.T) {
	r := &transcript{}
	s := startHot(t, r)
	runCell(s, r, 1, "%%compile")
	runCell(s, r, 2, "n := 0\nc := make(chan int)")
	if got := runCell(s, r, 8, "%%compile\nfunc spin() { for { n++ } }\nfunc a(k int) int { if k == 0 { return 0 }; return b(k-1) + b(k-1) }\nfunc b(k int) int { return a(k) }\nfunc wait() int { return <-c }"); strings.Contains(got, "!") {
		t.Fatal(got)
	}
	for i, src := range []string{"spin()", "a(60)", "wait()"} {
		if got := interrupted(t, s, r, i+3, src); !strings.Contains(got, "! Interrupt") {
			t.Errorf("%s\ngave %s", src, got)
		}
	}
	if got := runCell(s, r, 9, "n > 1000"); got != "= true\n" {
		t.Errorf("after the interrupts n > 1000 gave %s", got)
	}
}

// TestHotImpossible: where nothing can be compiled the cell says why, and the session goes on.
func TestHotImpossible(t *testing.T) {
	if compiled.Supported() != nil {
		t.Skip("no plugins here")
	}
	compiled.Sources = os.DirFS("..")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		worker []string
		env    map[string]string
		words  []string
	}{
		{"no toolchain", nil, map[string]string{"PATH": t.TempDir()}, []string{"! BuildError: the compiled engine needs the Go toolchain", "no go command was found"}},
		{"no cache", nil, map[string]string{"XDG_CACHE_HOME": file, "HOME": file}, []string{"! BuildError: ", file}},
		{"a given worker", []string{os.Args[0], "worker"}, nil, []string{"! BuildError: %%compile needs a worker of its own"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &transcript{}
			s := newSessionFor(t, compiledPatience, Options{Sink: r, Dir: t.TempDir(), Worker: c.worker})
			runCell(s, r, 1, "x := 3\nfunc twice(n int) int { return 2 * n }")
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			got := runCell(s, r, 2, "%%compile\nfunc twice(n int) int { return -1 }")
			for _, w := range c.words {
				if !strings.Contains(got, w) {
					t.Errorf("the cell gave %s, without %q", got, w)
				}
			}
			if got := runCell(s, r, 3, "twice(x)"); got != "= 6\n" {
				t.Errorf("afterwards twice(x) gave %s", got)
			}
		})
	}
}
