//go:build unix

package kit

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

var errLocked = unix.EWOULDBLOCK

// tryLock takes the file's lock, which goes with the file; errLocked says that another process has it.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// detach has a command go on when this process and its group are ended.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// GiveWay has this process, and those that it starts, run when others need no processor.
func GiveWay() { unix.Setpriority(unix.PRIO_PROCESS, 0, 19) }
