package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// untested is how many promises have no test. It may only become smaller: a new promise has one.
const untested = 26

// A promise is what a document says, in its words, with the tests that would fail if it broke.
type promise struct {
	document, text string
	tests          []string
}

// promises reads docs/promises.txt, whose first lines say what it is.
func promises(t *testing.T) (all []promise) {
	_, list, _ := strings.Cut(read(t, "docs/promises.txt"), "\n\n")
	document := ""
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "":
			document = ""
		case strings.HasPrefix(line, " "):
			last := &all[len(all)-1]
			last.tests = append(last.tests, line[1:])
		case document == "":
			document = line
		default:
			all = append(all, promise{document: document, text: line})
		}
	}
	return all
}

// TestPromises: what docs/promises.txt lists is still in the documents, each test exists, no promise has lost its test, and
// docs/promises.md is made of it.
func TestPromises(t *testing.T) {
	all := promises(t)
	seen := map[string]bool{}
	for _, p := range all {
		if text := strings.Join(strings.Fields(read(t, p.document)), " "); !strings.Contains(text, p.text) {
			t.Errorf("docs/promises.txt: %s no longer says %q", p.document, p.text)
		}
		if seen[p.document+p.text] {
			t.Errorf("docs/promises.txt has twice, of %s: %q", p.document, p.text)
		}
		seen[p.document+p.text] = true
		for _, test := range p.tests {
			if !testExists(t, test) {
				t.Errorf("docs/promises.txt: there is no test %q, of %q", test, p.text)
			}
		}
	}
	if n := len(without(all)); n != untested {
		t.Errorf("%d promises of docs/promises.txt have no test, and untested is %d: write a test, or lower untested if there are fewer", n, untested)
	}
	const page = "docs/promises.md"
	text := promisesPage(all)
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, page) != text {
		t.Errorf("%s is not that of docs/promises.txt; make it with go test . -run TestPromises -update", page)
	}
}

// testExists reports whether there is a test: a function of a package or of a Python file, or a cell of a transcript.
func testExists(t *testing.T, test string) bool {
	place, name, _ := strings.Cut(test, ": ")
	files, start := []string{place}, "def "+name+"("
	switch path.Ext(place) {
	case ".py":
	case ".txt":
		start = ">>> " + name + "\n"
	default:
		start = "func " + name + "("
		files, _ = filepath.Glob(filepath.Join(place, "*_test.go"))
	}
	return slices.ContainsFunc(files, func(file string) bool { return strings.Contains("\n"+read(t, file), "\n"+start) })
}

func without(all []promise) (list []promise) {
	for _, p := range all {
		if len(p.tests) == 0 {
			list = append(list, p)
		}
	}
	return list
}

func promisesPage(all []promise) string {
	var b strings.Builder
	none := without(all)
	fmt.Fprintf(&b, `<!-- made of docs/promises.txt by go test . -run TestPromises -update -->

# What the documents promise, and what tests it

Of %d promises of README and these pages %d name a test that attacks them; not every one of these tests has been read against its sentence. A test is named by its directory, its file of Python, or the
transcript that it runs. How fast Gaucho is, and against what, [benchmarks.md](benchmarks.md) says.

## Without a test

`, len(all), len(all)-len(none))
	for _, p := range none {
		fmt.Fprintf(&b, "* %s: %s\n", path.Base(p.document), p.text)
	}
	document := ""
	for _, p := range all {
		if len(p.tests) == 0 {
			continue
		}
		if p.document != document {
			document = p.document
			fmt.Fprintf(&b, "\n## %s\n\n| promise | tests |\n| --- | --- |\n", path.Base(document))
		}
		fmt.Fprintf(&b, "| %s | %s |\n", strings.ReplaceAll(p.text, "|", `\|`), strings.Join(p.tests, "; "))
	}
	return b.String()
}
