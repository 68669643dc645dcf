package fence

import "golang.org/x/sys/unix"

const (
	auditArch    = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 0
)

var allowedHere = []uint32{unix.SYS_FSTATAT}
