//go:build go1.27 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"iter"
	"unsafe"
)

// releaseObjects are the types of objects of package runtime that this release alone has.
var releaseObjects = map[string]string{
	"moduleTypelinks":   "func(md *runtime.moduledata) []*runtime._type",
	"moduleToTypelinks": "map[*runtime.moduledata][]*runtime._type",
}

// itabs are those that the linker has made.
func (md *moduledata) itabs() iter.Seq[*itab] {
	return func(yield func(*itab) bool) {
		start := md.types + md.itaboffset
		for off := uintptr(0); off < md.itabsize; {
			tab := (*itab)(pointer(start + off))
			if !yield(tab) {
				return
			}
			off += unsafe.Sizeof(itab{})
			if tab.fun[0] != 0 {
				off += 8 * (at[uintptr](unsafe.Pointer(tab.inter), commonSize+16) - 1)
			}
		}
	}
}
