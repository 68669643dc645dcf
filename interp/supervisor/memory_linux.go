package supervisor

import (
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// totalMemory returns the bytes of memory that this process and its children can have: the machine's, or less where a
// control group says so; 0 if that cannot be told.
func totalMemory() uint64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	total := uint64(info.Totalram) * uint64(info.Unit)
	text, _ := os.ReadFile("/proc/self/cgroup")
	return min(total, groupLimit("/sys/fs/cgroup", string(text)))
}

// noLimit is larger than any memory.
const noLimit = 1 << 62

// groupLimit returns the least memory limit of the control groups of a process (in the form of /proc/self/cgroup) and of
// the groups around them, in either version of control groups mounted at root.
func groupLimit(root, groups string) uint64 {
	limit := uint64(noLimit)
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		dir, file := root, "memory.max"
		if parts[1] != "" { // version 1
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			dir, file = path.Join(root, "memory"), "memory.limit_in_bytes"
		}
		// In a container the path may be that of the host, of which only the root is visible: then the root has the limit.
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			limit = min(limit, readLimit(path.Join(dir, group, file)))
			if group == "/" {
				break
			}
		}
	}
	return limit
}

func readLimit(file string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return noLimit
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n == 0 {
		return noLimit // "max"
	}
	return n
}
