//go:build amd64 || arm64

package worker

import (
	_ "database/sql" // these packages have functions in the table
	_ "math/big"
	_ "net/http"
)

// kept refers to functions of the program that modules need and that the program itself may not use; see kept_linux.s.
var kept [110]uintptr

func init() { keep(&kept) }

// keep has the linker keep what a table refers to.
//
//go:noinline
func keep(*[110]uintptr) {}
