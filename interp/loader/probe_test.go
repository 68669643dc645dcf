//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProbe has a program look at its tables and try executable pages, and breaks the tables: the address of one variable, and those
// of the functions.
func TestProbe(t *testing.T) {
	b := build(t)
	probe := func(program string) string {
		t.Helper()
		other := *b
		other.host = program
		out, stderr, err := other.run(t, nil, "probe")
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr)
		}
		return strings.ReplaceAll(out, "\r", "")
	}
	const well = "tables: <nil>\npages: <nil>\n"
	for _, program := range []string{b.host, b.whole} {
		if got := probe(program); got != well {
			t.Errorf("%s says\n%s", filepath.Base(program), got)
		}
	}
	if system != "linux" {
		return
	}
	for name, c := range map[string]struct {
		breaks func(name string, s elf.Sym64) bool
		want   string
	}{
		"variable": {func(name string, _ elf.Sym64) bool { return strings.HasSuffix(name, "interp/loader.landmark") }, "has a variable at"},
		"functions": {func(name string, s elf.Sym64) bool {
			return strings.HasPrefix(name, "net/http.") && s.Info&15 == uint8(elf.STT_FUNC)
		}, "has net/http."},
	} {
		t.Run(name, func(t *testing.T) {
			program, err := os.ReadFile(b.whole)
			if err != nil {
				t.Fatal(err)
			}
			breakSymbols(t, program, c.breaks)
			file := filepath.Join(t.TempDir(), "broken")
			if err := os.WriteFile(file, program, 0o777); err != nil {
				t.Fatal(err)
			}
			if tables, pages, _ := strings.Cut(probe(file), "\n"); !strings.Contains(tables, c.want) || pages != "pages: <nil>\n" {
				t.Errorf("it says %s, want %q\n%s", tables, c.want, pages)
			}
		})
	}
}

// breakSymbols moves those symbols of a program by 16 bytes.
func breakSymbols(t *testing.T, program []byte, breaks func(name string, s elf.Sym64) bool) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(program))
	if err != nil {
		t.Fatal(err)
	}
	table, symbols := f.SectionByType(elf.SHT_SYMTAB), 0
	names := program[f.Sections[table.Link].Offset:]
	for at := table.Offset; at < table.Offset+table.Size; at += elf.Sym64Size {
		var s elf.Sym64
		if _, err := binary.Decode(program[at:], binary.LittleEndian, &s); err != nil {
			t.Fatal(err)
		}
		name, _, _ := bytes.Cut(names[s.Name:], []byte{0})
		if breaks(string(name), s) {
			binary.LittleEndian.PutUint64(program[at+8:], s.Value+16)
			symbols++
		}
	}
	if symbols == 0 {
		t.Fatal("no symbol to break")
	}
}
