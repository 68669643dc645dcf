//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"debug/elf"
	"unsafe"
)

// An elfFile is the symbol table of a program for Linux.
type elfFile struct {
	syms  []elf.Sym64
	names []byte
	exec  bool
}

func readELF(program []byte) (*elfFile, error) {
	e, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	sec := e.SectionByType(elf.SHT_SYMTAB)
	if sec == nil || sec.Size == 0 || int(sec.Link) >= len(e.Sections) {
		return nil, errStripped
	}
	str := e.Sections[sec.Link]
	if sec.Offset%8 != 0 || sec.Offset+sec.Size > uint64(len(program)) || str.Offset+str.Size > uint64(len(program)) {
		return nil, errDamaged
	}
	return &elfFile{
		syms:  unsafe.Slice((*elf.Sym64)(unsafe.Pointer(&program[sec.Offset])), sec.Size/elf.Sym64Size),
		names: program[str.Offset:][:str.Size],
		exec:  e.Type == elf.ET_EXEC,
	}, nil
}

func (f *elfFile) count() int                  { return len(f.syms) }
func (f *elfFile) spelling(name string) string { return name }
func (f *elfFile) fixed() bool                 { return f.exec }

func (f *elfFile) each(add func(number int, name []byte)) {
	for i := range f.syms {
		s := &f.syms[i]
		if s.Name != 0 && s.Shndx != uint16(elf.SHN_UNDEF) && s.Shndx < uint16(elf.SHN_LORESERVE) {
			add(i, upToZero(f.names[s.Name:]))
		}
	}
}

func (f *elfFile) symbol(number int) (name []byte, addr uintptr, global bool) {
	s := &f.syms[number]
	return upToZero(f.names[s.Name:]), uintptr(s.Value), elf.ST_BIND(s.Info) == elf.STB_GLOBAL
}
