// Gaucho is a Jupyter kernel for Go, and a runner of Go notebooks.
//
// The command's first argument says what to do; gaucho help lists what there is.
package main

import (
	"os"

	"gaucho/command"
)

func main() {
	command.Sources = sources
	os.Exit(command.Main(os.Args[1:]))
}
