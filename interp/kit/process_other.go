//go:build !unix

package kit

import (
	"errors"
	"os"
	"os/exec"
)

var errLocked = errors.New("locked")

// tryLock takes no lock: the native engine is no default here.
func tryLock(*os.File) error { return nil }

// detach does nothing, as nothing is prepared here.
func detach(*exec.Cmd) {}
