package grade

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
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
			if used := diskUse(dir); used < 0 || used+unlinkedUse(cmd.Process.Pid) > most {
				killGroup(cmd)
				return true
			}
		}
	}
}

// diskUse returns the bytes of the files in a directory, or -1 if it holds directories so deep that their files cannot be counted.
func diskUse(dir string) (total int64) {
	err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		switch {
		case errors.Is(err, syscall.ENAMETOOLONG):
			return err
		case err == nil:
			total += 4 << 10 // a file costs something even when it is empty
			info, err := d.Info()
			if errors.Is(err, syscall.ENAMETOOLONG) {
				return err
			}
			if err == nil && info.Mode().IsRegular() {
				total += info.Size()
			}
		}
		return nil
	})
	if err != nil {
		return -1
	}
	return total
}
