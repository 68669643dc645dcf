//go:build unix && !linux

package grade

import (
	"os/exec"
	"syscall"
)

// ownGroup has a command lead a process group of its own.
func ownGroup(cmd *exec.Cmd, _ bool) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
