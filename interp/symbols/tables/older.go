//go:build !go1.27

package tables

// What the newer release adds, in zgo127.go.
var (
	newerTables, newerWraps                   []table
	newerAssertedMethods, extraWrappedMethods []any
)
