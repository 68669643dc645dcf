package interp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// otherwise makes of what Go's program prints what the interpreter's prints, in the two things that are known to differ
// (docs/language.md): it leaves the numbers out of words about bounds, and an argument that is -0.0 arrives as 0.0.
func otherwise(s string) string {
	return strings.Replace(bounds.ReplaceAllString(s, "$1"), "-Inf -0\n", "+Inf -0\n", 1)
}

// TestPrograms runs the programs of lower/testdata/programs, which use most of the language, in the interpreter, and compares
// what they print with what the Go compiler's programs print. go test ./interp -run Programs -update writes that anew.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("lower/testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range sample(files, 4) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			golden := strings.TrimSuffix(file, ".go") + ".out"
			if *rewrite {
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
			r := &transcript{}
			s := newSession(t, Options{Engine: "yaegi", Sink: r})
			res := s.Execute(t.Context(), Cell{ID: "program", Number: 1, Source: string(src), Program: true})
			if res.Err != nil {
				t.Errorf("%v\n%s", res.Err, strings.Join(res.Err.Traceback, "\n"))
			}
			if got, want := r.of("program").String(), otherwise(string(want)); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}
