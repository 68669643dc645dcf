package study

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes the file's lock, or fails at once when another process has it. The lock goes with the file. It covers a
// byte far after the end, so that readers are not kept out.
func lock(f *os.File) error {
	far := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &far)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}
