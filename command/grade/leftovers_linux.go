package grade

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"golang.org/x/sys/unix"
)

// ours is how directories and control groups are called that a grader makes: its process is in the name.
var ours = regexp.MustCompile(`^gaucho-grade-([0-9]+)-`)

// claim locks a directory, so that no other grader takes it for one that a dead one left. The lock ends with the process.
func claim(dir string) (release func()) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	return func() { f.Close() }
}

// removeLeftovers removes what graders that were killed have left.
func removeLeftovers() {
	for _, dir := range leftIn(os.TempDir()) {
		f, err := os.Open(dir)
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			os.RemoveAll(dir)
		}
		f.Close()
	}
	own, err1 := os.ReadFile("/proc/self/cgroup")
	mounts, err2 := os.ReadFile("/proc/self/mountinfo")
	if err1 != nil || err2 != nil {
		return
	}
	for _, parent := range cgroupParents(string(own), string(mounts)) {
		for _, dir := range leftIn(parent) {
			unix.Rmdir(dir) // fails if there are processes in it
		}
	}
}

// leftIn lists what processes that have ended left in a directory.
func leftIn(parent string) (left []string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		if m := ours.FindStringSubmatch(e.Name()); m != nil && e.IsDir() {
			if pid, err := strconv.Atoi(m[1]); err == nil && unix.Kill(pid, 0) == unix.ESRCH {
				left = append(left, filepath.Join(parent, e.Name()))
			}
		}
	}
	return left
}

// temporary is the pattern of this process's directories and control groups.
func temporary() string { return fmt.Sprintf("gaucho-grade-%d-", os.Getpid()) }
