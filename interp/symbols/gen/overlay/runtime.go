//go:build ignore

// The generic function of package runtime.
package runtime

import (
	"gaucho/interp/symbols/internal/inst"
	"runtime"
)

func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) runtime.Cleanup {
	if ptr == nil {
		panic("runtime.AddCleanup: ptr is nil")
	}
	return inst.AddCleanup(ptr, func() { cleanup(arg) })
}
