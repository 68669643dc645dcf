package worker

import (
	"os"
	"path/filepath"
	"testing"
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
	if residentMemory(os.Getpid()) < 1<<20 {
		t.Errorf("this process uses %d bytes", residentMemory(os.Getpid()))
	}
}
