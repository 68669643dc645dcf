package interp

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// An interrupt of a shell's command ends all processes that it has started: none of them goes on writing.
func TestShellInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the cells are for a Unix shell")
	}
	dir := t.TempDir()
	s := newSession(t, Options{Sink: &transcript{}, Dir: dir})
	const writing = "(while true; do echo y >> f; sleep 0.01; done)"
	for _, src := range []string{"!" + writing + "; echo z", "!" + writing + " | cat", "%%bash\n" + writing + "\necho z"} {
		file := filepath.Join(dir, "f")
		os.Remove(file)
		done := make(chan Result, 1)
		go func() { done <- s.Execute(t.Context(), Cell{ID: src, Source: src}) }()
		for size(file) < 4 {
			time.Sleep(5 * time.Millisecond)
		}
		s.Interrupt()
		if r := <-done; r.Err == nil || r.Err.Name != "Interrupt" {
			t.Errorf("%s: ended with %+v", src, r.Err)
		}
		n := size(file)
		time.Sleep(200 * time.Millisecond)
		if more := size(file); more != n {
			t.Errorf("%s: wrote %d bytes after the interrupt", src, more-n)
		}
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// A command in the background goes on after its cell, and prints there.
func TestShellBackground(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the cells are for a Unix shell")
	}
	out := &said{texts: make(chan string, 100)}
	s := newSession(t, Options{Sink: out})
	for _, src := range []string{"!(sleep 0.3; echo $((2+3)) later) &", "%%bash\n(sleep 0.3; echo $((2+3)) later) &", "!sh -c \"(sleep 0.3; echo $((2+3)) later) & exit 0\""} {
		if r := s.Execute(t.Context(), Cell{ID: src, Source: src}); r.Err != nil {
			t.Errorf("%s: %v", src, r.Err)
		}
		out.wait(t, "5 later\n")
	}
}
