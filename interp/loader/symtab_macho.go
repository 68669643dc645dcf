//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"debug/macho"
	"encoding/binary"
	"strings"
)

// A machoFile is the symbol table of a program for macOS.
type machoFile struct {
	syms    []byte // records of nlistSize bytes
	strings []byte
}

const (
	nlistSize    = 16
	nlistDebug   = 0xe0 // in a record's kind: not a symbol of the linker's
	nlistPlace   = 0x0e // in a record's kind: what follows
	nlistSection = 0x0e // of nlistPlace: in a section
	nlistGlobal  = 1
)

func readMachO(program []byte) (*machoFile, error) {
	word := binary.LittleEndian.Uint32
	const header, count = 32, 16 // the header's size, and where it has the number of commands
	commands := program[header:]
	for range word(program[count:]) {
		if macho.LoadCmd(word(commands)) == macho.LoadCmdSymtab {
			syms, n, strs, size := word(commands[8:]), word(commands[12:]), word(commands[16:]), word(commands[20:])
			f := &machoFile{syms: program[syms:][:nlistSize*int(n)], strings: program[strs:][:size]}
			for i := range f.count() {
				if f.defines(i) {
					return f, nil
				}
			}
			break // only what it takes from libraries
		}
		commands = commands[word(commands[4:]):]
	}
	return nil, errStripped
}

func (f *machoFile) count() int  { return len(f.syms) / nlistSize }
func (f *machoFile) fixed() bool { return false }

// spelling replaces the middle dots of local types' names, as the linker does.
func (f *machoFile) spelling(name string) string { return strings.ReplaceAll(name, "·", ".") }

func (f *machoFile) each(add func(number int, name []byte)) {
	for i := range f.count() {
		if f.defines(i) {
			name, _, _ := f.symbol(i)
			add(i, name)
		}
	}
}

func (f *machoFile) symbol(number int) (name []byte, addr uintptr, global bool) {
	rec := f.record(number)
	name = upToZero(f.strings[binary.LittleEndian.Uint32(rec):])
	name = bytes.TrimPrefix(name, []byte("_")) // the linker puts one before each name
	return name, uintptr(binary.LittleEndian.Uint64(rec[8:])), rec[4]&nlistGlobal != 0
}

func (f *machoFile) defines(i int) bool {
	kind := f.record(i)[4]
	return kind&nlistDebug == 0 && kind&nlistPlace == nlistSection
}

func (f *machoFile) record(i int) []byte { return f.syms[i*nlistSize:][:nlistSize] }
