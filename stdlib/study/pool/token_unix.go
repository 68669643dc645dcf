//go:build unix

package pool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

func checkPrivate(st fs.FileInfo) error {
	if !st.Mode().IsRegular() {
		return errors.New("it is not a file")
	}
	if st.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("its mode is %v", st.Mode().Perm())
	}
	if owner, ok := st.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d", owner.Uid)
	}
	return nil
}
