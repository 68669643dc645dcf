//go:build unix

package supervisor

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// passFiles has the command inherit files and returns the numbers that they will have there.
func passFiles(cmd *exec.Cmd, files []*os.File) []uintptr {
	cmd.ExtraFiles = files
	handles := make([]uintptr, len(files))
	for i := range handles {
		handles[i] = uintptr(3 + i)
	}
	return handles
}

// A processGroup is the worker and what its cells start.
type processGroup struct{ pid int }

// startGroup starts a command as the leader of a new process group.
func startGroup(cmd *exec.Cmd) (*processGroup, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &processGroup{cmd.Process.Pid}, nil
}

// kill ends all processes of the group.
func (g *processGroup) kill() { syscall.Kill(-g.pid, syscall.SIGKILL) }

// resume lets the worker go on if somebody has stopped it.
func (g *processGroup) resume() { syscall.Kill(g.pid, syscall.SIGCONT) }

// end ends what the worker left behind when it ended.
func (g *processGroup) end() { g.kill() }

// readRest returns what a pipe still holds. Processes that outlive the worker may hold its other end open.
func readRest(f *os.File) []byte {
	var all []byte
	conn, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	conn.Control(func(fd uintptr) {
		unix.SetNonblock(int(fd), true)
		b := make([]byte, 64<<10)
		for {
			n, err := unix.Read(int(fd), b)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if n <= 0 || err != nil || errors.Is(err, io.EOF) {
				return
			}
			all = append(all, b[:n]...)
		}
	})
	return all
}

// pipeHolds returns how many bytes a pipe holds.
func pipeHolds(f *os.File) (n int) {
	if conn, err := f.SyscallConn(); err == nil {
		conn.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), fionread) })
	}
	return n
}
