// Package assist answers questions about the text of a cell that may be half typed: what can be at the cursor, what a name
// means, whether the cell is complete. Nothing changes by it.
package assist

import (
	"sync"

	"gaucho/interp/check"
	"gaucho/interp/docs"
)

// A View is what questions about the text of cells are answered from. It must be made while the session's front end is held;
// its methods hold that themselves.
type View struct {
	Lock    sync.Locker // of what follows
	Checker *check.Checker
	Scope   *check.Scope
	History *check.History
	Library *check.Library
	Docs    map[string]docs.Docs           // documentation of packages of modules that was asked for, by path
	Dir     string                         // of the notebook
	Keys    func(variable string) []string // of a map, or the names of a table's columns; called without the lock
}
