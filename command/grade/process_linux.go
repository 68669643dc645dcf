package grade

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// endWithParent has the system end this process when the one that started it ends.
func endWithParent() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0) }

// ownGroup has a command lead a process group of its own, with mount in a mount namespace of its own, where an ordinary user
// is given what it takes to mount there by a user namespace.
func ownGroup(cmd *exec.Cmd, mount bool) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	switch {
	case !mount:
	case os.Geteuid() == 0:
		cmd.SysProcAttr.Unshareflags = unix.CLONE_NEWNS
	default:
		cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
}

// mountDisk makes a directory a file system in memory that holds so many bytes. It is gone with the last process that sees it.
func mountDisk(dir string, most int64) error {
	options := "mode=0700,nr_inodes=20000,size=" + strconv.FormatInt(most, 10)
	if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	return unix.Mount("gaucho-grade", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options)
}

// closeInherited has files that this process was started with stay its own: a student's code would find them open.
func closeInherited() error { return unix.CloseRange(3, 1<<32-1, unix.CLOSE_RANGE_CLOEXEC) }

// runOn keeps this process and those that it will start to some processors.
func runOn(processors []int) error {
	if len(processors) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		tid, _ := strconv.Atoi(t.Name())
		if err := unix.SchedSetaffinity(tid, &set); err != nil && err != unix.ESRCH {
			return err
		}
	}
	return nil
}

// processors are those on which this process may run.
func processors() (all []int) {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return nil
	}
	for p := range 8 * len(set) * 8 {
		if set.IsSet(p) {
			all = append(all, p)
		}
	}
	return all
}

// ownChildren are the directories in which the system describes this process's children.
func ownChildren() []string { return childrenOf("self") }

func childrenOf(process string) (dirs []string) {
	tasks, _ := filepath.Glob("/proc/" + process + "/task/*/children")
	for _, file := range tasks {
		text, _ := os.ReadFile(file)
		for _, pid := range strings.Fields(string(text)) {
			dirs = append(dirs, "/proc/"+pid)
		}
	}
	return dirs
}

// A usage is what a process has had of the processors, and how long its threads were ready to run while others did.
type usage struct{ ran, waited time.Duration }

// usageOf adds up what processes have used. The time that threads waited which have ended is not in it.
func usageOf(processes []string) (u usage, ok bool) {
	for _, dir := range processes {
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue
		}
		// The name of the program comes in parentheses and may hold anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 13 {
			continue
		}
		ok = true
		const tick = time.Second / 100 // USER_HZ, which no configuration changes on these architectures
		for _, f := range fields[11:13] {
			n, _ := strconv.ParseInt(string(f), 10, 64)
			u.ran += time.Duration(n) * tick
		}
		threads, _ := filepath.Glob(dir + "/task/*/schedstat")
		for _, file := range threads {
			text, _ := os.ReadFile(file)
			if f := bytes.Fields(text); len(f) == 3 {
				n, _ := strconv.ParseInt(string(f[1]), 10, 64)
				u.waited += time.Duration(n)
			}
		}
	}
	return u, ok
}

// unlinkedUse returns the bytes of files that a process's children hold, open or mapped, after their names are gone.
func unlinkedUse(pid int) (total int64) {
	for _, dir := range childrenOf(strconv.Itoa(pid)) {
		held := map[string]int64{} // by device and number: a file that is open and mapped is one
		files, _ := os.ReadDir(dir + "/fd")
		for _, f := range files {
			var st unix.Stat_t
			if unix.Stat(dir+"/fd/"+f.Name(), &st) == nil && st.Nlink == 0 && st.Mode&unix.S_IFMT == unix.S_IFREG {
				held[fmt.Sprintf("%02x:%02x %d", unix.Major(st.Dev), unix.Minor(st.Dev), st.Ino)] = st.Blocks * 512
			}
		}
		maps, _ := os.ReadFile(dir + "/maps")
		for line := range strings.Lines(string(maps)) {
			// from-to permissions offset device number name; see proc_pid_maps(5).
			f := strings.Fields(line)
			if len(f) < 6 || !strings.HasSuffix(strings.TrimSpace(line), " (deleted)") {
				continue
			}
			var from, to, offset int64
			if n, _ := fmt.Sscanf(f[0]+" "+f[2], "%x-%x %x", &from, &to, &offset); n == 3 {
				file := f[3] + " " + f[4]
				held[file] = max(held[file], offset+to-from)
			}
		}
		for _, n := range held {
			total += n
		}
	}
	return total
}
