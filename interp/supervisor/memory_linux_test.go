package supervisor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestGroupLimit(t *testing.T) {
	root := t.TempDir()
	write := func(file, text string) {
		file = filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("user/session/memory.max", "max\n")
	write("user/memory.max", "4096\n")
	write("memory/docker/memory.limit_in_bytes", "1024\n")
	for _, c := range []struct {
		groups string
		want   uint64
	}{
		{"0::/user/session\n", 4096},
		{"0::/elsewhere\n", noLimit},
		{"5:memory:/docker/abc\n4:cpu,cpuacct:/docker\n", 1024},
		{"4:cpu:/docker\n", noLimit},
		{"", noLimit},
	} {
		if got := groupLimit(root, c.groups); got != c.want {
			t.Errorf("%q: %d, want %d", c.groups, got, c.want)
		}
	}
	t.Setenv("MEM_LIMIT", "")
	machine, _ := memoryLimit(0)
	for _, c := range []struct {
		asked int64
		hub   string
		want  uint64
		whose string
	}{
		{-1, "1000000000", 0, ""},
		{5, "1000000000", 5, "--memory"},
		{0, "536870912", 536870912 / 10 * 8, "80% of the 512 MB that this server may use by MEM_LIMIT"},
		{0, "9000000000000000000", machine, "this machine"},
		{0, "512M", machine, "this machine"}, // a hub's settings have units, its environment has not
		{0, "0", machine, "this machine"},
	} {
		t.Setenv("MEM_LIMIT", c.hub)
		if got, whose := memoryLimit(c.asked); got != c.want || !strings.Contains(whose, c.whose) {
			t.Errorf("asked for %d with MEM_LIMIT=%s: %d, %q", c.asked, c.hub, got, whose)
		}
	}
	if machine == 0 {
		t.Error("this machine has no memory")
	}
	before := residentMemory(os.Getpid())
	if before == 0 {
		t.Error("this process uses no memory")
	}
	const size = 64 << 20
	shared, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(shared)
	for i := 0; i < size; i += 4096 {
		shared[i] = 1
	}
	if grown := residentMemory(os.Getpid()) - before; grown < size*9/10 {
		t.Errorf("memory that is shared is not counted: %d of %d bytes", grown, size)
	}
}
