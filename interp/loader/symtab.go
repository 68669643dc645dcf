//go:build go1.26 && !go1.27 && linux && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"syscall"
	"unsafe"
)

// A symtab finds symbols of the running program by name. It reads the symbol table of the program's file in place and
// keeps an index of numbers sorted by hash, so that it needs no memory per symbol but four or eight bytes. Functions that command slim
// took out of the symbol table are in the runtime's.
type symtab struct {
	syms      []elf.Sym64
	names     []byte
	functions []ftabEntry
	md        *moduledata
	index     []uint32 // open addressing: numbers of symbols, then of functions; 0 is free
	seed      maphash.Seed
	bias      uintptr // what position-independent code was moved by
	fixed     bool    // it was not, and so what is only read is as in the file
}

// openSymtab reads the file of the running program, which has that module.
func openSymtab(md *moduledata) (*symtab, error) {
	const self = "/proc/self/exe" // also when the file has been replaced since
	f, err := os.Open(self)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := elf.NewFile(f)
	if err != nil {
		return nil, err
	}
	sec := e.SectionByType(elf.SHT_SYMTAB)
	if sec == nil || sec.Size == 0 || int(sec.Link) >= len(e.Sections) {
		return nil, errors.New("the program was linked without its symbol table; link it without -s")
	}
	str := e.Sections[sec.Link]
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("mmap %s: %w", self, err)
	}
	if sec.Offset%8 != 0 || sec.Offset+sec.Size > uint64(len(data)) || str.Offset+str.Size > uint64(len(data)) {
		return nil, errors.New("the program's symbol table is damaged")
	}
	t := &symtab{
		syms:  unsafe.Slice((*elf.Sym64)(unsafe.Pointer(&data[sec.Offset])), sec.Size/elf.Sym64Size),
		names: data[str.Offset:][:str.Size],
		seed:  maphash.MakeSeed(),
		md:    md,
		fixed: e.Type == elf.ET_EXEC,
	}
	if uintptr(len(t.syms)) < md.ftab.len { // not all functions are in it
		t.functions = unsafe.Slice((*ftabEntry)(pointer(md.ftab.addr)), md.ftab.len-1)
	}
	release := func() {
		syscall.Madvise(data, syscall.MADV_DONTNEED)
		t.release(md.pcHeader, md.epclntab)
	}
	t.build(release)
	return t, nil
}

// release takes the whole pages of a part of the program's file, which is only read, out of the process's memory until they are read again.
func (t *symtab) release(from, to uintptr) {
	page := uintptr(os.Getpagesize())
	from, to = alignUp(from, page), to&^(page-1)
	if t.fixed && from < to {
		syscall.Madvise(bytesAt(from, to-from), syscall.MADV_DONTNEED)
	}
}

// build makes the index. It reads most of the file's two tables for it, and calls release now and then for what it has read: it
// takes 25 MB less at the peak.
func (t *symtab) build(release func()) {
	n := 1
	for n < 2*(len(t.syms)+len(t.functions)) {
		n *= 2
	}
	t.index = make([]uint32, n)
	add := func(name []byte, number int) {
		at := maphash.Bytes(t.seed, name[:bytes.IndexByte(name, 0)]) & uint64(n-1)
		for t.index[at] != 0 {
			at = (at + 1) & uint64(n-1)
		}
		t.index[at] = uint32(number)
	}
	for i := range t.syms {
		s := &t.syms[i]
		if s.Name != 0 && s.Shndx != uint16(elf.SHN_UNDEF) && s.Shndx < uint16(elf.SHN_LORESERVE) {
			add(t.names[s.Name:], i)
		}
	}
	for i := range t.functions {
		add(t.functionName(i), len(t.syms)+i)
		if i%(1<<13) == 0 {
			release()
		}
	}
	release()
}

// functionName is the text that begins with the name of a function and a zero.
func (t *symtab) functionName(i int) []byte {
	f := (*function)(pointer(t.md.pclntable.addr + uintptr(t.functions[i].function)))
	return bytesAt(t.md.funcnametab.addr, t.md.funcnametab.len)[f.name:]
}

// lookup returns the address of a symbol. Where several have the name, it takes the global one.
func (t *symtab) lookup(name string) (addr uintptr, ok bool) {
	mask := uint64(len(t.index) - 1)
	for at := maphash.String(t.seed, name) & mask; t.index[at] != 0; at = (at + 1) & mask {
		number := int(t.index[at])
		if i := number - len(t.syms); i >= 0 {
			if !ok && named(t.functionName(i), name) { // those in the symbol table come first
				addr, ok = t.md.text+uintptr(t.functions[i].entry), true
			}
			continue
		}
		s := &t.syms[number]
		if !named(t.names[s.Name:], name) {
			continue
		}
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			return uintptr(s.Value) + t.bias, true
		}
		addr, ok = uintptr(s.Value)+t.bias, true
	}
	return addr, ok
}

// named reports whether a text begins with a name and a zero.
func named(text []byte, name string) bool {
	return len(text) > len(name) && text[len(name)] == 0 && string(text[:len(name)]) == name
}
