//go:build linux && (amd64 || arm64)

package fence

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	"golang.org/x/sys/unix"
)

// Available returns nil if the fence can be had here, else [ErrNone].
func Available() error {
	const versionOnly = 1 << 0 // LANDLOCK_CREATE_RULESET_VERSION
	if abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, versionOnly); errno != 0 || int(abi) < 1 {
		return ErrNone
	}
	// A filter without a program is EFAULT where filters exist.
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, 0)
	if errno != unix.EFAULT {
		return ErrNone
	}
	return nil
}

// Enter shuts the process in. There is no way back. If the error is not nil, the process may be half shut in and should end.
func Enter(r Rules) error {
	if err := Available(); err != nil {
		return err
	}
	if err := r.limit(); err != nil {
		return fmt.Errorf("fence: %w", err)
	}
	if err := r.landlock(); err != nil {
		return fmt.Errorf("fence: Landlock: %w", err)
	}
	if err := install(filter(os.Getpid(), r.Signals)); err != nil {
		return fmt.Errorf("fence: seccomp: %w", err)
	}
	return nil
}

// Limit sets the limits of memory, time and files for this process, and keeps it from nothing else.
func Limit(r Rules) error { return r.limit() }

func (r Rules) limit() error {
	set := func(resource int, v uint64) error {
		if v == 0 {
			return nil
		}
		var old syscall.Rlimit
		if err := syscall.Getrlimit(resource, &old); err != nil {
			return err
		}
		v = min(v, old.Max)
		return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: v, Max: v})
	}
	for _, l := range []struct {
		resource int
		value    uint64
	}{
		{unix.RLIMIT_DATA, r.Data},
		{unix.RLIMIT_CPU, uint64(math.Ceil(r.CPU.Seconds()))},
		{unix.RLIMIT_FSIZE, r.File},
		{unix.RLIMIT_NOFILE, 256},
	} {
		if err := set(l.resource, l.value); err != nil {
			return fmt.Errorf("limit %d: %w", l.resource, err)
		}
	}
	// No dump of its memory is left behind.
	return syscall.Setrlimit(unix.RLIMIT_CORE, &syscall.Rlimit{})
}

func (r Rules) landlock() error {
	rules := []landlock.Rule{
		landlock.RWDirs(r.Dir).WithRefer(),
		landlock.RWFiles("/dev/null"),
		landlock.ROFiles("/dev/zero", "/dev/urandom", "/dev/random").IgnoreIfMissing(),
	}
	for _, path := range r.Read {
		st, err := os.Stat(path)
		if err != nil {
			return err
		}
		if st.IsDir() {
			rules = append(rules, landlock.RODirs(path))
		} else {
			rules = append(rules, landlock.ROFiles(path))
		}
	}
	config := landlock.V6
	if r.Signals {
		config = landlock.V5 // the sixth version keeps signals in too
	}
	return config.BestEffort().Restrict(rules...)
}

// install puts a filter over all threads.
func install(program []unix.SockFilter) error {
	runtime.LockOSThread() // prctl and seccomp must be of one thread; TSYNC gives the filter to all others
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return setFilter(&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
}
