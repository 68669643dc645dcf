//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"errors"
	"hash/maphash"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const localTypes = `package main

type stringer interface{ String() string }

func pick(n int) stringer {
	if n > 0 {
		type T struct{ n int }
		return &struct{ T; stringer }{}
	}
	type T struct{ s string }
	return &struct{ T; stringer }{}
}

func main() { println(pick(len("x")).String()) }
`

// TestFormats reads the symbol tables of programs for each system, and compares them with what packages debug/elf, pe and macho
// read, and with the table of functions that every Go program has.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte(localTypes), 0o666); err != nil {
		t.Fatal(err)
	}
	build := func(t *testing.T, platform, flags string) []byte {
		goos, goarch, _ := strings.Cut(platform, "/")
		file := filepath.Join(dir, goos+goarch)
		cmd := exec.Command("go", "build", "-ldflags="+flags, "-o", file, source)
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return program
	}
	for platform, read := range map[string]func(*testing.T, []byte) (map[string][]uint64, *gosym.Table){
		"linux/amd64": elfSymbols, "linux/arm64": elfSymbols, "windows/amd64": peSymbols, "darwin/amd64": machoSymbols, "darwin/arm64": machoSymbols,
	} {
		t.Run(platform, func(t *testing.T) {
			program := build(t, platform, "-w")
			file, err := readSymbols(program)
			if err != nil {
				t.Fatal(err)
			}
			tab := &symtab{file: file, seed: maphash.MakeSeed()}
			tab.build(func() {})
			symbols, functions := read(t, program)
			for name, addrs := range symbols {
				if addr, ok := tab.lookup(name); !ok || !slices.Contains(addrs, uint64(addr)) {
					t.Errorf("%s is at %#x, found at %#x, %v", name, addrs, addr, ok)
				}
			}
			count := map[string]int{}
			for _, f := range functions.Funcs {
				count[f.Name]++
			}
			for _, f := range functions.Funcs {
				addr, ok := tab.lookup(f.Name)
				if !ok || uint64(addr) != f.Entry {
					addr, ok = tab.lookup(f.Name + ".abi0")
				}
				madeByLinker := strings.HasPrefix(f.Name, "type:") || strings.HasPrefix(f.Name, "go:") // which may leave it out
				if count[f.Name] == 1 && uint64(addr) != f.Entry && (ok || !madeByLinker) {
					t.Errorf("function %s is at %#x, found at %#x", f.Name, f.Entry, addr)
				}
			}
			for _, name := range []string{"runtime.text", "runtime.firstmoduledata", "runtime.getitab", "internal/runtime/exithook.hooks", "runtime.writeBarrier", "main.main"} {
				if len(symbols[name]) == 0 {
					t.Error("the test has no", name)
				}
			}
			if len(functions.Funcs) < 1000 {
				t.Error("there are only", len(functions.Funcs), "functions")
			}
			if _, ok := tab.lookup("main.none"); ok {
				t.Error("found what does not exist")
			}
			replaced(t, tab, program, platform)
			if _, err := readSymbols(program[:len(program)/2]); err == nil {
				t.Error("half of the file has been read")
			}
			if _, err := readSymbols(build(t, platform, "-s")); !errors.Is(err, errStripped) {
				t.Error("a program without a symbol table:", err)
			}
		})
	}
}

// replaced compares a program with its own code, and with that of a program with another build ID.
func replaced(t *testing.T, tab *symtab, program []byte, platform string) {
	at := bytes.Index(program, []byte("\xff Go build ID: \""))
	if strings.HasPrefix(platform, "linux") {
		if at >= 0 {
			t.Error("the code has a build ID, as it has elsewhere")
		}
		return
	}
	id, _ := tab.lookup("go:buildid")
	if text, _ := tab.lookup("runtime.text"); at < 0 || id != text {
		t.Fatalf("the code begins at %#x, its build ID is at %#x", text, id)
	}
	text := bytes.Clone(program[at:][:256])
	if err := checkReplaced(program, text); err != nil {
		t.Error("its own file:", err)
	}
	text[30]++
	if err := checkReplaced(program, text); err == nil {
		t.Error("another program's file passes for its own")
	}
}

func functionsOf(t *testing.T, pclntab []byte, text uint64) *gosym.Table {
	t.Helper()
	table, err := gosym.NewTable(nil, gosym.NewLineTable(pclntab, text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func elfSymbols(t *testing.T, program []byte) (map[string][]uint64, *gosym.Table) {
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	symbols := map[string][]uint64{}
	for _, s := range list {
		if s.Name != "" && s.Section != elf.SHN_UNDEF && s.Section < elf.SHN_LORESERVE {
			symbols[s.Name] = append(symbols[s.Name], s.Value)
		}
	}
	pclntab, err := f.Section(".gopclntab").Data()
	if err != nil {
		t.Fatal(err)
	}
	return symbols, functionsOf(t, pclntab, symbols["runtime.text"][0])
}

func peSymbols(t *testing.T, program []byte) (map[string][]uint64, *gosym.Table) {
	f, err := pe.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	base := f.OptionalHeader.(*pe.OptionalHeader64).ImageBase
	symbols := map[string][]uint64{}
	var pclntab []byte
	for _, s := range f.Symbols {
		if s.SectionNumber <= 0 {
			continue
		}
		section := f.Sections[s.SectionNumber-1]
		symbols[s.Name] = append(symbols[s.Name], base+uint64(section.VirtualAddress+s.Value))
		if s.Name == "runtime.pclntab" {
			data, err := section.Data()
			if err != nil {
				t.Fatal(err)
			}
			pclntab = data[s.Value:]
		}
	}
	return symbols, functionsOf(t, pclntab, symbols["runtime.text"][0])
}

func machoSymbols(t *testing.T, program []byte) (map[string][]uint64, *gosym.Table) {
	f, err := macho.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	symbols := map[string][]uint64{}
	for _, s := range f.Symtab.Syms {
		name := s.Name
		if !strings.Contains(name, ".") { // of the others, debug/macho has taken it away
			name = strings.TrimPrefix(name, "_")
		}
		if s.Sect != 0 {
			symbols[name] = append(symbols[name], s.Value)
		}
	}
	pclntab, err := f.Section("__gopclntab").Data()
	if err != nil {
		t.Fatal(err)
	}
	return symbols, functionsOf(t, pclntab, symbols["runtime.text"][0])
}
