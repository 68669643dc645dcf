//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
)

const (
	funcAlign  = 32
	callOffset = 1 // of the address in a call instruction
)

var trap = []byte{0xcc} // INT3

// stubs are not needed: all code is within reach of all other.
type stubs struct{ off, size uintptr }

func (p *plan) planStubs() uintptr { return 0 }

// tlsG is where the runtime keeps g, as an offset from the thread's base; code that has called assembly loads it from
// there. A C linker may have put it anywhere, so it is taken from instructions of the program that do the same.
var tlsG = sync.OnceValues(func() (int64, error) {
	l, err := open()
	if err != nil {
		return 0, err
	}
	h := l.host
	load := []byte{0x64, 0x4c, 0x8b, 0x34, 0x25} // MOVQ (TLS), R14: the offset follows
	code := bytesAt(h.first.text, h.etext-h.first.text)
	var found []int64
	for len(found) < 2 {
		i := bytes.Index(code, load)
		if i < 0 || i+9 > len(code) {
			break
		}
		code = code[i+len(load):]
		found = append(found, int64(int32(binary.LittleEndian.Uint32(code))))
	}
	switch {
	case len(found) == 2 && found[0] == found[1] && found[0] < 0 && found[0]%8 == 0:
		return found[0], nil
	case !h.iscgo:
		return -8, nil // as the Go linker has it
	}
	return 0, errors.New("the program's thread-local storage is not where code that calls assembly can find it; build it without cgo")
})

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
		g, err := tlsG()
		if err != nil {
			return err
		}
		return put32(data, g+r.add, s)
	case r.kind == relocGOTPCRel:
		return errors.New("the object was compiled with -dynlink")
	}
	return fmt.Errorf("unknown relocation %d of %d bytes", r.kind, r.size)
}
