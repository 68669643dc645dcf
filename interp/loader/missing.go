package loader

import (
	"fmt"
	"slices"
	"strings"
)

// A MissingError lists what a package refers to that neither the program nor the packages loaded before have.
type MissingError struct {
	Names []string // sorted
}

func (e *MissingError) Error() string {
	names := slices.Clone(e.Names)
	more := ""
	if len(names) > 8 {
		more = fmt.Sprintf(" and %d more", len(names)-8)
		names = names[:8]
	}
	return "the program has no " + strings.Join(names, ", ") + more
}
