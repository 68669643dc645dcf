//go:build !go1.26 || go1.27 || !(linux || darwin || windows) || !(amd64 || arm64) || race || msan || asan

package loader

import (
	"errors"
	"runtime"
)

// A Loader links objects into the running program. There is none here.
type Loader struct{}

var errUnsupported = errors.New("loading compiled code is not supported here: it needs Linux, macOS or Windows on amd64 or arm64, Go 1.26, " +
	"and no race detector or sanitizer; this is " + runtime.GOOS + " " + runtime.GOARCH + ", " + runtime.Version())

// Open reports that packages cannot be loaded.
func Open() (*Loader, error) { return nil, errUnsupported }

// HideMethods is never called, as there is no Loader.
func (l *Loader) HideMethods(prefix string) {}

// ShowTypes is never called, as there is no Loader.
func (l *Loader) ShowTypes(shown func(name string) string) {}

// OnExit is never called, as there is no Loader.
func (l *Loader) OnExit(f func(code int) (leave func())) {}

// Load is never called, as there is no Loader.
func (l *Loader) Load(path string, archive []byte) error { return errUnsupported }

// Supported reports why this program cannot load objects.
func Supported() error { return errUnsupported }
