//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"fmt"
)

// cacheLine is what the variables of a package are aligned to. It is also what one byte of the collector's mask covers,
// so that no byte of it belongs to two packages.
const cacheLine = 64

// afterCode keeps the address after a call that ends a function, and does not return, in the range of the module.
const afterCode = 16

// add reserves size bytes of a section and returns their offset.
func (s *section) add(size, align uintptr) uintptr {
	off := alignUp(s.size, align)
	s.size = off + size
	return off
}

// place gives all that is live an address and copies it there.
func (p *plan) place() error {
	for _, s := range p.live {
		sec, err := p.section(s)
		if err != nil {
			return err
		}
		s.addr = sec.add(uintptr(s.size), alignment(s))
		if sec == &p.text {
			p.funcs = append(p.funcs, s)
		}
	}
	itabs := p.itabs()
	for _, s := range itabs {
		s.near = p.rodata.add(8+uintptr(s.size), 8)
	}
	if err := p.planFuncs(); err != nil {
		return err
	}
	p.text.size += p.planStubs()
	if p.text.size > 0 {
		p.text.size += afterCode
	}
	var err error
	take := func(sec *section, f func(size uintptr) (uintptr, error)) {
		if sec.size > 0 && err == nil {
			sec.addr, err = f(sec.size)
		}
	}
	r := p.region
	take(&p.text, r.text.takePages)
	take(&p.rodata, r.rodata.takePages)
	take(&p.data, func(n uintptr) (uintptr, error) { return r.data.take(alignUp(n, cacheLine), cacheLine) })
	take(&p.noptr, func(n uintptr) (uintptr, error) { return r.noptr.take(alignUp(n, cacheLine), cacheLine) })
	if err != nil {
		return err
	}
	for _, s := range itabs {
		s.near += p.rodata.addr
	}
	fill := bytesAt(p.text.addr, alignUp(p.text.size, pageSize))
	copy(fill, bytes.Repeat(trap, len(fill)/len(trap)))
	for _, s := range p.live {
		sec, _ := p.section(s)
		s.addr += sec.addr
		data := s.obj.contents(s)
		if len(data) > int(s.size) {
			return fmt.Errorf("%s is longer than it says", s.name)
		}
		copy(bytesAt(s.addr, uintptr(s.size)), data)
	}
	return nil
}

// itabs are those that the package has a symbol for.
func (p *plan) itabs() []*symbol {
	var list []*symbol
	for _, o := range p.objects {
		for i := range o.syms {
			if o.syms[i].state == late {
				list = append(list, &o.syms[i])
			}
		}
	}
	return list
}

func (p *plan) section(s *symbol) (*section, error) {
	switch s.kind {
	case kindText, kindTextFIPS:
		return &p.text, nil
	case kindRodata, kindRodataFIPS:
		return &p.rodata, nil
	case kindNoptrdata, kindNoptrdataFIPS, kindNoptrBSS:
		return &p.noptr, nil
	case kindData, kindDataFIPS, kindBSS:
		if s.obj.asm { // has no type, and assembly may keep no pointers of its own
			return &p.noptr, nil
		}
		return &p.data, nil
	}
	return nil, fmt.Errorf("%s is of an unknown kind, %d", s.name, s.kind)
}

// alignment is that of the symbol, or the largest power of two not above its size up to 32, as the linker has it.
func alignment(s *symbol) uintptr {
	if s.isCode() {
		return max(uintptr(s.align), funcAlign)
	}
	if s.align != 0 {
		return uintptr(s.align)
	}
	align := uintptr(32)
	for align > uintptr(s.size) && align > 1 {
		align /= 2
	}
	return align
}
