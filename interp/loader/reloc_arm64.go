//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	funcAlign  = 16
	callOffset = 0 // of the address in a call instruction
)

var trap = []byte{0, 0, 0, 0} // UDF #0

// stubs are jumps to functions that a call instruction does not reach, which is 128 MB. They follow the package's code.
type stubs struct {
	off, size uintptr // in the section of code
	next      uintptr
	addr      map[uintptr]uintptr // by target
}

const stubSize = 16

// planStubs reserves memory for a stub for each function outside the package that it calls.
func (p *plan) planStubs() uintptr {
	targets := map[uintptr]bool{}
	for _, s := range p.funcs {
		p.scratch = s.obj.relocs(s, p.scratch)
		for _, r := range p.scratch {
			if r.kind != relocCallARM64 {
				continue
			}
			if t := s.obj.symbol(r.sym).resolved(); t.state == outside {
				targets[t.addr+uintptr(r.add)] = true
			}
		}
	}
	start := alignUp(p.text.size, funcAlign)
	p.stubs = stubs{off: start, next: start, addr: map[uintptr]uintptr{}, size: stubSize * uintptr(len(targets))}
	if len(targets) == 0 {
		return 0
	}
	return start + p.stubs.size - p.text.size
}

// stub returns the address of a stub that jumps to target.
func (p *plan) stub(target uintptr) uintptr {
	if addr := p.stubs.addr[target]; addr != 0 {
		return addr
	}
	addr := p.text.addr + p.stubs.next
	p.stubs.next += stubSize
	p.stubs.addr[target] = addr
	code := bytesAt(addr, stubSize)
	binary.LittleEndian.PutUint32(code, 0x90000010)     // ADRP target, R16
	binary.LittleEndian.PutUint32(code[4:], 0x91000210) // ADD target, R16
	binary.LittleEndian.PutUint32(code[8:], 0xd61f0200) // JMP (R16)
	putPair(code, int64(target), int64(addr), 0)
	return addr
}

// applyMachine does the relocations that only this machine has.
func (p *plan) applyMachine(code []byte, s *symbol, r reloc, t *symbol, target int64) error {
	data, pc := code[r.off:], int64(s.addr)+int64(r.off)
	switch r.kind {
	case relocCallARM64:
		const reach = 1 << 27
		if d := target - pc; d >= reach || d < -reach {
			target = int64(p.stub(uintptr(target)))
		}
		d := target - pc
		if d >= reach || d < -reach {
			return fmt.Errorf("%s is too far away; this is a bug in Gaucho", t.name)
		}
		word := binary.LittleEndian.Uint32(data)
		binary.LittleEndian.PutUint32(data, word|uint32(d>>2)&0x03ffffff)
		return nil
	case relocPCRel:
		if r.size == 4 {
			return put32(data, target-pc-4, t)
		}
	case relocAddrARM64, relocARM64PCRelLDST8, relocARM64PCRelLDST16, relocARM64PCRelLDST32, relocARM64PCRelLDST64:
		if r.size != 8 {
			break
		}
		scale := map[relocKind]uint{relocARM64PCRelLDST16: 1, relocARM64PCRelLDST32: 2, relocARM64PCRelLDST64: 3}[r.kind]
		if t.state == late { // an itab out of reach: its address is loaded from the slot, anything else reads the copy
			target = int64(t.near)
			if r.kind == relocAddrARM64 && r.add == 0 {
				const add, load = 0x91000000, 0xf9400000
				word := binary.LittleEndian.Uint32(data[4:])
				if word&0xffc00000 != add {
					return errors.New("an instruction that is not expected with an itab")
				}
				binary.LittleEndian.PutUint32(data[4:], word&^0xffc00000|load)
				scale = 3
			} else {
				target += 8 + r.add
			}
		}
		if d := target - pc&^0xfff; d >= 1<<32 || d < -1<<32 {
			return fmt.Errorf("%s is too far away; this is a bug in Gaucho", t.name)
		}
		if target&(1<<scale-1) != 0 {
			return fmt.Errorf("%s is not aligned for its instruction", t.name)
		}
		putPair(data, target, pc, scale)
		return nil
	case relocTLSLE, relocARM64TLSLE:
		return errors.New("assembly that uses thread-local storage cannot be loaded")
	case relocARM64GOTPCRel:
		return errors.New("the object was compiled with -dynlink")
	}
	return fmt.Errorf("unknown relocation %d of %d bytes", r.kind, r.size)
}

// putPair puts an address into ADRP, which has the distance of the pages, and the instruction after it, which has the
// offset in the page in units of 1<<scale bytes.
func putPair(code []byte, target, pc int64, scale uint) {
	pages := target>>12 - pc>>12
	first, second := binary.LittleEndian.Uint32(code), binary.LittleEndian.Uint32(code[4:])
	first |= uint32(pages&3)<<29 | uint32(pages>>2&0x7ffff)<<5
	second |= uint32(target&0xfff) >> scale << 10
	binary.LittleEndian.PutUint32(code, first)
	binary.LittleEndian.PutUint32(code[4:], second)
}
