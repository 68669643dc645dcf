package symbols

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed data/docs.bin
var docsArchive string

// A packageDocs is the documentation of one package, read when it is first asked for.
type packageDocs struct {
	entry
	once sync.Once
	text map[string]string
}

var docsIndex = sync.OnceValue(func() map[string]*packageDocs {
	index := map[string]*packageDocs{}
	for _, e := range readArchive(docsArchive) {
		index[e.path] = &packageDocs{entry: e}
	}
	return index
})

func docsOf(path string) map[string]string {
	d := docsIndex()[path]
	if d == nil {
		return nil
	}
	d.once.Do(func() {
		d.text = map[string]string{}
		for rest := string(inflate(d.data)); rest != ""; {
			var key, text string
			key, rest, _ = strings.Cut(rest, "\x00")
			text, rest, _ = strings.Cut(rest, "\x00")
			d.text[key] = text
		}
	})
	return d.text
}

// Doc returns the doc comment of a package (name and member empty), of what it declares at package level (member
// empty), or of a field or method of a type. For a member that is promoted from an embedded type, ask for the type that
// declares it. Predeclared names are in the package "builtin". The result is empty where there is no comment.
func Doc(path, name, member string) string {
	return docsOf(path)[docKey(name, member)]
}

func docKey(name, member string) string {
	if member != "" {
		return name + "." + member
	}
	return name
}

// An Example is a runnable example from a package's tests.
type Example struct {
	Suffix string // tells apart several examples of one name; may be empty
	Code   string // the body, with the expected output as a comment at its end
}

// Examples returns the examples of a package (name and member empty), a function or type, or a method, sorted by suffix.
func Examples(path, name, member string) []Example {
	var list []Example
	key := docKey(name, member) + "="
	for k, code := range docsOf(path) {
		if suffix, ok := strings.CutPrefix(k, key); ok {
			list = append(list, Example{suffix, code})
		}
	}
	slices.SortFunc(list, func(a, b Example) int { return strings.Compare(a.Suffix, b.Suffix) })
	return list
}
