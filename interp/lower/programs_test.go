package lower_test

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gaucho/interp"
	"gaucho/interp/workertest"
)

var update = flag.Bool("update", false, "write what the Go compiler's programs print")

func TestMain(m *testing.M) {
	workertest.Serve()
	os.Exit(m.Run())
}

var bounds = regexp.MustCompile(`(out of range) \[[^]\n]*\](?: with (?:length|capacity) \d+)?`)

// otherwise makes of what Go's program prints what the interpreter's prints, in the two things that are known to differ
// (docs/language.md): it leaves the numbers out of words about bounds, and an argument that is -0.0 arrives as 0.0.
func otherwise(s string) string {
	return strings.Replace(bounds.ReplaceAllString(s, "$1"), "-Inf -0\n", "+Inf -0\n", 1)
}

// A sink keeps what a program writes.
type sink struct {
	sync.Mutex
	text strings.Builder
}

func (s *sink) Stream(_, _, text string) {
	s.Lock()
	defer s.Unlock()
	s.text.WriteString(text)
}
func (*sink) Display(string, interp.Display) {}
func (*sink) Clear(string, bool)             {}
func (*sink) Comm(string, interp.Comm)       {}
func (*sink) Input(context.Context, string, string, bool) (string, error) {
	return "", os.ErrClosed
}

// TestPrograms runs the programs of testdata/programs, which use most of the language, and compares what they print with
// what the Go compiler's programs print. go test -run Programs -update writes that anew.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *update {
				out, err := exec.Command("go", "run", file).Output()
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, out, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			out := &sink{}
			s, err := interp.Start(context.Background(), interp.Options{Engine: "yaegi", Sink: out})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			res := s.Execute(context.Background(), interp.Cell{ID: filepath.Base(file), Number: 1, Source: string(src), Program: true})
			if res.Err != nil {
				t.Errorf("%v\n%s", res.Err, strings.Join(res.Err.Traceback, "\n"))
			}
			if got, want := out.text.String(), otherwise(string(want)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
