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
// keeps an index of numbers sorted by hash, so that it needs no memory per symbol but four or eight bytes.
type symtab struct {
	syms  []elf.Sym64
	names []byte
	index []uint32 // open addressing: numbers of symbols, 0 is free
	seed  maphash.Seed
	bias  uintptr // what position-independent code was moved by
}

// openSymtab reads the file of the running program.
func openSymtab() (*symtab, error) {
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
		return nil, errors.New("the program was linked without its symbol table (-s)")
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
	}
	t.build()
	return t, nil
}

// build makes the index.
func (t *symtab) build() {
	n := 1
	for n < 2*len(t.syms) {
		n *= 2
	}
	t.index = make([]uint32, n)
	for i := range t.syms {
		s := &t.syms[i]
		if s.Name == 0 || s.Shndx == uint16(elf.SHN_UNDEF) || s.Shndx >= uint16(elf.SHN_LORESERVE) {
			continue
		}
		name := t.names[s.Name:]
		name = name[:bytes.IndexByte(name, 0)]
		at := maphash.Bytes(t.seed, name) & uint64(n-1)
		for t.index[at] != 0 {
			at = (at + 1) & uint64(n-1)
		}
		t.index[at] = uint32(i)
	}
}

// lookup returns the address of a symbol. Where several have the name, it takes the global one.
func (t *symtab) lookup(name string) (addr uintptr, ok bool) {
	mask := uint64(len(t.index) - 1)
	for at := maphash.String(t.seed, name) & mask; t.index[at] != 0; at = (at + 1) & mask {
		s := &t.syms[t.index[at]]
		if !t.named(s, name) {
			continue
		}
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL {
			return uintptr(s.Value) + t.bias, true
		}
		addr, ok = uintptr(s.Value)+t.bias, true
	}
	return addr, ok
}

func (t *symtab) named(s *elf.Sym64, name string) bool {
	got := t.names[s.Name:]
	return len(got) > len(name) && got[len(name)] == 0 && string(got[:len(name)]) == name
}
