// Gaucho is a Jupyter kernel for Go, and a runner of Go notebooks.
//
// The command's first argument says what to do; gaucho help lists what there is.
package main

import (
	"embed"
	"os"

	"gaucho/internal/command"
)

// sources are the packages that cells can import, for a program that was built without a kit to compile cells with, and the
// module files of exported programs.
//
//go:embed LICENSE go.mod go.sum internal/tex interp/rt interp/wire plotting stdlib
var sources embed.FS

func main() {
	command.Sources = sources
	os.Exit(command.Main(os.Args[1:]))
}
