package grade

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// watchDisk ends the process when its files are more than they may be, and reports whether they were.
func watchDisk(ctx context.Context, cmd *exec.Cmd, dir string, most int64) bool {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if diskUse(dir)+unlinkedUse(cmd.Process.Pid) > most {
				killGroup(cmd)
				return true
			}
		}
	}
}

// diskUse returns the bytes of the files in a directory.
func diskUse(dir string) (total int64) {
	filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil {
			total += 4 << 10 // a file costs something even when it is empty
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}
