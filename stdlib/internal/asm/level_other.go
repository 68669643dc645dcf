//go:build !amd64

package asm

import "runtime"

// noVector is the panic of an assembly function on another architecture.
const noVector = "asm: no vector kernels on " + runtime.GOARCH
