package grade

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLeftovers: what a grader that was killed has left is removed, and nothing of one that lives.
func TestLeftovers(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Skip(err)
	}
	mkdir := func(parent string, pid int, name string) string {
		t.Helper()
		dir := filepath.Join(parent, fmt.Sprintf("gaucho-grade-%d-%s", pid, name))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	left, elsewhere, mine := mkdir(os.TempDir(), dead.Process.Pid, "a"), mkdir(os.TempDir(), dead.Process.Pid, "b"), mkdir(os.TempDir(), os.Getpid(), "c")
	release := claim(elsewhere) // its process has the number of none here: it is in another container
	defer release()
	if err := os.WriteFile(filepath.Join(left, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	group := ""
	if canGroup() {
		g, err := newCgroup(1 << 30)
		if err != nil {
			t.Fatal(err)
		}
		defer g.remove()
		group = mkdir(filepath.Dir(g.dirs[0]), dead.Process.Pid, "d")
	}
	removeLeftovers()
	for dir, want := range map[string]bool{left: false, elsewhere: true, mine: true, group: false} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func init() { processes["hold-mapped"] = holdMapped }

// holdMapped is a process that maps a file of 16 MB that has no name and is not open.
func holdMapped(args []string) int {
	f, err := os.Create(args[0])
	if err == nil {
		_, err = f.Write(make([]byte, 16<<20))
	}
	if err == nil {
		_, err = unix.Mmap(int(f.Fd()), 0, 16<<20, unix.PROT_READ, unix.MAP_PRIVATE)
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	f.Close()
	os.Remove(args[0])
	fmt.Println("holds")
	bufio.NewReader(os.Stdin).ReadString('\n')
	return 0
}

// TestHeldDisk: files count that are mapped and have no names, and directories that are too deep to be counted are too much.
func TestHeldDisk(t *testing.T) {
	cmd := exec.Command(os.Args[0], "hold-mapped", filepath.Join(t.TempDir(), "file"))
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "holds\n" {
		t.Fatal(line, err)
	}
	if n := unlinkedUse(os.Getpid()); n != 16<<20 {
		t.Errorf("%d bytes are held, want 16 MB", n)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for range 30 {
		name := strings.Repeat("n", 200)
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := unix.Chdir(name); err != nil {
			t.Fatal(err)
		}
	}
	if n := diskUse(dir); n != -1 {
		t.Errorf("deep directories have %d bytes, want -1", n)
	}
}
