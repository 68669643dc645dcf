package interp

import (
	"strings"
	"testing"
	"time"
)

// TestCaptureKeeps: what a cell prints under %%capture is stored however the cell ends, with what goes to standard error.
func TestCaptureKeeps(t *testing.T) {
	inBothEngines(t, func(t *testing.T, s *Session, r *transcript) {
		const both = "`epoch 1\nwarning\n`"
		print := "fmt.Println(\"epoch 1\")\nfmt.Fprintln(os.Stderr, \"warning\")\n"
		for i, end := range []string{"1", `panic("out of data")`, "os.Exit(3)", `!false`, `var e error = errors.New("no"); e.(fmt.Stringer).String()`} {
			runCell(s, r, 10*i, "log := \"of before\"")
			if said := runCell(s, r, 10*i+1, "%%capture log\n"+print+end); strings.Contains(strings.Split(said, "! ")[0], "epoch") {
				t.Errorf("%s: captured output is shown: %s", end, said)
			}
			if got := runCell(s, r, 10*i+2, "log"); got != "= "+both+"\n" {
				t.Errorf("%s: log is %s", end, got)
			}
		}
		time.AfterFunc(300*time.Millisecond, s.Interrupt)
		runCell(s, r, 100, "%%capture log\n"+print+"for { time.Sleep(time.Millisecond) }")
		if got := runCell(s, r, 101, "log"); got != "= "+both+"\n" {
			t.Errorf("after an interrupt log is %s", got)
		}
		if said := runCell(s, r, 102, "%%capture\n"+print+"panic(1)"); !strings.Contains(said, "epoch 1\nwarning\n") {
			t.Errorf("of a cell that failed nothing keeps what it printed: %s", said)
		}
		if said := runCell(s, r, 103, "%%capture log\n"+print+"syscall.Kill(os.Getpid(), 9); time.Sleep(time.Minute)"); !strings.Contains(said, "epoch 1\nwarning\n") {
			t.Errorf("of a cell whose worker died nothing keeps what it printed: %s", said)
		}
	})
}

// TestWriteFileNames: a name may be in quotes, as in a shell.
func TestWriteFileNames(t *testing.T) {
	s, r := startTest(t)
	for i, name := range []string{`"a b.txt"`, `'a b.txt'`, "a b.txt", `-a "a b.txt"`} {
		if said := runCell(s, r, i+1, "%%writefile "+name+"\ntext"); !strings.Contains(said, " a b.txt\n") {
			t.Errorf("%s: %s", name, said)
		}
	}
	if got := runCell(s, r, 10, `strings.Count(string(must(os.ReadFile("a b.txt"))), "text")`); got != "= 2\n" {
		t.Errorf("the file holds the text %s times", got)
	}
}
