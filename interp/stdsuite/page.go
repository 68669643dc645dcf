package stdsuite

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A Page collects what became of examples and tests, and is the text of docs/conformance-library.md.
type Page struct {
	mu      sync.Mutex
	entries []entry
}

// An entry is what became of one example or test.
type entry struct{ Engine, Package, Kind, Name, Verdict, Why string }

// Enter enters an example or a test (kind): right, skipped by itself, refused by the engine, known not to pass, left out
// of the cell, or wrong.
func (p *Page) Enter(engine, pkg, kind, name, verdict, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = append(p.entries, entry{engine, pkg, kind, name, verdict, why})
}

const head = `# Conformance: the standard library's examples and tests

The Examples of the documentation of %[1]s's standard library that say what they print, as cells of a notebook; the external tests
(` + "`package foo_test`" + `) as a cell and ` + "`%%test`" + `; the internal ones as cells that call them in a private copy of the package, which a
session reads as it reads a fetched module. Natively, external tests that need what the package's test files export import the
private copy. All are read from GOROOT when the suite runs; tests run with -short. Stand-ins take the place
of internal/testenv, internal/race, internal/asan, internal/msan and internal/godebug. Made by
` + "`go test ./interp -run StandardLibrary -library -timeout 4h -page $PWD/docs/conformance-library.md`" + `; what a
run does not come to is on the page as the last one left it.

Right, of all that a session has; refused by name, before the cell runs or in an error when it runs; different for a reason that is
listed (what the interpreter itself does otherwise is in [language.md](language.md)); skipped by the test itself; left out, because a cell cannot see what the package exports to its own
tests only, the private copy does not compile, or the interpreter has not initialized it in five minutes. Wrong without a word: %[2]d.
`

// String is the page's text.
func (p *Page) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, runtime.Version(), p.count(func(e entry) bool { return e.Verdict == "wrong" }))
	for _, engine := range []string{"native", "yaegi"} {
		fmt.Fprintf(&b, "\n## %s\n\n| package | examples | tests right | refused | different | skipped | left out |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n", engine)
		for _, pkg := range append(slices.Clone(Packages), "") {
			p.row(&b, engine, pkg)
		}
		for _, part := range []struct{ title, verdicts string }{{"refused, different", "refused known wrong"}, {"left out", "left out"}} {
			p.reasons(&b, engine, part.title, part.verdicts)
		}
	}
	return b.String()
}

// row is what became of a package, or of all.
func (p *Page) row(b *strings.Builder, engine, pkg string) {
	count := func(kind string, verdicts ...string) int {
		return p.count(func(e entry) bool {
			return e.Engine == engine && (pkg == "" || e.Package == pkg) && (kind == "" || e.Kind == kind) && (len(verdicts) == 0 || slices.Contains(verdicts, e.Verdict))
		})
	}
	name := pkg
	if pkg == "" {
		name = "**all**"
	}
	tests := count("test")
	right := fmt.Sprintf("%d of %d", count("test", "right"), tests)
	if tests == 0 {
		right = "none"
	}
	fmt.Fprintf(b, "| %s | %d of %d | %s | %d | %d | %d | %d |\n", name, count("example", "right"), count("example"), right,
		count("", "refused"), count("", "known", "wrong"), count("", "skipped"), count("", "left out"))
}

// reasons lists what did not pass, by the reason.
func (p *Page) reasons(b *strings.Builder, engine, title, verdicts string) {
	names := map[string][]string{}
	for _, e := range p.entries {
		if e.Engine == engine && strings.Contains(verdicts, e.Verdict) {
			names[e.Why] = append(names[e.Why], e.Package+"."+e.Name)
		}
	}
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(b, "\n| %s: %s | why |\n| --- | --- |\n", engine, title)
	for _, why := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(names[why], ", "), strings.ReplaceAll(why, "|", "\\|"))
	}
}

// Save writes what became of a package in an engine into a directory, in place of what an earlier run wrote of them.
func (p *Page) Save(dir, engine, pkg string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []entry
	for _, e := range p.entries {
		if e.Engine == engine && e.Package == pkg {
			list = append(list, e)
		}
	}
	text, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, engine+" "+strings.ReplaceAll(pkg, "/", ".")+".json"), text, 0o666)
}

// Saved is the page of all that Save wrote into a directory, with what an earlier page says of the packages that are not there.
func Saved(dir, earlier string) (*Page, error) {
	p, old := &Page{}, Read(earlier)
	for _, engine := range []string{"native", "yaegi"} {
		for _, pkg := range Packages {
			text, err := os.ReadFile(filepath.Join(dir, engine+" "+strings.ReplaceAll(pkg, "/", ".")+".json"))
			if os.IsNotExist(err) {
				for _, e := range old.entries {
					if e.Engine == engine && e.Package == pkg {
						p.entries = append(p.entries, e)
					}
				}
				continue
			}
			var list []entry
			if err == nil {
				err = json.Unmarshal(text, &list)
			}
			if err != nil {
				return nil, err
			}
			p.entries = append(p.entries, list...)
		}
	}
	return p, nil
}

var (
	pageRow    = regexp.MustCompile(`^\| ([\w/]+) \| (\d+) of \d+ \| (?:(\d+) of \d+|none) \| \d+ \| \d+ \| (\d+) \| \d+ \|$`)
	pageReason = regexp.MustCompile(`^\| ((?:[\w/]+\.(?:Test|Example)\w*(?:, )?)+) \| (.*) \|$`)
)

// Read is the page whose text String has made. What was right or skipped has no name on it.
func Read(text string) *Page {
	p := &Page{}
	engine, left := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "## "); ok {
			engine = name
		}
		if strings.HasSuffix(line, "| why |") {
			left = strings.HasSuffix(line, ": left out | why |")
		}
		if m := pageRow.FindStringSubmatch(line); m != nil {
			p.unnamed(engine, m[1], "example", "right", m[2])
			p.unnamed(engine, m[1], "test", "right", m[3])
			p.unnamed(engine, m[1], "test", "skipped", m[4])
		} else if m := pageReason.FindStringSubmatch(line); m != nil {
			why := strings.ReplaceAll(m[2], "\\|", "|")
			verdict := verdictOf(why)
			if left {
				verdict = "left out"
			}
			for _, full := range strings.Split(m[1], ", ") {
				pkg, name, _ := strings.Cut(full, ".")
				kind := "test"
				if strings.HasPrefix(name, "Example") {
					kind = "example"
				}
				p.Enter(engine, pkg, kind, name, verdict, why)
			}
		}
	}
	return p
}

// unnamed enters as many examples or tests as the text of a number says.
func (p *Page) unnamed(engine, pkg, kind, verdict, number string) {
	n, _ := strconv.Atoi(number)
	for range n {
		p.Enter(engine, pkg, kind, "", verdict, "")
	}
}

func (p *Page) count(is func(entry) bool) int {
	n := 0
	for _, e := range p.entries {
		if is(e) {
			n++
		}
	}
	return n
}
