//go:build unix

package pipe

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// OpenFile opens a file that the kernel passed on. Subprocesses do not get it.
func OpenFile(handle uintptr, name string) *os.File {
	syscall.CloseOnExec(int(handle))
	syscall.SetNonblock(int(handle), true)
	return os.NewFile(handle, name)
}

// A Raw is the reading end of one of the process's own streams.
type Raw struct {
	fd   int
	file *os.File
	copy copies
}

// OpenRaw returns the stream whose reading end has the handle.
func OpenRaw(handle uintptr) *Raw {
	return &Raw{fd: int(handle), file: OpenFile(handle, "raw"), copy: newCopy()}
}

// Read reads what the pipe holds, without waiting. It returns 0 when that is nothing.
func (p *Raw) Read(b []byte) int {
	for {
		n, err := unix.Read(p.fd, b)
		if err == unix.EINTR {
			continue
		}
		return max(n, 0)
	}
}

// Wait calls take whenever the pipe has something to read, until the pipe is closed. take returns false when it found
// nothing.
func (p *Raw) Wait(take func() bool) {
	conn, err := p.file.SyscallConn()
	if err != nil {
		return
	}
	conn.Read(func(uintptr) bool {
		for take() {
		}
		return false
	})
}

// AnyReadable reports whether one of the two pipes has something to read.
func AnyReadable(a, b *Raw) bool {
	if a == nil || b == nil {
		return false
	}
	fds := [2]unix.PollFd{{Fd: int32(a.fd), Events: unix.POLLIN}, {Fd: int32(b.fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds[:], 0)
	return err == nil && n > 0 && (fds[0].Revents|fds[1].Revents)&unix.POLLIN != 0
}
