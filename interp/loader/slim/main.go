// Command slim removes from the symbol table of programs that are ELF files what the loader has no use for: most functions, since
// it finds them in the table of functions that every Go program has; the compiler's own variables, to which no other package can
// refer; itabs, which it has the runtime make; and dictionaries of generic functions, of which each object has those that it uses.
// That is six megabytes of Gaucho.
package main

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("slim: ")
	for _, file := range os.Args[1:] {
		if err := slimFile(file); err != nil {
			log.Fatalf("%s: %v", file, err)
		}
	}
}

// slimFile replaces a program.
func slimFile(file string) error {
	program, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if program, err = slim(program); err != nil {
		return err
	}
	next := file + ".slim" // as the file may be running
	if err := os.WriteFile(next, program, info.Mode()); err != nil {
		return err
	}
	return os.Rename(next, file)
}

// slim returns a program with the smaller table; what is not an ELF file, as it is.
func slim(program []byte) ([]byte, error) {
	if !bytes.HasPrefix(program, []byte(elf.ELFMAG)) {
		return program, nil
	}
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for i, s := range f.Sections {
		at[s.Name] = i
	}
	syms, strs, tail := at[".symtab"], at[".strtab"], at[".shstrtab"]
	const headersAt = 0x28 // in the file's header: where the sections' headers are
	headers := uint64(0)
	if f.Class == elf.ELFCLASS64 && f.ByteOrder == binary.LittleEndian {
		headers = binary.LittleEndian.Uint64(program[headersAt:])
	}
	if headers == 0 || syms == 0 || strs != syms+1 || tail != strs+1 || tail != len(f.Sections)-1 || headers > f.Sections[syms].Offset {
		return nil, errors.New("not a program as Go links it, with its symbol table at the end")
	}
	known, err := functions(f)
	if err != nil {
		return nil, err
	}
	table, _ := f.Sections[syms].Data()
	names, _ := f.Sections[strs].Data()
	var kept []byte
	text := []byte{0}
	locals := 0
	for ; len(table) > 0; table = table[elf.Sym64Size:] {
		record := bytes.Clone(table[:elf.Sym64Size])
		name := names[binary.LittleEndian.Uint32(record):]
		name = name[:bytes.IndexByte(name, 0)]
		if addr, ok := known[string(name)]; ok && addr == binary.LittleEndian.Uint64(record[8:]) || unsought(record[4], name) {
			continue
		}
		if len(name) > 0 {
			binary.LittleEndian.PutUint32(record, uint32(len(text)))
			text = append(append(text, name...), 0)
		}
		if elf.ST_BIND(record[4]) == elf.STB_LOCAL {
			locals++
		}
		kept = append(kept, record...)
	}
	end, _ := f.Sections[tail].Data()
	out := bytes.Clone(program[:f.Sections[syms].Offset])
	for i, data := range [][]byte{kept, text, end} {
		const offset, size, info = 0x18, 0x20, 0x2c // in a section's header, which is 64 bytes long
		h := out[headers+uint64(64*(syms+i)):]
		binary.LittleEndian.PutUint64(h[offset:], uint64(len(out)))
		binary.LittleEndian.PutUint64(h[size:], uint64(len(data)))
		if i == 0 {
			binary.LittleEndian.PutUint32(h[info:], uint32(locals))
		}
		out = append(out, data...)
	}
	return out, nil
}

// unsought reports whether the loader never looks for a symbol.
func unsought(info byte, name []byte) bool {
	if len(name) == 0 || elf.ST_TYPE(info) == elf.STT_FUNC {
		return false
	}
	return elf.ST_BIND(info) == elf.STB_LOCAL || bytes.HasPrefix(name, []byte("go:itab.")) || bytes.Contains(name, []byte("..dict."))
}

// functions are the addresses of the functions of which the program's own table has the name exactly once.
func functions(f *elf.File) (map[string]uint64, error) {
	pcln, text := f.Section(".gopclntab"), f.Section(".text")
	if pcln == nil || text == nil {
		return nil, errors.New("the program has no .gopclntab")
	}
	data, err := pcln.Data()
	if err != nil {
		return nil, err
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		return nil, err
	}
	if len(table.Funcs) < 100 {
		return nil, fmt.Errorf("its table has only %d functions", len(table.Funcs))
	}
	found, seen := map[string]uint64{}, map[string]bool{}
	for _, fn := range table.Funcs {
		if seen[fn.Name] {
			delete(found, fn.Name)
			continue
		}
		seen[fn.Name], found[fn.Name] = true, fn.Entry
	}
	return found, nil
}
