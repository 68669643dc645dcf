package main

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const program = `package main

import "fmt"

var held = "kept"

func generic[T any](x T) string { return fmt.Sprintln(x, held) }

func main() { fmt.Print(generic(7), generic("x")) }
`

// TestSlim: the program runs as before; variables that packages declare stay, and the functions that another of the same name
// hides.
func TestSlim(t *testing.T) {
	dir := t.TempDir()
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-w", "-o", file, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole, before := read(t, file)
	if err := slimFile(file); err != nil {
		t.Fatal(err)
	}
	small, after := read(t, file)
	if len(small) > len(whole)*95/100 {
		t.Errorf("%d bytes became %d", len(whole), len(small))
	}
	found := map[string]elf.Symbol{}
	for _, s := range after {
		found[s.Name] = s
	}
	dropped, owned := 0, 0
	for _, s := range before {
		now, ok := found[s.Name]
		function := elf.ST_TYPE(s.Info) == elf.STT_FUNC
		own := strings.HasPrefix(s.Name, "go:itab.") || strings.Contains(s.Name, "..dict.") // objects have them too
		stays := !function && !own && elf.ST_BIND(s.Info) == elf.STB_GLOBAL || strings.HasSuffix(s.Name, ".abi0")
		switch {
		case own && ok:
			t.Errorf("%s is still there", s.Name)
		case own:
			owned++
		case !ok && stays:
			t.Errorf("%s is gone", s.Name)
		case !ok:
			dropped++
		case stays && now != s && strings.HasPrefix(s.Name, "main."):
			t.Errorf("%v became %v", s, now)
		}
	}
	if dropped < 1000 || owned < 10 {
		t.Errorf("%d functions and %d itabs and dictionaries of %d symbols are gone", dropped, owned, len(before))
	}
	if again, err := slim(small); err != nil || !bytes.Equal(again, small) {
		t.Errorf("what is slim changes: %v", err)
	}
	if got, err := exec.Command(file).CombinedOutput(); err != nil || string(got) != "7 kept\nx kept\n" {
		t.Errorf("the program prints %q, %v", got, err)
	}
}

// TestOthers: what is not an ELF file stays as it is, and an ELF file of another form is refused.
func TestOthers(t *testing.T) {
	if got, err := slim([]byte("MZ and more")); err != nil || string(got) != "MZ and more" {
		t.Errorf("another program becomes %q, %v", got, err)
	}
	if _, err := slim([]byte(elf.ELFMAG + "nothing else")); err == nil {
		t.Error("a damaged program is taken")
	}
}

func read(t *testing.T, file string) ([]byte, []elf.Symbol) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	return data, list
}
