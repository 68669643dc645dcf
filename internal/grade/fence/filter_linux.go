//go:build linux && (amd64 || arm64)

package fence

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are the system calls that answer EPERM, on every architecture; refusedHere are those of this one.
var refused = []uint32{
	// The network, and talk with other processes.
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_SEMGET,
	unix.SYS_SEMOP, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	// Other programs and processes.
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_PROCESS_MADVISE, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SETPGID, unix.SYS_SETSID,
	unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES,
	// What a limit is.
	unix.SYS_PRLIMIT64, unix.SYS_SETRLIMIT, unix.SYS_SECCOMP,
	// Files' owners, modes and times, which Landlock does not see; a file's length on kernels before 6.2.
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, 452 /* fchmodat2 */, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR,
	unix.SYS_FREMOVEXATTR, unix.SYS_TRUNCATE, unix.SYS_MKNODAT, unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_FANOTIFY_INIT, unix.SYS_INOTIFY_INIT1, unix.SYS_QUOTACTL,
	// The system, for who is root.
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_FSOPEN, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_MOUNT_SETATTR, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETREUID, unix.SYS_SETREGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
	unix.SYS_SETGROUPS, unix.SYS_SETFSUID, unix.SYS_SETFSGID, unix.SYS_CAPSET, unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_SYSLOG, unix.SYS_ACCT, unix.SYS_VHANGUP, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_PERSONALITY,
	// What has let others out: programs in the kernel, and calls made in a queue that no filter sees.
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_USERFAULTFD, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL, unix.SYS_MEMFD_CREATE, unix.SYS_MEMFD_SECRET,
}

// Where seccomp's filter finds things, in struct seccomp_data.
const (
	atNumber   = 0
	atArch     = 4
	atArgument = 16 // the low half of the first; both architectures have it first
)

// filter returns the program that the kernel runs at each system call. Every refusal is a comparison and a return, so that
// no jump is long.
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
	for _, nr := range refused {
		program = append(program, equal(nr, 0, 1), refuse(unix.EPERM))
	}
	for _, nr := range refusedHere {
		program = append(program, equal(nr, 0, 1), refuse(unix.EPERM))
	}
	// Its flags lie in memory, where no filter sees them. Who is told that there is no such call takes clone.
	program = append(program, equal(unix.SYS_CLONE3, 0, 1), refuse(unix.ENOSYS))
	// Threads, not processes.
	program = append(program, equal(unix.SYS_CLONE, 0, 4), load(atArgument),
		unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 0, Jf: 1, K: unix.CLONE_THREAD}, allow, refuse(unix.EPERM))
	// The end of its parent stays its own end.
	program = append(program, equal(unix.SYS_PRCTL, 0, 4), load(atArgument), equal(unix.PR_SET_PDEATHSIG, 0, 1), refuse(unix.EPERM), allow)
	if !signals { // Go's run time signals its own threads
		for _, nr := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL} {
			program = append(program, equal(nr, 0, 4), load(atArgument), equal(uint32(self), 0, 1), allow, refuse(unix.EPERM))
		}
	}
	return append(program, allow)
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
