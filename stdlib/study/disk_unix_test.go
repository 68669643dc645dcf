//go:build unix

package study

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Some tests need a process that may be killed, or that has fewer rights: this program, with the directory of the records
// and what to be in its environment.
const (
	childRole = "STUDY_TEST_ROLE"
	childDir  = "STUDY_TEST_DIR"
)

func TestMain(m *testing.M) {
	role := os.Getenv(childRole)
	if role == "" {
		os.Exit(m.Run())
	}
	s := coin(flip)
	switch kind, number, _ := strings.Cut(role, " "); kind {
	case "slow":
		s = coin(func(p Point, rng *rand.Rand) (Record, error) {
			time.Sleep(5 * time.Millisecond)
			return flip(p, rng)
		})
	case "full": // files may not grow beyond so many bytes
		n, err := strconv.ParseUint(number, 10, 64)
		if err == nil {
			err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n})
		}
		if err != nil {
			panic(err)
		}
	case "ordinary": // not root, whom rights do not concern
		if os.Getuid() == 0 {
			if err := syscall.Setuid(65534); err != nil {
				panic(err)
			}
		}
	}
	if _, err := s.Run(context.Background(), &Settings{Workers: 2, Dir: os.Getenv(childDir)}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func child(dir, role string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childRole+"="+role, childDir+"="+dir)
	return c
}

// partOf runs a quarter of the study and returns its file.
func partOf(t *testing.T, dir string) (file string, text []byte) {
	t.Helper()
	s := coin(flip)
	s.Replications = 5
	if _, err := s.Run(context.Background(), &Settings{Workers: 2, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "coin.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return file, text
}

// resumes runs the study where it was stopped: it must have the records of one that was never stopped, with no
// replication of the file run again.
func resumes(t *testing.T, dir string) {
	t.Helper()
	text, _ := os.ReadFile(filepath.Join(dir, "coin.jsonl"))
	had := strings.Count(string(text), `{"point"`)
	if !bytes.HasSuffix(text, []byte("\n")) { // torn
		had--
	}
	var ran atomic.Int64
	r, err := coin(func(p Point, rng *rand.Rand) (Record, error) {
		ran.Add(1)
		return flip(p, rng)
	}).Run(context.Background(), &Settings{Workers: 2, Dir: dir})
	if err != nil || had == 0 || int(ran.Load()) != 240-had+1 { // one is run anew
		t.Errorf("%d replications ran beside %d records, %v", ran.Load(), had, err)
	}
	whole, err := coin(flip).Run(context.Background(), nil)
	if err != nil || csvOf(t, r) != csvOf(t, whole) {
		t.Errorf("a resumed run gives other results, %v", err)
	}
}

func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := child(dir, "slow")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		if text, _ := os.ReadFile(filepath.Join(dir, "coin.jsonl")); bytes.Count(text, []byte("\n")) > 20 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no records come")
		}
	}
	c.Process.Kill()
	if err := c.Wait(); err == nil {
		t.Fatal("it had ended before it was killed")
	}
	resumes(t, dir)
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, before := partOf(t, dir)
	// Room for some bytes of a line that does not fit, and for none at all.
	for _, room := range []int{150, 0} {
		out, err := child(dir, fmt.Sprintf("full %d", len(before)+room)).Output()
		if err == nil || !strings.Contains(string(out), "study: the records could not be written") {
			t.Errorf("on a full disk it says %q, %v", out, err)
		}
		if after, _ := os.ReadFile(file); !bytes.Equal(after, before) {
			t.Errorf("%d bytes were left in the file, want the %d of before", len(after), len(before))
		}
	}
	resumes(t, dir)
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	os.Chmod(filepath.Dir(dir), 0o755) // so that it can be entered
	file, before := partOf(t, dir)
	empty := filepath.Join(dir, "empty")
	for _, err := range []error{os.Mkdir(empty, 0o555), os.Chmod(file, 0o444), os.Chmod(dir, 0o555)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(dir, 0o755)
	for _, where := range []string{dir, empty, filepath.Join(empty, "below")} {
		out, err := child(where, "ordinary").Output()
		if err == nil || !strings.HasPrefix(string(out), "study: ") || !strings.Contains(string(out), "permission denied") {
			t.Errorf("in a folder that is read-only it says %q, %v", out, err)
		}
	}
	if after, _ := os.ReadFile(file); !bytes.Equal(after, before) {
		t.Error("a file that is read-only has changed")
	}
	os.Chmod(file, 0o644)
	os.Chmod(dir, 0o755)
	resumes(t, dir)
}
