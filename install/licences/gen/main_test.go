package main

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestFresh: the texts are those of the modules that the program links now.
func TestFresh(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the go command for the packages of four systems; TestVersions is its short form")
	}
	want, err := collect()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../LICENSES.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("LICENSES.txt is out of date: go generate ./install/licences")
	}
}

// notLinked are modules that go.mod requires for the sake of others.
var notLinked = map[string]bool{"github.com/go-zeromq/goczmq/v4": true}

// TestVersions: each module of go.mod has its licence among the texts, in its version.
func TestVersions(t *testing.T) {
	text, err := os.ReadFile("../LICENSES.txt")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Require {
		if is := strings.Contains(string(text), "\n"+r.Mod.Path+" "+r.Mod.Version+": "); is == notLinked[r.Mod.Path] {
			t.Errorf("LICENSES.txt has %s: %v: go generate ./install/licences", r.Mod, is)
		}
	}
	for _, words := range []string{"Go, its standard library, compiler and assembler: LICENSE\n", "Apache License", "SIL OPEN FONT LICENSE", "The FreeType Project LICENSE"} {
		if !strings.Contains(string(text), words) {
			t.Errorf("LICENSES.txt has no %q", words)
		}
	}
}
