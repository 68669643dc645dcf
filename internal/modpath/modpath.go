// Package modpath knows the import path of this module. Whoever publishes it chooses one (go run ./install/module -path PATH); go.mod and
// the imports have it, and nothing else. Cells name the module's packages by a short path, whatever that is.
package modpath

import (
	"reflect"
	"strings"
)

// Short is the module's path in cells, and in all that describes packages to them.
const Short = "gaucho"

// Path is the module's import path.
var Path = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/modpath")

type here struct{}

// Own returns the import path of a package that cells name by path.
func Own(path string) string { return Replace(path, Short, Path) }

// Cell returns the path by which cells name a package with an import path.
func Cell(path string) string { return Replace(path, Path, Short) }

// Replace returns path, which begins with module to in place of from where it is in that one.
func Replace(path, from, to string) string {
	if rest, ok := strings.CutPrefix(path, from); ok && (rest == "" || rest[0] == '/') {
		return to + rest
	}
	return path
}
