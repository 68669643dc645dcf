package main

import (
	"embed"

	"gaucho/interp/compiled"
)

// sources is what the worker of the compiled engine is built from, on the user's machine.
//
//go:embed go.mod go.sum interp/rt interp/wire interp/worker interp/symbols/tables interp/symbols/internal plotting reproduction stdlib
var sources embed.FS

func init() { compiled.Sources = sources }
