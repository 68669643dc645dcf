//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"strings"
	"unsafe"

	"gaucho/internal/modpath"
)

// A placedFunc is what the tables need to know of a function.
type placedFunc struct {
	sym                        *symbol
	args                       uint32
	startLine                  int32
	id, flag                   uint8
	inlined                    []inlinedFunc
	tree                       uintptr // offset in rodata, then address, of the tree of inlined calls
	pcsp, pcfile, pcln, pcinln ref
	pcdata, funcdata           []ref
}

type inlinedFunc struct {
	name     string
	id       uint8
	line     int32
	parentPC int32
}

// planFuncs reads the compiler's information on each function and reserves memory for trees of inlined calls.
func (p *plan) planFuncs() error {
	p.funcdata = make([]placedFunc, len(p.funcs))
	for i, s := range p.funcs {
		f := &p.funcdata[i]
		f.sym = s
		var info []byte
		s.obj.aux(s, func(kind uint8, r ref) {
			switch kind {
			case auxFuncInfo:
				info = s.obj.contents(s.obj.symbol(r))
			case auxFuncdata:
				f.funcdata = append(f.funcdata, r)
			case auxPcsp:
				f.pcsp = r
			case auxPcfile:
				f.pcfile = r
			case auxPcline:
				f.pcln = r
			case auxPcinline:
				f.pcinln = r
			case auxPcdata:
				f.pcdata = append(f.pcdata, r)
			}
		})
		if info == nil {
			return fmt.Errorf("%s has no function information", s.name)
		}
		f.read(info)
		if len(f.inlined) > 0 {
			f.tree = p.rodata.add(uintptr(len(f.inlined))*unsafe.Sizeof(inlinedCall{}), 4)
		}
	}
	return nil
}

// read decodes the function information, in the form of goobj.FuncInfo.
func (f *placedFunc) read(info []byte) {
	u32 := func() uint32 {
		v := binary.LittleEndian.Uint32(info)
		info = info[4:]
		return v
	}
	f.args = u32()
	u32() // size of locals
	f.id, f.flag = info[0], info[1]
	u32()
	f.startLine = int32(u32())
	info = info[4*u32():] // files
	f.inlined = make([]inlinedFunc, u32())
	for i := range f.inlined {
		info = info[12:] // parent, file, line
		call := ref{u32(), u32()}
		in := inlinedFunc{parentPC: int32(u32())}
		s := f.sym.obj.symbol(call)
		in.name = s.name
		if s.index >= 0 {
			s.obj.aux(s, func(kind uint8, r ref) {
				if kind == auxFuncInfo {
					info := s.obj.contents(s.obj.symbol(r))
					in.id, in.line = info[8], int32(binary.LittleEndian.Uint32(info[12:]))
				}
			})
		}
		f.inlined[i] = in
	}
}

// startTables puts in place what the tables of a module begin with.
func (l *Loader) startTables(r *region) error {
	for _, a := range []*area{&r.names, &r.pctab, &r.functions} { // offset 0 means nothing
		if _, err := a.take(8, 8); err != nil {
			return err
		}
	}
	addr, err := r.ftab.take(8, 8)
	if err != nil {
		return err
	}
	*(*ftabEntry)(pointer(addr)) = endOfTab
	l.nfunc = 1
	return nil
}

// endOfTab ends the table of functions: no address is above it.
var endOfTab = ftabEntry{entry: math.MaxUint32}

// tables writes the parts of the tables that describe a package.
type tables struct {
	*plan
	names map[string]int32
	pcs   map[*symbol]uint32
	cus   map[*object]uint32
}

// publish makes the package's code and data known to the runtime. Until its last steps nothing in the tables leads to
// what is new; each of those stores one word.
func (p *plan) publish() error {
	t := &tables{plan: p, names: map[string]int32{}, pcs: map[*symbol]uint32{}, cus: map[*object]uint32{}}
	if err := p.publishData(); err != nil {
		return err
	}
	if err := t.publishFuncs(); err != nil {
		return err
	}
	if err := seal(p.rodata.addr, p.rodata.size, readOnly); err != nil {
		return err
	}
	if err := p.publishTypes(); err != nil {
		return err
	}
	for key, s := range p.byName {
		if s.state == placed && (s.flag&flagDupok == 0 || s.isCode() && p.symbols.find(key) == 0) {
			p.symbols.add(key, s.addr)
		}
	}
	p.loaded[strings.Clone(p.path)] = true
	return nil
}

func (t *tables) publishFuncs() error {
	if len(t.funcs) == 0 {
		return nil
	}
	records := make([]ftabEntry, len(t.funcs))
	for i := range t.funcdata {
		var err error
		if records[i], err = t.function(&t.funcdata[i]); err != nil {
			return err
		}
	}
	if t.stubs.size > 0 {
		rec, err := t.stubsRecord()
		if err != nil {
			return err
		}
		records = append(records, rec)
	}
	if err := t.fillBuckets(records); err != nil {
		return err
	}
	flushCode(t.text.addr, t.text.size)
	if err := seal(t.text.addr, t.text.size, executable); err != nil {
		return err
	}
	r := t.region
	at, err := r.ftab.take(uintptr(len(records))*8, 8)
	if err != nil {
		return err
	}
	tab := unsafe.Slice((*ftabEntry)(pointer(at-8)), len(records)+1) // from the old end on
	copy(tab[1:], records[1:])
	tab[len(records)] = endOfTab
	tab[0].function = records[0].function
	publish(&tab[0].entry, records[0].entry)
	t.nfunc += uintptr(len(records))
	publish(&t.module.maxpc, t.text.addr+alignUp(t.text.size, pageSize))
	return nil
}

// function writes the record of one function and returns its entry in ftab.
func (t *tables) function(f *placedFunc) (entry ftabEntry, err error) {
	s := f.sym
	if len(f.inlined) > 0 {
		for len(f.pcdata) <= pcdataInlTree {
			f.pcdata = append(f.pcdata, ref{})
		}
		f.pcdata[pcdataInlTree] = f.pcinln
		for len(f.funcdata) <= funcdataInlTree {
			f.funcdata = append(f.funcdata, ref{})
		}
	}
	size := functionSize + 4*uintptr(len(f.pcdata)+len(f.funcdata))
	addr, err := t.region.functions.take(size, 8)
	if err != nil {
		return entry, err
	}
	rec := (*function)(pointer(addr))
	*rec = function{
		entry: uint32(s.addr - t.module.text), args: int32(f.args), deferreturn: f.deferReturn(t.scratch), npcdata: uint32(len(f.pcdata)),
		startLine: f.startLine, id: f.id, flag: f.flag, nfuncdata: uint8(len(f.funcdata)),
	}
	if rec.name, err = t.name(s.name); err != nil {
		return entry, err
	}
	if rec.cu, err = t.cu(s.obj); err != nil {
		return entry, err
	}
	for _, pc := range []struct {
		to  *uint32
		ref ref
	}{{&rec.pcsp, f.pcsp}, {&rec.pcfile, f.pcfile}, {&rec.pcln, f.pcln}} {
		if *pc.to, err = t.pctab(s.obj.symbol(pc.ref)); err != nil {
			return entry, err
		}
	}
	list := unsafe.Slice((*uint32)(pointer(addr+functionSize)), len(f.pcdata)+len(f.funcdata))
	for i, r := range f.pcdata {
		if list[i], err = t.pctab(s.obj.symbol(r)); err != nil {
			return entry, err
		}
	}
	list = list[len(f.pcdata):]
	for i, r := range f.funcdata {
		d := s.obj.symbol(r)
		switch {
		case i == funcdataInlTree && len(f.inlined) > 0:
			if err := t.tree(f); err != nil {
				return entry, err
			}
			list[i] = uint32(t.rodata.addr + f.tree - t.module.gofunc)
		case d == nil || d.resolved().state != placed:
			list[i] = ^uint32(0)
		default:
			list[i] = uint32(d.resolved().addr - t.module.gofunc)
		}
	}
	return ftabEntry{rec.entry, uint32(addr - t.region.functions.base)}, nil
}

// stubsRecord writes the record of the stubs as one function, which has no frame.
func (t *tables) stubsRecord() (entry ftabEntry, err error) {
	addr, err := t.region.functions.take(functionSize, 8)
	if err != nil {
		return entry, err
	}
	rec := (*function)(pointer(addr))
	*rec = function{entry: uint32(t.text.addr + t.stubs.off - t.module.text), cu: ^uint32(0), flag: flagAsm}
	if rec.name, err = t.name(modpath.Path + "/interp/loader.stubs"); err != nil {
		return entry, err
	}
	// The depth of the stack is 0, one above the value that tables begin with, for all instructions, of four bytes each.
	depth := append(binary.AppendUvarint([]byte{2}, uint64(t.stubs.size/4)), 0)
	pcsp, err := t.region.pctab.take(uintptr(len(depth)), 1)
	if err != nil {
		return entry, err
	}
	copy(bytesAt(pcsp, uintptr(len(depth))), depth)
	rec.pcsp = uint32(pcsp - t.region.pctab.base)
	return ftabEntry{rec.entry, uint32(addr - t.region.functions.base)}, nil
}

// deferReturn is the offset of the function's call of deferreturn, where a recovered panic continues.
func (f *placedFunc) deferReturn(scratch []reloc) uint32 {
	for _, r := range f.sym.obj.relocs(f.sym, scratch) {
		if r.kind == relocCall || r.kind == relocCallARM64 {
			if t := f.sym.obj.symbol(r.sym); t != nil && t.name == "runtime.deferreturn" {
				return uint32(r.off) - callOffset
			}
		}
	}
	return 0
}

// tree writes the calls that were inlined into a function.
func (t *tables) tree(f *placedFunc) error {
	tree := unsafe.Slice((*inlinedCall)(pointer(t.rodata.addr+f.tree)), len(f.inlined))
	for i, in := range f.inlined {
		name, err := t.name(in.name)
		if err != nil {
			return err
		}
		tree[i] = inlinedCall{id: in.id, name: name, parentPC: in.parentPC, startLine: in.line}
	}
	return nil
}

// name returns the offset of a name in the table of functions' names.
func (t *tables) name(name string) (int32, error) {
	if off, ok := t.names[name]; ok {
		return off, nil
	}
	addr, err := t.region.names.take(uintptr(len(name))+1, 1)
	if err != nil {
		return 0, err
	}
	copy(bytesAt(addr, uintptr(len(name))), name)
	off := int32(addr - t.region.names.base)
	t.names[name] = off
	return off, nil
}

// pctab returns the offset of a table of values by address, 0 for an empty one.
func (t *tables) pctab(s *symbol) (uint32, error) {
	if s == nil {
		return 0, nil
	}
	data := s.obj.contents(s)
	if len(data) == 0 {
		return 0, nil
	}
	if off, ok := t.pcs[s]; ok {
		return off, nil
	}
	addr, err := t.region.pctab.take(uintptr(len(data)), 1)
	if err != nil {
		return 0, err
	}
	copy(bytesAt(addr, uintptr(len(data))), data)
	off := uint32(addr - t.region.pctab.base)
	t.pcs[s] = off
	return off, nil
}

// cu returns where the file names of an object begin in the table of those.
func (t *tables) cu(o *object) (uint32, error) {
	if off, ok := t.cus[o]; ok {
		return off, nil
	}
	addr, err := t.region.cus.take(4*uintptr(o.nfiles), 4)
	if err != nil {
		return 0, err
	}
	list := unsafe.Slice((*uint32)(pointer(addr)), o.nfiles)
	for i := range list {
		if list[i], err = t.file(o.file(uint32(i))); err != nil {
			return 0, err
		}
	}
	off := uint32(addr-t.region.cus.base) / 4
	t.cus[o] = off
	return off, nil
}

// file returns the offset of a file's name, which packages share.
func (l *Loader) file(name string) (uint32, error) {
	name = strings.TrimPrefix(name, "gofile..")
	if rest, ok := strings.CutPrefix(name, "$GOROOT/src/"); ok {
		name = l.goroot() + rest
	}
	if off, ok := l.files[name]; ok {
		return off, nil
	}
	addr, err := l.region.files.take(uintptr(len(name))+1, 1)
	if err != nil {
		return 0, err
	}
	copy(bytesAt(addr, uintptr(len(name))), name)
	off := uint32(addr - l.region.files.base)
	l.files[strings.Clone(name)] = off
	return off, nil
}

// goroot is where the program says that the standard library's sources are: nowhere if it was built with -trimpath.
func (l *Loader) goroot() string {
	file, _ := runtime.FuncForPC(pcOf(l.host.modulesinit)).FileLine(0)
	root, _, _ := strings.Cut(file, "runtime/")
	return root
}

// fillBuckets writes the part of the index into ftab for the pages of new code.
func (t *tables) fillBuckets(records []ftabEntry) error {
	base := t.region.text.base
	first, end := (t.text.addr-base)/bucketSpan, (t.text.addr+alignUp(t.text.size, pageSize)-base)/bucketSpan
	size := unsafe.Sizeof(bucket{})
	b := &t.region.buckets
	if err := b.commit(b.base + end*size); err != nil {
		return err
	}
	b.used = b.base + end*size
	next := 0 // the function that starts after the address at hand
	for i := first; i < end; i++ {
		bk := (*bucket)(pointer(b.base + i*size))
		for j := range bk.sub {
			at := uint32(base + i*bucketSpan + uintptr(j)*bucketSpan/16 - t.module.text)
			for next < len(records) && records[next].entry <= at {
				next++
			}
			index := uint32(t.nfunc-1) + uint32(max(next-1, 0))
			if j == 0 {
				bk.index = index
			}
			bk.sub[j] = uint8(index - bk.index)
		}
	}
	return nil
}

// publishData makes the collector see the package's variables.
func (p *plan) publishData() error {
	if p.data.size == 0 {
		return nil
	}
	size := alignUp(p.data.size, cacheLine)
	m := &p.region.masks
	addr := m.base + (p.data.addr-p.region.data.base)/cacheLine
	if err := m.commit(addr + size/cacheLine); err != nil {
		return err
	}
	mask := bytesAt(addr, size/cacheLine)
	for _, s := range p.live {
		if sec, _ := p.section(s); sec != &p.data || s.size == 0 {
			continue
		}
		var typ *symbol
		s.obj.aux(s, func(kind uint8, r ref) {
			if kind == auxGotype {
				typ = s.obj.symbol(r)
			}
		})
		if typ == nil {
			return fmt.Errorf("variable %s has no type", s.name)
		}
		d := descriptorAt(typ.resolved().addr)
		// A switch over interfaces has a variable longer than its type, with pointers to types in the rest.
		if d.size > uintptr(s.size) || s.addr%8 != 0 {
			return fmt.Errorf("variable %s does not fit its type", s.name)
		}
		d.pointers(mask, (s.addr-p.data.addr)/8)
	}
	publish(&p.module.edata, p.data.addr+size)
	return nil
}
