package symbols

import (
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestNamesInLibraries: what the table of names in docs/libraries.md calls ours is there, with no deprecation, and so is what it calls gonum's.
func TestNamesInLibraries(t *testing.T) {
	text, err := os.ReadFile("../../docs/libraries.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n## Names\n")
	if !ok {
		t.Fatal("docs/libraries.md has no table of names")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	imp, n := NewImporter(), 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.Contains(line, "`") || len(cells) != 5 {
			continue
		}
		for i, cell := range cells[3:] {
			for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(cell, -1) {
				n++
				words := strings.Split(m[1], ".")
				paths := ByName(words[0])
				if i == 1 && len(paths) > 0 && !strings.HasPrefix(paths[0], "gaucho/") {
					t.Errorf("%s is not of Gaucho", m[1])
				}
				if !exists(imp, paths, words[1:]) {
					t.Errorf("there is no %s", m[1])
				}
				if i == 1 && len(words) == 2 && strings.Contains(Doc(paths[0], words[1], ""), "Deprecated:") {
					t.Errorf("%s is deprecated", m[1])
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("the table has %d names, expected at least 60", n)
	}
}

// exists reports whether one of the packages has what the words name: a member, and fields or methods of it.
func exists(imp *Importer, paths, words []string) bool {
	for _, path := range paths {
		pkg, err := imp.Import(path)
		if err != nil {
			continue
		}
		obj := pkg.Scope().Lookup(words[0])
		for _, w := range words[1:] {
			if obj == nil {
				break
			}
			obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, w)
		}
		if obj != nil {
			return true
		}
	}
	return false
}
