//go:build unix

package kit

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a directory is another user's.
func owned(dir string, info fs.FileInfo) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user", dir)
	}
	return nil
}
