package symbols

import (
	"maps"
	"strings"
	"sync"

	"gaucho/interp/docs"
)

// docsIndex has the documentation of each package, read when it is first asked for. That of Gaucho's packages is text, so that a changed
// comment changes lines of a file, and not the file.
var docsIndex = sync.OnceValue(func() map[string]func() docs.Docs {
	index := map[string]func() docs.Docs{}
	archive, own := docsFiles()
	entries := map[string][]entry{} // a later one has the newer texts
	for _, a := range []string{archive, newerFile("docs.bin")} {
		for _, e := range readArchive(a) {
			entries[e.path] = append(entries[e.path], e)
		}
	}
	for path, list := range entries {
		index[path] = sync.OnceValue(func() docs.Docs {
			d := docs.Docs{}
			for _, e := range list {
				maps.Copy(d, unpackDocs(string(inflate(e.data))))
			}
			return d
		})
	}
	for path, text := range docs.Split(own) {
		index[path] = sync.OnceValue(func() docs.Docs { return docs.Parse(text) })
	}
	return index
})

// unpackDocs reads what the archive has of a package.
func unpackDocs(text string) docs.Docs {
	d := docs.Docs{}
	for text != "" {
		var key string
		key, text, _ = strings.Cut(text, "\x00")
		d[key], text, _ = strings.Cut(text, "\x00")
	}
	return d
}

func docsOf(path string) docs.Docs {
	if read := docsIndex()[path]; read != nil {
		return read()
	}
	return nil
}

// Doc returns the doc comment of a package (name and member empty), of what it declares at package level (member
// empty), or of a field or method of a type. For a member that is promoted from an embedded type, ask for the type that
// declares it. Predeclared names are in the package "builtin". The result is empty where there is no comment.
func Doc(path, name, member string) string { return docsOf(path).Doc(name, member) }

// Docs returns the documentation of a package. The caller must not change it.
func Docs(path string) docs.Docs { return docsOf(path) }
