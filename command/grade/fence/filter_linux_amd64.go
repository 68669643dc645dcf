package fence

import "golang.org/x/sys/unix"

const (
	auditArch    = unix.AUDIT_ARCH_X86_64
	otherNumbers = 0x40000000 // numbers from here are the x32 interface's
)

// allowedHere are older forms of calls that every architecture has.
var allowedHere = []uint32{
	unix.SYS_NEWFSTATAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_POLL, unix.SYS_SELECT,
	unix.SYS_EPOLL_WAIT, unix.SYS_GETPGRP, unix.SYS_DUP2, unix.SYS_PIPE, unix.SYS_TIME,
}
