//go:build !linux

package compiled

import "fmt"

// programs has nothing: only Linux executes what is in memory.
type programs struct{}

func (programs) inMemory(file string) (string, error) {
	return "", fmt.Errorf("%s cannot be executed; set XDG_CACHE_HOME to a directory from which programs can be", file)
}

func (programs) close() {}
