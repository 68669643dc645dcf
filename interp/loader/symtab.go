//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"errors"
	"hash/maphash"
	"os"
	"runtime"
	"unsafe"
)

// A symtab finds symbols of the running program by name. It reads the symbol table of the program's file in place and
// keeps an index of numbers sorted by hash, so that it needs no memory per symbol but four or eight bytes. Functions that command slim
// took out of the symbol table are in the runtime's.
type symtab struct {
	file      symbolFile
	functions []ftabEntry
	md        *moduledata
	index     []uint32 // open addressing: one more than the numbers of symbols, then of functions; 0 is free
	seed      maphash.Seed
	bias      uintptr // what position-independent code was moved by
}

// A symbolFile is the symbol table of a program's file, in one of the formats of symtab_*.go.
type symbolFile interface {
	// count is the number of entries.
	count() int
	// each calls f with the entries that have a name and an address in the program. A name is only valid during the call.
	each(f func(number int, name []byte))
	// symbol returns an entry that each has called f with. A global one takes precedence over others of its name.
	symbol(number int) (name []byte, addr uintptr, global bool)
	// spelling is how the file writes a name of the Go linker's.
	spelling(name string) string
	// fixed reports whether the program lies where the file says, and what is only read is as in the file.
	fixed() bool
}

var (
	errStripped = errors.New("the program was linked without its symbol table; link it without -s")
	errDamaged  = errors.New("the program's symbol table is damaged")
)

// readSymbols reads the symbol table of a program. The result refers to the data.
func readSymbols(program []byte) (f symbolFile, err error) {
	defer func() {
		if recover() != nil { // an offset out of range
			err = errDamaged
		}
	}()
	switch {
	case bytes.HasPrefix(program, []byte("\x7fELF")):
		return readELF(program)
	case bytes.HasPrefix(program, []byte("MZ")):
		return readPE(program)
	case bytes.HasPrefix(program, []byte("\xcf\xfa\xed\xfe")):
		return readMachO(program)
	}
	return nil, errors.New("the program's file is of an unknown format")
}

// programFile is the file of the running program.
func programFile() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil // also when the file has been replaced since
	}
	return os.Executable()
}

// openSymtab reads the file of the running program, which has that module.
func openSymtab(md *moduledata) (*symtab, error) {
	name, err := programFile()
	if err != nil {
		return nil, err
	}
	program, err := mapFile(name)
	if err != nil {
		return nil, err
	}
	if err := checkReplaced(program, bytesAt(md.text, min(md.etext-md.text, 256))); err != nil {
		return nil, err
	}
	file, err := readSymbols(program)
	if err != nil {
		return nil, err
	}
	t := &symtab{file: file, seed: maphash.MakeSeed(), md: md}
	if uintptr(file.count()) < md.ftab.len { // not all functions are in it
		t.functions = unsafe.Slice((*ftabEntry)(pointer(md.ftab.addr)), md.ftab.len-1)
	}
	t.build(func() {
		dontNeed(program)
		t.release(md.pcHeader, md.epclntab)
	})
	return t, nil
}

// release takes the whole pages of a part of the program's file, which is only read, out of the process's memory until they are read again.
func (t *symtab) release(from, to uintptr) {
	from, to = alignUp(from, pageSize), to&^(pageSize-1)
	if t.file.fixed() && from < to {
		dontNeed(bytesAt(from, to-from))
	}
}

// build makes the index. It reads most of the file's two tables for it, and calls release now and then for what it has read: it
// takes 25 MB less at the peak.
func (t *symtab) build(release func()) {
	n := 1
	for n < 2*(t.file.count()+len(t.functions)) {
		n *= 2
	}
	t.index = make([]uint32, n)
	add := func(number int, name []byte) {
		at := maphash.Bytes(t.seed, name) & uint64(n-1)
		for t.index[at] != 0 {
			at = (at + 1) & uint64(n-1)
		}
		t.index[at] = uint32(number) + 1
	}
	t.file.each(add)
	for i := range t.functions {
		add(t.file.count()+i, t.functionName(i))
		if i%(1<<13) == 0 {
			release()
		}
	}
	release()
}

func (t *symtab) functionName(i int) []byte {
	return t.nameOf((*function)(pointer(t.md.pclntable.addr + uintptr(t.functions[i].function))))
}

func (t *symtab) nameOf(f *function) []byte {
	return upToZero(bytesAt(t.md.funcnametab.addr, t.md.funcnametab.len)[f.name:])
}

// lookup returns the address of a symbol. Where several have the name, it takes the global one.
func (t *symtab) lookup(name string) (addr uintptr, ok bool) { return t.find(name, len(t.functions)) }

// fromFile is lookup in the file alone.
func (t *symtab) fromFile(name string) (addr uintptr, ok bool) { return t.find(name, 0) }

// find is lookup in the file and in the first functions of the runtime's table.
func (t *symtab) find(name string, functions int) (addr uintptr, ok bool) {
	name = t.file.spelling(name)
	mask := uint64(len(t.index) - 1)
	for at := maphash.String(t.seed, name) & mask; t.index[at] != 0; at = (at + 1) & mask {
		number := int(t.index[at]) - 1
		if i := number - t.file.count(); i >= 0 {
			if i < functions && !ok && string(t.functionName(i)) == name { // those in the symbol table come first
				addr, ok = t.md.text+uintptr(t.functions[i].entry), true
			}
			continue
		}
		has, value, global := t.file.symbol(number)
		if string(has) != name {
			continue
		}
		addr, ok = value+t.bias, true
		if global {
			break
		}
	}
	return addr, ok
}

// upToZero is a text up to its first zero.
func upToZero(text []byte) []byte {
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return text[:i]
	}
	return text
}
