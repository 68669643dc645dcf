package symbols

import (
	_ "embed"
	"strings"
	"sync"
)

// instPath is the package that the sources of generic functions call for what cannot be interpreted. Its path is
// internal to this package, so cells cannot import it.
const instPath = "gaucho/interp/symbols/internal/inst"

//go:embed data/sources.bin
var sourcesArchive string

var sourcesIndex = sync.OnceValue(func() map[string]func() string {
	index := map[string]func() string{}
	for _, archive := range []string{sourcesArchive, newerFile("sources.bin")} {
		for _, e := range readArchive(archive) {
			index[e.path] = sync.OnceValue(func() string { return string(inflate(e.data)) })
		}
	}
	return index
})

// Source returns the Go source of the generic functions and types of a package, by file name, or nil where it has none.
// These are the declarations that are in no table, and what they need. Instances are made from them as from a cell's own
// generic declarations.
//
// The source is the library's own, save where that uses unsafe, the run time or unexported parts of its package. It
// type-checks with an [Importer] as a package of its own besides the one that the Importer returns: what it needs of the
// package's other parts it imports by the package's path.
func Source(path string) map[string]string {
	text := sourcesIndex()[path]
	if text == nil {
		return nil
	}
	return map[string]string{path[strings.LastIndexByte(path, '/')+1:] + ".go": text()}
}
