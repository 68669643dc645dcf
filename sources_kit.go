//go:build kit

package main

import "gaucho/interp/kit"

// sources are in the kit that the program carries, which is compressed.
var sources = kit.Unpacked
