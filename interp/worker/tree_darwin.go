package worker

import "golang.org/x/sys/unix"

// processes are the processes of this machine, each with its parent.
func processes() map[int]int {
	parents := map[int]int{}
	all, _ := unix.SysctlKinfoProcSlice("kern.proc.all")
	for _, p := range all {
		parents[int(p.Proc.P_pid)] = int(p.Eproc.Ppid)
	}
	return parents
}
