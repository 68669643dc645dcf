package supervisor

import (
	"os"
	"path/filepath"
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
	if memoryLimit(-1) != 0 || memoryLimit(5) != 5 || memoryLimit(0) == 0 {
		t.Error("the limit is not what was asked for")
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
