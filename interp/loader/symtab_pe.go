//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
)

// A peFile is the COFF symbol table of a program for Windows, which follows the sections. The strings begin with their own length
// and follow the symbols.
type peFile struct {
	syms     []byte // records of coffSize bytes
	strings  []byte
	sections []uint64 // addresses
}

const (
	coffSize     = 18
	coffExternal = 2 // a storage class
)

func readPE(program []byte) (*peFile, error) {
	r := bytes.NewReader(program[binary.LittleEndian.Uint32(program[0x3c:]):])
	var head struct {
		Magic [4]byte
		pe.FileHeader
		pe.OptionalHeader64
	}
	if err := binary.Read(r, binary.LittleEndian, &head); err != nil {
		return nil, err
	}
	const pe32plus = 0x20b
	if string(head.Magic[:]) != "PE\x00\x00" || head.OptionalHeader64.Magic != pe32plus {
		return nil, errors.New("the program's file is of an unknown format")
	}
	if head.NumberOfSymbols == 0 {
		return nil, errStripped
	}
	table := program[head.PointerToSymbolTable:]
	size := coffSize * int(head.NumberOfSymbols)
	f := &peFile{syms: table[:size], strings: table[size:][:binary.LittleEndian.Uint32(table[size:])]}
	for range head.NumberOfSections {
		var s pe.SectionHeader32
		if err := binary.Read(r, binary.LittleEndian, &s); err != nil {
			return nil, err
		}
		f.sections = append(f.sections, head.ImageBase+uint64(s.VirtualAddress))
	}
	return f, nil
}

func (f *peFile) count() int                  { return len(f.syms) / coffSize }
func (f *peFile) spelling(name string) string { return name }
func (f *peFile) fixed() bool                 { return false }

func (f *peFile) each(add func(number int, name []byte)) {
	for i := 0; i < f.count(); i++ {
		rec := f.record(i)
		if s := f.section(rec); s > 0 && s <= len(f.sections) {
			add(i, f.name(rec))
		}
		i += int(rec[17]) // auxiliary records follow
	}
}

func (f *peFile) symbol(number int) (name []byte, addr uintptr, global bool) {
	rec := f.record(number)
	addr = uintptr(f.sections[f.section(rec)-1]) + uintptr(binary.LittleEndian.Uint32(rec[8:]))
	return f.name(rec), addr, rec[16] == coffExternal
}

func (f *peFile) record(i int) []byte { return f.syms[i*coffSize:][:coffSize] }

// section is the number of a symbol's section, from 1 on; what is not above 0 has none.
func (f *peFile) section(rec []byte) int { return int(int16(binary.LittleEndian.Uint16(rec[12:]))) }

// name is in the record if it has up to eight bytes.
func (f *peFile) name(rec []byte) []byte {
	if binary.LittleEndian.Uint32(rec) != 0 {
		return upToZero(rec[:8])
	}
	return upToZero(f.strings[binary.LittleEndian.Uint32(rec[4:]):])
}
