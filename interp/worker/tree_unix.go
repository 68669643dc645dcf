//go:build linux || darwin

package worker

import (
	"os"
	"syscall"
)

// endTree ends a process and those that it has started, and these. They are stopped first: no new one comes meanwhile.
func endTree(p *os.Process) error {
	tree := map[int]bool{p.Pid: true}
	syscall.Kill(p.Pid, syscall.SIGSTOP)
	for n := 0; n < len(tree); {
		n = len(tree)
		for pid, parent := range processes() {
			if tree[parent] && !tree[pid] {
				tree[pid] = true
				syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
	}
	for pid := range tree {
		if pid != p.Pid {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return p.Kill()
}
