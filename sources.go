//go:build !kit

package main

import "embed"

// sources are the packages that cells can import: a kit is made of them, and exported programs bring those that they use.
//
//go:embed LICENSE go.mod go.sum internal interp/rt interp/wire plotting render stdlib
var sources embed.FS
