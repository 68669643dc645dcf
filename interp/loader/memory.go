//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// What a system does with memory is in its own file, memory_*.go:
//
//	reserveMemory(hint, size)   reserves addresses, at the hint if they are free
//	unreserveMemory(addr, size) gives them back
//	commitMemory(addr, size)    makes reserved addresses readable and writable
//	protect(addr, size, prot)   makes them readOnly or executable
//	mapFile(name)               is a file's contents
//	dontNeed(b)                 takes what is as in its file out of the process's memory until it is read again, or does nothing

// A region is the address range that everything loaded lies in. It is reserved once, near enough to the program's text and
// data for the compiler's 32-bit offsets, and split into areas, each of which grows from its start. Nothing is ever
// given back.
type region struct {
	base, end uintptr

	text   area // code: written, then executable
	rodata area // types, strings, stack maps: written, then read-only
	data   area // variables with pointers
	noptr  area // variables without

	// The tables of the one moduledata that describes all loaded code.
	module    area // the moduledata and its pcHeader
	names     area // names of functions
	cus       area // of each object file, where its file names are
	files     area // file names
	pctab     area // line numbers, stack depths, ... as deltas over the code
	functions area // runtime._func
	ftab      area // functions by address
	buckets   area // into ftab by address
	masks     area // which words of data are pointers
}

// areas are the areas of the region with their shares of it, in 1024ths.
func (r *region) areas() []struct {
	*area
	share uintptr
} {
	return []struct {
		*area
		share uintptr
	}{
		{&r.text, 192}, {&r.rodata, 208}, {&r.data, 224}, {&r.noptr, 256}, {&r.module, 1}, {&r.names, 24}, {&r.cus, 4},
		{&r.files, 16}, {&r.pctab, 40}, {&r.functions, 40}, {&r.ftab, 8}, {&r.buckets, 2}, {&r.masks, 9},
	}
}

// An area grows from base to end.
type area struct {
	base, end uintptr
	used      uintptr // first free address
	mapped    uintptr // first address that cannot be touched yet
}

var pageSize = uintptr(os.Getpagesize())

// reserve finds an address range that is free and ends within reach of every address from low to high.
func reserve(low, high uintptr) (*region, error) {
	const step = 32 << 20
	for size := uintptr(1 << 30); size >= 1<<28; size /= 2 {
		for hint := alignUp(high, step) + step; hint+size < low+1<<31; hint += step {
			addr, err := reserveMemory(hint, size)
			if err == nil && addr == hint {
				return newRegion(hint, size), nil
			}
			if err == nil {
				unreserveMemory(addr, size)
			}
		}
	}
	return nil, errNoRoom
}

var errNoRoom = errors.New("no free addresses within 2 GB of the program's text, as under a limit of the address space (ulimit -v)")

// Room reports why there is no room for objects in a process of this program, nil if there is. It takes no part of it.
func Room() error {
	here := reflect.ValueOf(Room).Pointer()
	r, err := reserve(here, here)
	if err == nil {
		unreserveMemory(r.base, r.end-r.base)
	}
	return err
}

func newRegion(base, size uintptr) *region {
	r := &region{base: base, end: base + size}
	for _, a := range r.areas() {
		n := a.share * (size / 1024)
		*a.area = area{base: base, end: base + n, used: base, mapped: base}
		base += n
	}
	return r
}

// take returns the address of size free bytes that can be written, as all of an area's pages up to them.
func (a *area) take(size, align uintptr) (uintptr, error) {
	addr := alignUp(a.used, align)
	if addr > a.end || size > a.end-addr {
		way := "%reset forgets all names and starts a worker with none of it used"
		if size > a.end-a.base {
			way = "what make and new allocate, and what is read from a file, is elsewhere"
		}
		return 0, fmt.Errorf("%d MB are needed of the %d MB for loaded packages, %d MB of which are used; %s", size>>20, (a.end-a.base)>>20, (a.used-a.base)>>20, way)
	}
	if err := a.commit(addr + size); err != nil {
		return 0, err
	}
	a.used = addr + size
	return addr, nil
}

// commit makes the addresses up to end usable.
func (a *area) commit(end uintptr) error {
	if end <= a.mapped {
		return nil
	}
	const step = 64 << 10
	end = min(alignUp(end, step), a.end)
	if err := commitMemory(a.mapped, end-a.mapped); err != nil {
		return err
	}
	a.mapped = end
	return nil
}

// takePages is take for whole pages, whose protection seal changes later.
func (a *area) takePages(size uintptr) (uintptr, error) {
	a.used = alignUp(a.used, pageSize)
	addr, err := a.take(alignUp(size, pageSize), pageSize)
	if err != nil && pageSize >= 64<<10 {
		err = fmt.Errorf("%w; each package takes whole pages, of %d kB on this system", err, pageSize>>10)
	}
	return addr, err
}

// seal ends the writing of pages. A package may have none of a kind.
func seal(addr, size uintptr, prot protection) error {
	if size == 0 {
		return nil
	}
	return protect(addr, alignUp(size, pageSize), prot)
}

func alignUp(n, align uintptr) uintptr { return (n + align - 1) &^ (align - 1) }

// bytesAt is memory outside the Go heap as a slice.
func bytesAt(addr, size uintptr) []byte {
	return unsafe.Slice((*byte)(pointer(addr)), size)
}

// pointer makes a pointer of an address outside the Go heap.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// publish stores a value that the runtime may read at the same time.
func publish[T uint32 | uintptr](p *T, v T) {
	switch p := any(p).(type) {
	case *uint32:
		atomic.StoreUint32(p, uint32(v))
	case *uintptr:
		atomic.StoreUintptr(p, uintptr(v))
	}
}
