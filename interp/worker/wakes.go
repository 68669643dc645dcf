package worker

import (
	"strings"

	"gaucho/interp/rt/run"
)

// passive are packages that do nothing later, by a timer or when something comes from outside.
var passive = map[string]bool{
	"bufio": true, "bytes": true, "cmp": true, "errors": true, "fmt": true, "io": true, "iter": true, "maps": true, "os": true,
	"reflect": true, "regexp": true, "runtime": true, "slices": true, "sort": true, "strconv": true, "strings": true,
	"sync": true, "sync/atomic": true, "unicode": true, "unicode/utf8": true, "unicode/utf16": true, "math": true,
	"encoding/json": true, "flag": true, "log": true, "log/slog": true, "unsafe": true, runtimePath: true, typesPath: true,
}

// wakes reports whether something of a package may wake goroutines of cells that wait: then they are not deadlocked.
func wakes(path string) bool {
	path = strings.TrimPrefix(path, "wrap/")
	for _, p := range []string{"math/", "container/", "hash/", "encoding/", "text/", "unicode/", "gonum.org/v1/gonum/"} {
		if strings.HasPrefix(path, p) {
			return false
		}
	}
	return !passive[path] && !strings.HasPrefix(path, "gaucho/interp/") && !strings.HasPrefix(path, run.CellPath)
}
