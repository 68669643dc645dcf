package compiled

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// mostMemory is what the compiler's process may use of the address space.
const mostMemory = 8 << 30

// startLimited starts a compiler that cannot take all of the machine's memory, and that ends with this process.
func startLimited(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	limit := unix.Rlimit{Cur: mostMemory, Max: mostMemory}
	unix.Prlimit(cmd.Process.Pid, unix.RLIMIT_AS, &limit, nil)
	return nil
}
