package symbols

import (
	"strings"
	"sync"

	"gaucho/interp/docs"
)

// A packageDocs is the documentation of one package, read when it is first asked for.
type packageDocs struct {
	entry
	once sync.Once
	text docs.Docs
}

var docsIndex = sync.OnceValue(func() map[string]*packageDocs {
	index := map[string]*packageDocs{}
	for _, e := range readArchive(docsArchive()) {
		index[e.path] = &packageDocs{entry: e}
	}
	return index
})

func docsOf(path string) docs.Docs {
	d := docsIndex()[path]
	if d == nil {
		return nil
	}
	d.once.Do(func() {
		d.text = docs.Docs{}
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
func Doc(path, name, member string) string { return docsOf(path).Doc(name, member) }

// Docs returns the documentation of a package. The caller must not change it.
func Docs(path string) docs.Docs { return docsOf(path) }
