//go:build go1.26 && !go1.27 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"iter"
	"unsafe"
)

// releaseObjects are the types of objects of package runtime that this release alone has.
var releaseObjects = map[string]string{}

// itabs are those that the linker has made.
func (md *moduledata) itabs() iter.Seq[*itab] {
	return func(yield func(*itab) bool) {
		for _, addr := range unsafe.Slice((*uintptr)(pointer(md.itablinks.addr)), md.itablinks.len) {
			if !yield((*itab)(pointer(addr))) {
				return
			}
		}
	}
}
