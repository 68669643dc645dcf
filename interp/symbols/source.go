package symbols

import (
	_ "embed"
	"go/types"
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
	for _, e := range readArchive(sourcesArchive) {
		index[e.path] = sync.OnceValue(func() string { return string(inflate(e.data)) })
	}
	return index
})

// Source returns the Go source of the generic functions and types of a package, by file name, or nil where it has none.
// These are the declarations that are in no table, and what they need. Instances are made from them as from a cell's own
// generic declarations.
//
// The source is the library's own, save where that uses unsafe, the run time or unexported parts of its package. It
// type-checks with an [Importer] as a package of its own beside the one that the Importer returns: what it needs of the
// package's other parts it imports by the package's path.
func Source(path string) map[string]string {
	text := sourcesIndex()[path]
	if text == nil {
		return nil
	}
	return map[string]string{path[strings.LastIndexByte(path, '/')+1:] + ".go": text()}
}

// Instance returns the compiled instance of a generic function for some type arguments: its name in the package with
// the given path, which emitted text may import. It has the function's signature for these arguments. There are
// instances of the functions of slices and cmp that have one element type, for int, float64 and string.
func Instance(f *types.Func, args []types.Type) (path, name string, ok bool) {
	if f.Pkg() == nil || f.Pkg().Path() != "slices" && f.Pkg().Path() != "cmp" || len(args) == 0 {
		return "", "", false
	}
	elem, ok := types.Unalias(args[len(args)-1]).(*types.Basic)
	if !ok || len(args) > 2 || len(args) == 2 && !types.Identical(types.Unalias(args[0]), types.NewSlice(elem)) {
		return "", "", false
	}
	pkg := f.Pkg().Name()
	name = strings.ToUpper(pkg[:1]) + pkg[1:] + f.Name() + "_" + elem.Name()
	return instPath, name, Has(instPath, name)
}
