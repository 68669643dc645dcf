package worker

import (
	"os"
	"os/exec"
	"strconv"
)

// endTree ends a process and those that it has started, and these.
func endTree(p *os.Process) error {
	return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run()
}
