package grade

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A cgroup is a control group of the system around the processes of one submission: whatever they do, all memory that they
// cause to be used is counted, the kernel's own for pipes, files and threads included.
type cgroup struct {
	dirs   []string // one in version 2; one for each controller in version 1
	events string   // the file that counts processes ended for want of memory
}

// maxThreads is how many threads a submission may have.
const maxThreads = 2000

// newCgroup makes a control group below the one of this process, with at most so many bytes of memory.
func newCgroup(memory int64) (*cgroup, error) {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	parents := cgroupParents(string(own), string(mounts))
	g := &cgroup{}
	for _, version := range []func(map[string]string, int64) error{g.version2, g.version1} {
		if err = version(parents, memory); err == nil {
			return g, nil
		}
		g.remove()
		*g = cgroup{}
	}
	return nil, err
}

// cgroupParents returns, by controller, the directory of the group that a process is in. The controller of version 2 is "".
// The texts are those of /proc/self/cgroup and /proc/self/mountinfo; see cgroups(7) and proc_pid_mountinfo(5).
func cgroupParents(own, mounts string) map[string]string {
	parents := map[string]string{}
	for line := range strings.Lines(mounts) {
		before, after, _ := strings.Cut(strings.TrimSpace(line), " - ")
		where, what := strings.Fields(before), strings.Fields(after)
		if len(where) < 5 || len(what) < 3 {
			continue
		}
		root, dir := where[3], where[4]
		for entry := range strings.Lines(own) {
			parts := strings.SplitN(strings.TrimSpace(entry), ":", 3)
			if len(parts) != 3 {
				continue
			}
			below, err := filepath.Rel(root, parts[2])
			if err != nil || strings.HasPrefix(below, "..") {
				continue // a group that this mount does not show
			}
			switch {
			case what[0] == "cgroup2" && parts[0] == "0":
				parents[""] = filepath.Join(dir, below)
			case what[0] == "cgroup" && parts[1] != "":
				for controller := range strings.SplitSeq(parts[1], ",") {
					if strings.Contains(","+what[2]+",", ","+controller+",") {
						parents[controller] = filepath.Join(dir, below)
					}
				}
			}
		}
	}
	return parents
}

func (g *cgroup) version2(parents map[string]string, memory int64) error {
	parent, ok := parents[""]
	if !ok {
		return errors.New("no control groups of version 2")
	}
	active, err := os.ReadFile(filepath.Join(parent, "cgroup.subtree_control"))
	if err != nil {
		return err
	}
	// A group that has processes of its own cannot give controllers to groups below it, save the system's first.
	if fields := " " + strings.TrimSpace(string(active)) + " "; !strings.Contains(fields, " memory ") || !strings.Contains(fields, " pids ") {
		if err := put(parent, "cgroup.subtree_control", "+memory +pids"); err != nil {
			return err
		}
	}
	dir, err := g.make(parent)
	if err != nil {
		return err
	}
	g.events = filepath.Join(dir, "memory.events")
	putIfThere(dir, "memory.swap.max", "0")
	return errors.Join(put(dir, "memory.max", strconv.FormatInt(memory, 10)), put(dir, "pids.max", strconv.Itoa(maxThreads)))
}

func (g *cgroup) version1(parents map[string]string, memory int64) error {
	for controller, limit := range map[string]func(dir string) error{
		"memory": func(dir string) error {
			g.events = filepath.Join(dir, "memory.oom_control")
			limit := strconv.FormatInt(memory, 10)
			if err := put(dir, "memory.limit_in_bytes", limit); err != nil {
				return err
			}
			putIfThere(dir, "memory.memsw.limit_in_bytes", limit) // with what is swapped out
			return nil
		},
		"pids": func(dir string) error { return put(dir, "pids.max", strconv.Itoa(maxThreads)) },
	} {
		parent, ok := parents[controller]
		if !ok {
			return fmt.Errorf("no control groups for %s", controller)
		}
		dir, err := g.make(parent)
		if err == nil {
			err = limit(dir)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *cgroup) make(parent string) (string, error) {
	dir, err := os.MkdirTemp(parent, temporary())
	if err == nil {
		g.dirs = append(g.dirs, dir)
	}
	return dir, err
}

// add takes a process into the group; what it starts afterwards is in it too.
func (g *cgroup) add(pid int) error {
	for _, dir := range g.dirs {
		if err := put(dir, "cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
	}
	return nil
}

// exhausted reports whether the system has ended a process of the group because it needed more memory than it may.
func (g *cgroup) exhausted() bool {
	text, _ := os.ReadFile(g.events)
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "oom_kill" && f[1] != "0" {
			return true
		}
	}
	return false
}

// remove ends what is left in the group and removes it.
func (g *cgroup) remove() {
	deadline := time.Now().Add(5 * time.Second)
	for _, dir := range g.dirs {
		for unix.Rmdir(dir) == unix.EBUSY && time.Now().Before(deadline) {
			procs, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
			for pid := range strings.FieldsSeq(string(procs)) {
				if n, err := strconv.Atoi(pid); err == nil && n > 0 {
					unix.Kill(n, unix.SIGKILL)
				}
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

func put(dir, file, text string) error {
	return os.WriteFile(filepath.Join(dir, file), []byte(text), 0)
}

// putIfThere sets what not every kernel has, as limits of swapped memory.
func putIfThere(dir, file, text string) { _ = put(dir, file, text) }

// canGroup reports whether submissions can have control groups here.
var canGroup = sync.OnceValue(func() bool {
	g, err := newCgroup(1 << 30)
	if err != nil {
		return false
	}
	g.remove()
	return true
})
