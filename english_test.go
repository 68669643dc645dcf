package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A phrase is what the standard library's comments do without, and what it writes in its place.
type phrase struct {
	name, instead string
	re            *regexp.Regexp
}

var phrases = []phrase{
	{"behind", "after", regexp.MustCompile(`(?i)\bbehind\b`)},
	{"beside", "alongside, or next to", regexp.MustCompile(`(?i)\bbeside\b`)},
	{"stands", "is, or exists", regexp.MustCompile(`(?i)\bstands?\b`)},
	{"tells", "reports, or says", regexp.MustCompile(`(?i)\btells?\b`)},
	{"is to", "is expected to, or must", regexp.MustCompile(`(?i)\b(is|are|was|were) to\b`)},
	{"of which", "whose, or two sentences", regexp.MustCompile(`(?i)\bof which\b`)},
	{"folder", "directory", regexp.MustCompile(`(?i)\bfolders?\b`)},
}

// standsFor is what may stand.
var standsFor = regexp.MustCompile(`(?i)\bstands?[ -](in|for)\b`)

// TestEnglish: the comments of no package have more of these phrases than testdata/english.txt allows. Numbers only fall: where a
// sentence was written anew, go test . -run TestEnglish -update lowers them.
func TestEnglish(t *testing.T) {
	const file = "testdata/english.txt"
	found := map[string]int{}
	for _, s := range ownSources(t) {
		if s.test() || bytes.Contains(s.text, []byte("DO NOT EDIT")) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), s.name, s.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range f.Comments {
			text := standsFor.ReplaceAllString(strings.Join(strings.Fields(group.Text()), " "), "")
			for _, p := range phrases {
				if n := len(p.re.FindAllString(text, -1)); n > 0 {
					found[path.Dir(s.name)+": "+p.name] += n
				}
			}
		}
	}
	allowed := map[string]int{}
	for line := range strings.Lines(read(t, file)) {
		at := strings.LastIndexByte(line, ' ')
		var n int
		if _, err := fmt.Sscan(line[at+1:], &n); err != nil {
			t.Fatalf("%s: %q: %v", file, line, err)
		}
		allowed[line[:at]] = n
	}
	var lowered strings.Builder
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if n := found[key]; n > allowed[key] {
			_, name, _ := strings.Cut(key, ": ")
			p := phrases[slices.IndexFunc(phrases, func(p phrase) bool { return p.name == name })]
			t.Errorf("%s is in comments %d times, where %d are allowed; write %s", key, n, allowed[key], p.instead)
		}
		fmt.Fprintf(&lowered, "%s %d\n", key, min(found[key], allowed[key]))
	}
	if *update {
		if err := os.WriteFile(file, []byte(lowered.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if lowered.String() != read(t, file) && !t.Failed() {
		t.Errorf("%s allows more than there is: go test . -run TestEnglish -update", file)
	}
}
