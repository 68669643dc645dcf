package pipe

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// A copies is a pipe for copies of what another pipe holds.
type copies struct{ r, w int }

func newCopy() copies {
	var fds [2]int
	if err := syscall.Pipe2(fds[:], syscall.O_CLOEXEC|syscall.O_NONBLOCK); err != nil {
		return copies{-1, -1}
	}
	return copies{fds[0], fds[1]}
}

// Peek returns what the pipe holds without taking it out, so that it is not lost if the process dies before it has sent
// it on. What was sent must be discarded next.
func (p *Raw) Peek(b []byte) int {
	if p.copy.r < 0 {
		return p.Read(b)
	}
	n, err := unix.Tee(p.fd, p.copy.w, len(b), unix.SPLICE_F_NONBLOCK)
	if err != nil || n <= 0 {
		return 0
	}
	got := 0
	for got < int(n) {
		k, err := unix.Read(p.copy.r, b[got:n])
		if err == unix.EINTR {
			continue
		}
		if k <= 0 {
			break
		}
		got += k
	}
	return got
}

// Discard takes out of the pipe what Peek returned.
func (p *Raw) Discard(n int) {
	if p.copy.r < 0 {
		return
	}
	var b [4096]byte
	for n > 0 {
		k := p.Read(b[:min(n, len(b))])
		if k == 0 {
			return
		}
		n -= k
	}
}
