//go:build unix

package study

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock takes the file's lock, or fails at once when another process has it. The lock goes with the file.
func lock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
