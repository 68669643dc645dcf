//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"encoding/binary"
	"unsafe"
)

func at[T any](p unsafe.Pointer, off uintptr) T { return *(*T)(unsafe.Add(p, off)) }

// commonSize is the size of the part that all descriptors have.
const commonSize = unsafe.Sizeof(descriptor{})

// elem is the element type of a pointer, slice, array or channel, and the key type of a map.
func (d *descriptor) elem() *descriptor { return at[*descriptor](unsafe.Pointer(d), commonSize) }

// nameAt returns the text of an encoded name.
func nameAt(p unsafe.Pointer) string {
	head := unsafe.Slice((*byte)(p), 1+binary.MaxVarintLen32)
	n, w := binary.Uvarint(head[1:])
	return unsafe.String((*byte)(unsafe.Add(p, 1+w)), n)
}

// name is a type's name as reflection prints it.
func (t *types) name(d *descriptor) string {
	name := nameAt(unsafe.Pointer(t.at(d.str)))
	if d.tflag&tflagExtraStar != 0 {
		name = name[1:]
	}
	return name
}

// lacksMethods reports whether the linker has dropped the code of one of the type's exported methods.
func (d *descriptor) lacksMethods() bool {
	for _, m := range d.exportedMethods() {
		if m.ifn == -1 || m.tfn == -1 {
			return true
		}
	}
	return false
}

// exportedMethods are the exported methods of a type that is no interface.
func (d *descriptor) exportedMethods() []methodEntry {
	u := d.uncommon()
	if u == nil {
		return nil
	}
	return unsafe.Slice((*methodEntry)(unsafe.Add(unsafe.Pointer(u), u.moff)), u.xcount)
}

// uncommon is the part of a descriptor that types with a name or with methods have.
func (d *descriptor) uncommon() *uncommon {
	if d.tflag&tflagUncommon == 0 {
		return nil
	}
	size := commonSize
	switch d.kind {
	case kindPointer, kindSlice:
		size += 8
	case kindFunc:
		size += 8
	case kindChan:
		size += 16
	case kindArray:
		size += 24
	case kindStruct, kindInterface:
		size += 32
	case kindMap:
		size += mapTypeSize
	}
	return (*uncommon)(unsafe.Add(unsafe.Pointer(d), size))
}

// pointers sets, in the mask that covers memory from base, the bits of the words from addr on that are pointers in a
// value of type d.
func (d *descriptor) pointers(mask []byte, word uintptr) {
	p := unsafe.Pointer(d)
	switch {
	case d.ptrBytes == 0:
	case d.tflag&tflagGCMaskOnDemand == 0:
		bits := unsafe.Slice((*byte)(pointer(d.gcdata)), (d.ptrBytes/8+7)/8)
		for i := range d.ptrBytes / 8 {
			if bits[i/8]>>(i%8)&1 != 0 {
				mask[(word+i)/8] |= 1 << ((word + i) % 8)
			}
		}
	case d.kind == kindArray: // only arrays and structs are as large as that
		n := at[uintptr](p, commonSize+16)
		for i := range n {
			d.elem().pointers(mask, word+i*d.elem().size/8)
		}
	case d.kind == kindStruct:
		fields, n := at[unsafe.Pointer](p, commonSize+8), at[uintptr](p, commonSize+16)
		for i := range n {
			at[*descriptor](fields, 24*i+8).pointers(mask, word+at[uintptr](fields, 24*i+16)/8)
		}
	}
}
