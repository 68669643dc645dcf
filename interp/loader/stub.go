//go:build !go1.26 || go1.28 || !(linux || darwin || windows) || !(amd64 || arm64) || race || msan || asan

package loader

import "runtime"

// A Loader links objects into the running program. There is none here.
type Loader struct{}

var errUnsupported = unsupported(whyNot(runtime.Version(), runtime.GOOS, runtime.GOARCH))

// Open reports that packages cannot be loaded.
func Open() (*Loader, error) { return nil, errUnsupported }

// HideMethods is never called, as there is no Loader.
func (l *Loader) HideMethods(prefix string) {}

// ShowTypes is never called, as there is no Loader.
func (l *Loader) ShowTypes(shown func(name string) string) {}

// OnExit is never called, as there is no Loader.
func (l *Loader) OnExit(f func(code int) (leave func())) {}

// LogReads is never called, as there is no Loader.
func (l *Loader) LogReads(log ReadLog) error { return errUnsupported }

// Load is never called, as there is no Loader.
func (l *Loader) Load(path string, archive []byte) error { return errUnsupported }

// Supported reports why this program cannot load objects.
func Supported() error { return errUnsupported }

// Room reports the same.
func Room() error { return errUnsupported }

// CheckTables reports the same.
func CheckTables() error { return errUnsupported }

// TryPages reports the same.
func TryPages() error { return errUnsupported }
