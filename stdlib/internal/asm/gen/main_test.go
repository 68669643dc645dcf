package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestFresh generates everything anew: the files in the tree must be the same,
// byte for byte.
func TestFresh(t *testing.T) {
	dir := t.TempDir()
	if err := generate(dir); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != 3*len(files)+1 {
		t.Errorf("%d files generated, want %d", len(made), 3*len(files)+1)
	}
	for _, f := range made {
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator makes: run go generate", f.Name())
		}
	}
}

// TestRegisters looks for registers that only AVX-512 has in the functions for
// AVX2: the allocator does not know the difference.
func TestRegisters(t *testing.T) {
	high := regexp.MustCompile(`\b[XYZ](1[6-9]|2\d|3[01])\b`)
	for _, f := range files {
		code, err := os.ReadFile(filepath.Join("..", f.name+"_amd64.s"))
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range bytes.Split(code, []byte("\nTEXT ")) {
			name, _, _ := bytes.Cut(body, []byte("(SB)"))
			if !bytes.HasSuffix(name, []byte("AVX2")) {
				continue
			}
			if r := high.Find(body); r != nil {
				t.Errorf("%s uses %s", name, r)
			}
			for _, only512 := range []string{"BCST", " K1", "VSCALEFPD", "VMOVDQU64", "VPMOVQ2M"} {
				if bytes.Contains(body, []byte(only512)) {
					t.Errorf("%s uses %s", name, only512)
				}
			}
		}
	}
}
