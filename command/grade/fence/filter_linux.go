//go:build linux && (amd64 || arm64)

package fence

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// allowed are the system calls that a Go program of this kind needs and that reach nothing but its own memory, its own
// threads, the files that Landlock leaves it and the pipes that it has; allowedHere are those of this architecture. Every
// other call is refused, those too that kernels will have one day. What is used most comes first, since the kernel goes
// through the list. The calls of ruled are allowed in part.
var allowed = []uint32{
	unix.SYS_FUTEX, unix.SYS_READ, unix.SYS_WRITE, unix.SYS_NANOSLEEP, unix.SYS_EPOLL_PWAIT, unix.SYS_SCHED_YIELD, unix.SYS_MADVISE,
	unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPROCMASK, unix.SYS_SIGALTSTACK, unix.SYS_CLOCK_GETTIME,
	// Files.
	unix.SYS_OPENAT, unix.SYS_CLOSE, unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_LSEEK, unix.SYS_READV, unix.SYS_WRITEV,
	unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV, unix.SYS_GETDENTS64, unix.SYS_READLINKAT,
	unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_SYMLINKAT,
	unix.SYS_LINKAT, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC,
	unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR,
	// Pipes, and waiting for files.
	unix.SYS_PIPE2, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_EVENTFD2, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL,
	unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	// Memory: making more of it is ruled, and limited.
	unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MINCORE, unix.SYS_BRK,
	// Threads, signals of its own, time.
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_SET_TID_ADDRESS, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETCPU,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGSUSPEND, unix.SYS_RESTART_SYSCALL,
	unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_SETITIMER, unix.SYS_GETITIMER,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_DELETE,
	// What it is and where it runs.
	unix.SYS_GETPPID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
	unix.SYS_GETGROUPS, unix.SYS_GETRUSAGE, unix.SYS_GETRLIMIT, unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_GETRANDOM,
	// The end, its own and that of children from before.
	unix.SYS_WAIT4, unix.SYS_WAITID, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
}

// Where seccomp's filter finds things, in struct seccomp_data: of an argument the low half, which is all that the calls
// below look at.
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

// A rule allows a call if one of its arguments is right.
type rule struct {
	call     uint32
	argument uint32
	// One of these holds: the argument is one of the values, or of its bits all those of set and none of those of clear are set.
	values     []uint32
	set, clear uint32
}

func rules(self int, signals bool) []rule {
	const writable = 0o700
	all := []rule{
		// Memory that is the process's own: what is shared escapes the limit of memory, and none of it is code.
		{call: unix.SYS_MMAP, argument: 3, set: unix.MAP_PRIVATE, clear: unix.MAP_SHARED | unix.MAP_LOCKED | unix.MAP_HUGETLB},
		{call: unix.SYS_MPROTECT, argument: 2, clear: unix.PROT_EXEC},
		// Threads, not processes, and in no namespace of their own.
		{call: unix.SYS_CLONE, argument: 0, set: unix.CLONE_THREAD | unix.CLONE_VM, clear: unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP |
			unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET},
		// Names of threads and memory. The end of the parent stays its own end, and what it gave up stays given up.
		{call: unix.SYS_PRCTL, argument: 0, values: []uint32{unix.PR_SET_VMA, unix.PR_SET_NAME, unix.PR_GET_NAME}},
		// Flags and copies; not signals to others when something happens, nor the size of pipes, nor locks: the range of a lock on
		// /dev/null is a message to every process that can open it.
		{call: unix.SYS_FCNTL, argument: 1, values: []uint32{unix.F_DUPFD, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
			unix.F_DUPFD_CLOEXEC}},
		// How much a pipe holds, and whether something is a terminal.
		{call: unix.SYS_IOCTL, argument: 1, values: []uint32{unix.TIOCINQ, unix.TCGETS, unix.TIOCGWINSZ}},
		// Directories that whoever cleans up can look into.
		{call: unix.SYS_MKDIRAT, argument: 2, set: writable},
	}
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL} {
		if r := (rule{call: call, values: []uint32{uint32(self)}}); !signals { // Go's run time signals its own threads
			all = append(all, r)
		} else {
			all = append(all, rule{call: call})
		}
	}
	return all
}

// filter returns the program that the kernel runs at each system call. Every answer comes at once after its comparison, so
// that no jump is long.
func filter(self int, signals bool) []unix.SockFilter {
	refuse := func(errno unix.Errno) unix.SockFilter {
		return statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ERRNO|uint32(errno))
	}
	allow := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_ALLOW)
	kill := statement(unix.BPF_RET|unix.BPF_K, unix.SECCOMP_RET_KILL_PROCESS)
	load := func(at uint32) unix.SockFilter { return statement(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, at) }
	// A jump: so many instructions on if the comparison holds, so many if not.
	equal := func(v uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: yes, Jf: no, K: v}
	}

	// System calls of another architecture have other numbers.
	program := []unix.SockFilter{load(atArch), equal(auditArch, 1, 0), kill, load(atNumber)}
	if otherNumbers != 0 {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jt: 0, Jf: 1, K: otherNumbers}, kill)
	}
	for _, calls := range [][]uint32{allowed, allowedHere} {
		for _, nr := range calls {
			program = append(program, equal(nr, 0, 1), allow)
		}
	}
	for _, r := range rules(self, signals) {
		body := []unix.SockFilter{load(atArgs + 8*r.argument)}
		for _, v := range r.values {
			body = append(body, equal(v, 0, 1), allow)
		}
		if len(r.values) == 0 {
			// Only the bits that matter are kept; those of set must be left.
			body = append(body, statement(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, r.set|r.clear), equal(r.set, 0, 1), allow)
		}
		body = append(body, refuse(unix.EPERM))
		program = append(program, equal(r.call, 0, uint8(len(body))))
		program = append(program, body...)
		if r.call == unix.SYS_MMAP { // two of its arguments matter: what is code is refused before the rest is looked at
			code := []unix.SockFilter{load(atArgs + 8*2), {Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 0, Jf: 1, K: unix.PROT_EXEC}, refuse(unix.EPERM)}
			at := len(program) - len(body)
			program = append(program[:at:at], append(code, program[at:]...)...)
			program[at-1].Jf += uint8(len(code))
		}
	}
	// The flags of clone3 lie in memory, where no filter sees them. Who hears that there is no such call takes clone.
	return append(program, equal(unix.SYS_CLONE3, 0, 1), refuse(unix.ENOSYS), refuse(unix.EPERM))
}

func statement(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }

func setFilter(program *unix.SockFprog) error {
	r, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(program)))
	switch {
	case errno != 0:
		return errno
	case r != 0:
		return fmt.Errorf("thread %d has a filter of its own", r)
	}
	return nil
}
