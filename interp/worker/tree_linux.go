package worker

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// processes are the processes of this machine, each with its parent.
func processes() map[int]int {
	parents := map[int]int{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		stat, _ := os.ReadFile(filepath.Join(dir, "stat")) // pid (name) state parent ..., where a name may have anything
		rest := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(rest) > 1 {
			parents[pid], _ = strconv.Atoi(string(rest[1]))
		}
	}
	return parents
}
