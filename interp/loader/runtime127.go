//go:build go1.27 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"iter"
	"slices"
	"sort"
	"sync/atomic"
	"unsafe"
)

// moduledata is runtime.moduledata, which describes the code, the types and the variables of a module. Slices are three
// numbers here, as what they refer to is not in the Go heap. The program has one, the loader adds one for all that it
// loads, and changes of it only words that a reader may find in either state; see (*Loader).publish.
type moduledata struct {
	pcHeader              uintptr
	funcnametab           table
	cutab                 table
	filetab               table
	pctab                 table
	pclntable             table
	ftab                  table
	findfunctab           uintptr
	minpc, maxpc          uintptr
	text, etext           uintptr
	noptrdata, enoptrdata uintptr
	data, edata           uintptr
	bss, ebss             uintptr
	noptrbss, enoptrbss   uintptr
	covctrs, ecovctrs     uintptr
	end, gcdata, gcbss    uintptr
	types, typedesclen    uintptr
	etypes                uintptr
	itaboffset, itabsize  uintptr
	rodata                uintptr
	gofunc                uintptr
	epclntab              uintptr
	textsectmap           table
	ptab                  table
	pluginpath            [2]uintptr
	pkghashes             table
	inittasks             table
	modulename            [2]uintptr
	modulehashes          table
	hasmain, bad          uint8
	gcdatamask, gcbssmask bitvector
	typemap               uintptr
	next                  uintptr
}

const mapTypeSize = 88 // of abi.MapType beyond the common part

// releaseInternals are those of the internals that this release alone has.
type releaseInternals struct {
	moduleTypelinks   func(md *moduledata) []*descriptor
	moduleToTypelinks *map[*moduledata][]*descriptor // what moduleTypelinks has returned, which it returns again
}

func (r *releaseInternals) find(find func(name string) uintptr) {
	r.moduleTypelinks = funcAt[func(*moduledata) []*descriptor](find("runtime.moduleTypelinks"))
	r.moduleToTypelinks = (*map[*moduledata][]*descriptor)(pointer(find("runtime.moduleToTypelinks")))
}

func (md *moduledata) hasTypelinks() bool {
	return 0 < md.typedesclen && md.typedesclen <= md.itaboffset && md.itaboffset+md.itabsize <= md.etypes-md.types
}

// typelinks are the program's types that reflection looks among: all that have no name, sorted by how they are written.
func (rt *internals) typelinks() (n int, types iter.Seq[*descriptor]) {
	links := rt.release.moduleTypelinks(rt.first)
	return len(links), slices.Values(links)
}

// links make reflection find the types of loaded packages: before it makes a type such as []T, it looks for one in the
// typelinks of all modules.
//
// The runtime keeps a list of them for each module in a map, which it fills when it needs one and reads under a lock. Here a new
// map with all modules takes the place of the last one by storing its address: nobody ever writes to it, as no module is missing.
// The runtime makes no map either, as it has made one when typelinks was called.
type links struct {
	list []*descriptor // of the region's module
}

// addLinks adds types, which are sorted by name.
func (l *Loader) addLinks(types []*descriptor) error {
	if len(types) == 0 {
		return nil
	}
	t, old := l.host.types, l.links.list
	list := make([]*descriptor, 0, len(old)+len(types))
	for _, d := range types {
		name := t.name(d)
		before := sort.Search(len(old), func(i int) bool { return t.name(old[i]) > name })
		list = append(append(list, old[:before]...), d)
		old = old[before:]
	}
	l.links.list = append(list, old...)
	rt := l.host.internals
	all := map[*moduledata][]*descriptor{rt.first: rt.release.moduleTypelinks(rt.first), l.module: l.links.list}
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(rt.release.moduleToTypelinks)), *(*unsafe.Pointer)(unsafe.Pointer(&all)))
	return nil
}
