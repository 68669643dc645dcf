//go:build go1.26 && !go1.27 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"iter"
	"sort"
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
	types, etypes         uintptr
	rodata                uintptr
	gofunc                uintptr
	epclntab              uintptr
	textsectmap           table
	typelinks             table
	itablinks             table
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

const mapTypeSize = 64 // of abi.MapType beyond the common part

// releaseInternals are those of the internals that this release alone has.
type releaseInternals struct{}

func (*releaseInternals) find(func(name string) uintptr) {}

func (md *moduledata) hasTypelinks() bool {
	return md.typelinks.len != 0 && md.typelinks.len <= md.typelinks.cap
}

// typelinks are the program's types that reflection looks among: all that have no name, sorted by how they are written.
func (rt *internals) typelinks() (n int, types iter.Seq[*descriptor]) {
	links := rt.first.typelinks
	return int(links.len), func(yield func(*descriptor) bool) {
		for _, off := range unsafe.Slice((*int32)(pointer(links.addr)), links.len) {
			if !yield((*descriptor)(pointer(rt.first.types + uintptr(off)))) {
				return
			}
		}
	}
}

// links make reflection find the types of loaded packages: before it makes a type such as []T, it looks for one in the
// typelinks of all modules.
//
// It reads those at any time, as an address and a length, so a length never changes: a list of linksLen offsets, sorted by
// the types' names, is replaced by another one by storing its address. Free places repeat the last offset. When a list is
// full, another module gets the next one.
type links struct {
	module *moduledata
	list   []int32 // of module; a slice, so that the Go heap keeps what a reader may still look at
	used   int
	full   [][]int32 // of earlier modules
}

const linksLen = 4096

// addLinks adds types, which are sorted by name.
func (l *Loader) addLinks(types []*descriptor) error {
	for len(types) > 0 {
		k := &l.links
		if k.used == linksLen {
			k.full = append(k.full, k.list)
			k.module, k.list, k.used = nil, nil, 0
		}
		n := min(len(types), linksLen-k.used)
		if err := l.replaceLinks(types[:n]); err != nil {
			return err
		}
		types = types[n:]
	}
	return nil
}

// replaceLinks replaces the last list by one that has more types.
func (l *Loader) replaceLinks(types []*descriptor) error {
	t, k := l.host.types, &l.links
	list := make([]int32, linksLen)
	old := k.list[:k.used]
	n := 0
	for _, d := range types {
		name := t.name(d)
		before := sort.Search(len(old), func(i int) bool { return t.name(t.at(old[i])) > name })
		n += copy(list[n:], old[:before])
		old = old[before:]
		list[n] = int32(uintptr(unsafe.Pointer(d)) - t.base)
		n++
	}
	n += copy(list[n:], old)
	for i := n; i < linksLen; i++ {
		list[i] = list[n-1]
	}
	if k.module == nil {
		md, err := newLinksModule(l.region, l.module, list)
		if err != nil {
			return err
		}
		l.host.register(md)
		k.module = md
	}
	publish(&k.module.typelinks.addr, uintptr(unsafe.Pointer(&list[0])))
	// Only now may the old list lose its last reference here: who read its address has it on a stack by now.
	k.list, k.used = list, n
	return nil
}

// newLinksModule makes a module that has nothing but typelinks. Its range of types is empty, as those belong to the
// region's module.
func newLinksModule(r *region, of *moduledata, list []int32) (*moduledata, error) {
	addr, err := r.module.take(unsafe.Sizeof(moduledata{}), 64)
	if err != nil {
		return nil, err
	}
	md := (*moduledata)(pointer(addr))
	n := uintptr(len(list))
	*md = moduledata{
		types: of.types, etypes: of.types, typelinks: table{uintptr(unsafe.Pointer(&list[0])), n, n}, gcdatamask: of.gcdatamask,
	}
	return md, nil
}
