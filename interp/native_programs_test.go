package interp

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNativePrograms runs programs in the native engine and compares what they write, and how they end, with the programs
// that Go makes of them.
func TestNativePrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/native/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, name := range []string{"binary", "defaults", "headers", "logical", "lookerrors", "looktypes", "optional", "order", "typenames"} {
		files = append(files, "lower/testdata/programs/"+name+".go")
	}
	for _, file := range sample(files, 4) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			wantText, wantEnd := goProgram(t, file)
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			s := startNative(t, r)
			res := s.Execute(context.Background(), Cell{ID: file, Number: 1, Source: string(source), Program: true})
			end := ""
			if res.Err != nil {
				end = res.Err.Value
			}
			if got := r.of(file).String(); got != wantText || !strings.HasPrefix(end, wantEnd) || (end == "") != (wantEnd == "") {
				t.Errorf("got\n%s\n%s\nwant\n%s\n%s", got, end, wantText, wantEnd)
			}
		})
	}
}

// goProgram builds and runs a program, and returns what it writes and how Gaucho says that it ended: by its status, or by a
// fatal error of the run time, which Go's program writes.
func goProgram(t *testing.T, file string) (text, end string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var out bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	text = out.String()
	if before, fatal, ok := strings.Cut(text, "fatal error: "); ok {
		end, _, _ = strings.Cut(fatal, "\n")
		return before, end
	}
	if err != nil {
		end = "os.Exit(" + strings.TrimPrefix(err.Error(), "exit status ") + ")"
	}
	return text, end
}
