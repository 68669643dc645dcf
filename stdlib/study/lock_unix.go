//go:build unix

package study

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the file's lock, or fails at once when another process has it. The lock goes with the file. A sandbox that refuses
// locks keeps other processes from the file as well.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	switch {
	case err == unix.EPERM:
		return nil
	case errors.Is(err, unix.EWOULDBLOCK):
		return ErrLocked
	}
	return err
}
