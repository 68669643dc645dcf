//go:build unix

package worker

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFile opens a file that the kernel passed on. Subprocesses do not get it.
func openFile(handle uintptr, name string) *os.File {
	syscall.CloseOnExec(int(handle))
	syscall.SetNonblock(int(handle), true)
	return os.NewFile(handle, name)
}

// A rawPipe is the reading end of one of the process's own streams.
type rawPipe struct {
	fd   int
	file *os.File
	copy pipeCopy
}

func openRaw(handle uintptr) *rawPipe {
	return &rawPipe{fd: int(handle), file: openFile(handle, "raw"), copy: newPipeCopy()}
}

// read reads what the pipe holds, without waiting. It returns 0 when that is nothing.
func (p *rawPipe) read(b []byte) int {
	for {
		n, err := unix.Read(p.fd, b)
		if err == unix.EINTR {
			continue
		}
		return max(n, 0)
	}
}

// wait calls take whenever the pipe has something to read, until the pipe is closed. take returns false when it found
// nothing.
func (p *rawPipe) wait(take func() bool) {
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

// anyReadable reports whether one of the two pipes has something to read.
func anyReadable(a, b *rawPipe) bool {
	if a == nil || b == nil {
		return false
	}
	fds := [2]unix.PollFd{{Fd: int32(a.fd), Events: unix.POLLIN}, {Fd: int32(b.fd), Events: unix.POLLIN}}
	n, err := unix.Poll(fds[:], 0)
	return err == nil && n > 0 && (fds[0].Revents|fds[1].Revents)&unix.POLLIN != 0
}

// guardProcess sees to it that the end of the kernel ends this process and the ones that it started, which are of its
// process group.
func guardProcess() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	go func() {
		<-c
		endChildren()
	}()
}

// endChildren ends this process and all that it started.
func endChildren() {
	if syscall.Getpgrp() == os.Getpid() {
		syscall.Kill(0, syscall.SIGKILL)
	}
}
