//go:build go1.26 && !go1.27 && linux && !race && !msan && !asan

package loader

import (
	"encoding/binary"
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

// tlsG is where the runtime keeps g, from the thread's base. The linker has decided it, and the runtime's gogo begins with
// it: MOVQ DX, FS:offset.
func (h *host) tlsG() (int64, error) {
	if h.gogo != 0 {
		if code := bytesAt(h.gogo, 9); string(code[:5]) == "\x64\x48\x89\x14\x25" {
			return int64(int32(binary.LittleEndian.Uint32(code[5:]))), nil
		}
	}
	return 0, errors.New("the program keeps thread-local storage where loaded code cannot find it; build it with CGO_ENABLED=0")
}

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
	case r.kind == relocTLSLE && r.size == 4:
		g, err := p.host.tlsG()
		if err != nil {
			return err
		}
		return put32(data, g+r.add, s)
	case r.kind == relocGOTPCRel:
		return errors.New("the object was compiled with -dynlink")
	}
	return fmt.Errorf("unknown relocation %d of %d bytes", r.kind, r.size)
}
