package compiled

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// programs are those that cannot be executed from where they are and were copied to memory.
type programs struct {
	mu     sync.Mutex
	copies map[string]*os.File
}

// inMemory copies a program to memory, unless that was done before, and returns a name by which a child can execute it.
func (p *programs) inMemory(file string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.copies[file] == nil {
		from, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer from.Close()
		fd, err := unix.MemfdCreate("gaucho-compiler", unix.MFD_CLOEXEC)
		if err != nil {
			return "", fmt.Errorf("%s cannot be executed, nor copied to memory: %w", file, err)
		}
		to := os.NewFile(uintptr(fd), file)
		if _, err := io.Copy(to, from); err != nil {
			return "", errors.Join(err, to.Close())
		}
		if p.copies == nil {
			p.copies = map[string]*os.File{}
		}
		p.copies[file] = to
	}
	return fmt.Sprintf("/proc/self/fd/%d", p.copies[file].Fd()), nil
}

func (p *programs) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.copies {
		f.Close()
	}
	p.copies = nil
}
