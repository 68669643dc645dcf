//go:build go1.26 && !go1.27 && linux && !race && !msan && !asan

package loader

import (
	"errors"
	"fmt"
)

const (
	funcAlign  = 32
	callOffset = 1 // of the address in a call instruction
)

var trap = []byte{0xcc} // INT3

// stubs are not needed: all code is within reach of all other.
type stubs struct{ off, size uintptr }

func (p *plan) planStubs() uintptr { return 0 }

// flushCode does nothing: the processor sees code that was written.
func flushCode(addr, size uintptr) {}

// tlsG is where the runtime keeps g, from the thread's base, in a program that the Go linker has linked alone.
const tlsG = -8

// applyMachine does the relocations that only this machine has.
func (p *plan) applyMachine(code []byte, s *symbol, r reloc, t *symbol, target int64) error {
	data := code[r.off:]
	switch {
	case r.kind == relocPCRel && r.size == 4 && t.state == late:
		// An itab out of reach: LEAQ itab(PC) becomes MOVQ slot(PC), anything else reads the copy.
		near := int64(t.near)
		if at := int(r.off); r.add == 0 && at >= 3 && code[at-3]&0xf8 == 0x48 && code[at-2] == 0x8d && code[at-1]&0xc7 == 5 {
			code[at-2] = 0x8b
		} else {
			near += 8 + r.add
		}
		return put32(data, near-int64(s.addr)-int64(r.off)-4, t)
	case (r.kind == relocCall || r.kind == relocPCRel) && r.size == 4:
		return put32(data, target-int64(s.addr)-int64(r.off)-4, t)
	case r.kind == relocTLSLE && r.size == 4 && !p.host.iscgo:
		return put32(data, tlsG+r.add, s)
	case r.kind == relocTLSLE:
		return errors.New("assembly that uses thread-local storage cannot be loaded into a program with cgo")
	case r.kind == relocGOTPCRel:
		return errors.New("the object was compiled with -dynlink")
	}
	return fmt.Errorf("unknown relocation %d of %d bytes", r.kind, r.size)
}
