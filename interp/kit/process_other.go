//go:build !unix && !windows

package kit

import (
	"errors"
	"os"
	"os/exec"
)

var errLocked = errors.New("locked")

// tryLock takes no lock: there is no native engine here.
func tryLock(*os.File) error { return nil }

// detach does nothing, as nothing is prepared here.
func detach(*exec.Cmd) {}

// GiveWay does nothing, as nothing is tested here.
func GiveWay() {}
