//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"encoding/binary"
	"fmt"
	"go/ast"
	"math"
	"regexp"
	"strings"
	"unsafe"
)

// Kinds of relocations, as in cmd/internal/objabi.
const (
	relocAddr             relocKind = 1
	relocAddrARM64        relocKind = 3
	relocAddrOff          relocKind = 5
	relocSizeOf           relocKind = 6
	relocCall             relocKind = 7
	relocCallARM64        relocKind = 9
	relocConst            relocKind = 13
	relocPCRel            relocKind = 14
	relocTLSLE            relocKind = 15
	relocUseIface         relocKind = 23
	relocMethodOff        relocKind = 26
	relocKeep             relocKind = 27
	relocGOTPCRel         relocKind = 29
	relocARM64TLSLE       relocKind = 32
	relocARM64GOTPCRel    relocKind = 34
	relocARM64PCRelLDST8  relocKind = 37
	relocARM64PCRelLDST16 relocKind = 38
	relocARM64PCRelLDST32 relocKind = 39
	relocARM64PCRelLDST64 relocKind = 40
)

// relocate fills in all addresses. The types come first, with the names of their methods, as the runtime needs them to make itabs.
func (p *plan) relocate() error {
	ofTypes := func(s *symbol) bool { return strings.HasPrefix(s.name, "type:") }
	for _, s := range p.live {
		if ofTypes(s) {
			if err := p.relocateSymbol(s); err != nil {
				return err
			}
		}
	}
	p.hideMethods()
	p.renameTypes()
	for _, s := range p.itabs() {
		if err := p.makeItab(s); err != nil {
			return err
		}
	}
	for _, s := range p.live {
		if !ofTypes(s) {
			if err := p.relocateSymbol(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// hideMethods takes methods that reflection must not see out of the count of exported ones, which come first in a type's list.
func (p *plan) hideMethods() {
	if p.hidden == "" {
		return
	}
	for _, s := range p.live {
		if !s.isType() {
			continue
		}
		d := descriptorAt(s.addr)
		list := d.exportedMethods()
		n := len(list)
		for n > 0 && strings.HasPrefix(nameAt(unsafe.Pointer(p.host.types.at(list[n-1].name))), p.hidden) {
			n--
		}
		if n < len(list) {
			d.uncommon().xcount = uint16(n)
		}
	}
}

// renameTypes writes the names that types are shown under in the place of those that the compiler has written.
func (p *plan) renameTypes() {
	if p.shown == nil {
		return
	}
	for _, s := range p.live {
		if !s.isType() {
			continue
		}
		place := unsafe.Pointer(p.host.types.at(descriptorAt(s.addr).str))
		if uintptr(place)-p.rodata.addr >= p.rodata.size {
			continue // of another package
		}
		name := nameAt(place)
		if shown := p.shown(name); len(shown) < len(name) {
			text := append(binary.AppendUvarint(nil, uint64(len(shown))), shown...)
			copy(unsafe.Slice((*byte)(unsafe.Add(place, 1)), len(text)), text)
		}
	}
}

// makeItab asks the runtime for the itab of a pair of types: there must be only one, as values of interfaces are compared
// by it. It may be out of reach of the code, so its address and a copy of it are put within reach.
func (p *plan) makeItab(s *symbol) error {
	var pair [2]*descriptor
	methods := false
	for _, r := range s.obj.relocs(s, p.scratch) {
		switch r.off {
		case 0, 8:
			pair[r.off/8] = descriptorAt(s.obj.symbol(r.sym).resolved().addr)
		default:
			methods = true
		}
	}
	inter, typ := pair[0], pair[1]
	if !methods { // of a case in a type switch of generic code that no value can have
		own := (*itab)(pointer(s.near + 8))
		own.inter, own.typ, own.hash = inter, typ, typ.hash
		s.addr = s.near + 8
	} else {
		tab := p.host.itabOf(inter, typ)
		if tab == nil {
			return p.noMethod(inter, typ, "a method")
		}
		t := p.host.types
		list, n := at[unsafe.Pointer](unsafe.Pointer(inter), commonSize+8), at[uintptr](unsafe.Pointer(inter), commonSize+16)
		for i := range n {
			name := nameAt(unsafe.Pointer(t.at(at[int32](list, 8*i))))
			sig := t.name((*descriptor)(unsafe.Pointer(t.at(at[int32](list, 8*i+4)))))
			if fn := at[uintptr](unsafe.Pointer(&tab.fun), 8*i); fn == p.host.unreachable && ast.IsExported(name) && !internal.MatchString(sig) {
				return p.noMethod(inter, typ, name)
			}
		}
		s.addr = uintptr(unsafe.Pointer(tab))
		copy(bytesAt(s.near+8, uintptr(s.size)), bytesAt(s.addr, uintptr(s.size)))
	}
	*(*uintptr)(pointer(s.near)) = s.addr
	return nil
}

// internal matches the text of a method's type that no cell can write, and so no cell can call the method: it has a type of a package
// named internal, as those that mark the options of encoding/json.
var internal = regexp.MustCompile(`\binternal\.`)

func (p *plan) noMethod(inter, typ *descriptor, name string) error {
	t := p.host.types
	return &MissingError{[]string{fmt.Sprintf("%s of %s that %s needs", name, t.name(typ), t.name(inter))}}
}

func (p *plan) relocateSymbol(s *symbol) error {
	if int(s.size) > math.MaxInt32 {
		return fmt.Errorf("%s is too large", s.name)
	}
	data := bytesAt(s.addr, uintptr(s.size))
	p.scratch = s.obj.relocs(s, p.scratch)
	for i := 0; i < len(p.scratch); i++ {
		r := p.scratch[i]
		if r.size == 0 {
			continue
		}
		if r.off < 0 || int64(r.off)+int64(r.size) > int64(len(data)) {
			return fmt.Errorf("%s is damaged", s.name)
		}
		t := s.obj.symbol(r.sym)
		if t != nil {
			t = t.resolved()
		}
		if r.kind == relocMethodOff && p.dropped[method{s, r.off}] {
			for j := int32(0); j < 12; j += 4 { // as the linker marks methods that it dropped
				binary.LittleEndian.PutUint32(data[r.off+j:], ^uint32(0))
			}
			i += 2
			continue
		}
		if t != nil && (t.state == unused || t.state == missing) {
			if r.weak || t.kind >= kindDwarfFirst || strings.HasPrefix(t.name, "go:info.") {
				continue
			}
			return fmt.Errorf("%s needs %s, which was not found to be needed; this is a bug in Gaucho", s.name, t.name)
		}
		if err := p.apply(data, s, r, t); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// apply does the relocation r of the data of s to the resolved symbol t.
func (p *plan) apply(code []byte, s *symbol, r reloc, t *symbol) error {
	data := code[r.off:]
	var target int64
	if t != nil {
		target = int64(t.addr)
	}
	target += r.add
	switch r.kind {
	case relocAddr:
		switch {
		case r.size == 8:
			binary.LittleEndian.PutUint64(data, uint64(target))
			return nil
		case r.size == 4:
			return put32(data, target, t)
		}
	case relocAddrOff, relocMethodOff:
		base := p.module.types
		if p.isCode(t.addr) {
			base = p.module.text
		}
		return put32(data, target-int64(base), t)
	case relocSizeOf:
		return put32(data, int64(t.size)+r.add, t)
	case relocConst:
		return put32(data, r.add, t)
	}
	return p.applyMachine(code, s, r, t, target)
}

func (p *plan) isCode(addr uintptr) bool {
	return p.host.inText(addr) || p.region.text.base <= addr && addr < p.region.text.end
}

func put32(data []byte, v int64, t *symbol) error {
	if v != int64(int32(v)) {
		return fmt.Errorf("%s is too far away; this is a bug in Gaucho", t.name)
	}
	binary.LittleEndian.PutUint32(data, uint32(v))
	return nil
}

// symbolPrefix is a package's path as the compiler writes it in the names of symbols: with dots of the last element escaped,
// and what is no printing ASCII, as cmd/internal/objabi.PathToPrefix has it.
func symbolPrefix(path string) string {
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c >= 0x7f || c == '%' || c == '"' || c == '.' && i > slash {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// initializers returns the addresses of the package's initializers, in their order.
func (p *plan) initializers() []uintptr {
	task := p.byName[symbolPrefix(p.path)+"..inittask"]
	if task == nil {
		return nil
	}
	n := binary.LittleEndian.Uint32(task.obj.contents(task)[4:]) // after a word for the state
	inits := make([]uintptr, n)
	for _, r := range task.obj.relocs(task, p.scratch) {
		if i := (int(r.off) - 8) / 8; r.kind == relocAddr && i >= 0 && i < len(inits) {
			inits[i] = task.obj.symbol(r.sym).resolved().addr
		}
	}
	return inits
}
