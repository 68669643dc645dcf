//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// A plan is a package on its way into the program. Until place, nothing outside it changes.
type plan struct {
	*Loader
	path    string
	objects []*object
	byName  map[string]*symbol // of symbols that the archive defines, by symbolKey

	live    []*symbol // those that get a place
	todo    []*symbol
	methods []method // that may be left out
	dropped map[method]bool
	held    []*symbol // types and itabs of values that get into interfaces, still to be checked
	checked map[*symbol]bool
	looked  int // how many of live were looked at for such
	missing map[string]bool
	found   []*symbol // by need, in order; see attempt
	err     error
	scratch []reloc

	text, rodata, data, noptr section
	funcs                     []*symbol
	funcdata                  []placedFunc
	stubs                     stubs
}

// A method is the place in a type's descriptor where the offsets of a method's type and of its code belong.
type method struct {
	typ *symbol
	off int32
}

// plan finds out what is needed of the objects, and where everything that they refer to is.
func (l *Loader) plan(path string, objects []*object) (*plan, error) {
	p := &plan{
		Loader: l, path: path, objects: objects,
		byName: map[string]*symbol{}, dropped: map[method]bool{}, missing: map[string]bool{}, checked: map[*symbol]bool{},
	}
	for _, o := range objects {
		for i := range o.syms[o.nself+o.nhash64+o.nhash:] {
			s := &o.syms[o.nself+o.nhash64+o.nhash+i]
			if s.index < 0 || s.abi == abiStatic || s.name == "" {
				continue
			}
			key := symbolKey(s)
			if other := p.byName[key]; other != nil && s.flag&flagDupok == 0 {
				if !s.isZero() && !other.isZero() {
					return nil, fmt.Errorf("%s is defined twice", s.name)
				}
				// A variable declared in Go with its contents in assembly.
				if s.isZero() && (!other.isZero() || other.size >= s.size) {
					s.state, s.alias = aliased, other
					continue
				}
				other.state, other.alias = aliased, s
			}
			if s.isRoot() {
				loaded := p.symbols.find(key) != 0
				_, ok := p.host.symtab.lookup(key)
				if (ok || loaded) && s.isCode() && !strings.HasPrefix(s.name, symbolPrefix(path)+".") {
					// A function that several packages have by a linkname is the first one's.
					if s.addr = p.symbols.find(key); s.addr == 0 {
						s.addr, ok = p.host.find(s.name, s.abi)
					}
					if s.addr != 0 {
						s.state = outside
						continue
					}
				}
				if ok || loaded {
					return nil, fmt.Errorf("the program has %s already", s.name)
				}
			}
			p.byName[key] = s
		}
	}
	p.needRoots()
	p.needCopies()
	p.needMethods()
	if p.err != nil {
		return nil, p.err
	}
	if len(p.missing) > 0 {
		return nil, &MissingError{slices.Sorted(maps.Keys(p.missing))}
	}
	return p, nil
}

// needRoots adds what later packages may refer to. What needs something of this very package that is nowhere, as assembly for a
// function that was left out, is left out too: the linker says nothing of such code where nothing calls it.
func (p *plan) needRoots() {
	var roots []*symbol
	for _, o := range p.objects {
		for i := range o.syms[:len(o.syms)-o.nrefs] {
			if s := &o.syms[i]; s.isRoot() {
				roots = append(roots, s)
			}
		}
	}
	before := p.mark()
	for _, s := range roots {
		p.need(s)
	}
	p.drain()
	p.checkHeld()
	own := symbolPrefix(p.path) + "."
	for name := range p.missing {
		if !strings.HasPrefix(name, own) {
			return // an error, which names all
		}
	}
	if len(p.missing) == 0 {
		return
	}
	p.takeBack(before)
	for _, s := range roots {
		if s.name != own+".inittask" {
			p.attempt(func() { p.need(s) })
			continue
		}
		p.need(s)
		p.drain()
		p.checkHeld()
	}
}

// symbolKey is the name by which objects refer to a symbol. A function for the assembler's calling convention has another
// key than the one for Go's.
func symbolKey(s *symbol) string {
	if s.abi == abi0 && s.isCode() {
		return s.name + ".abi0"
	}
	return s.name
}

func (s *symbol) isCode() bool { return s.kind == kindText || s.kind == kindTextFIPS }

// isZero reports whether a symbol is a variable without contents.
func (s *symbol) isZero() bool { return s.kind == kindBSS || s.kind == kindNoptrBSS }

// isRoot reports whether a symbol is needed even if nothing in the archive refers to it, as later packages may.
func (s *symbol) isRoot() bool {
	switch {
	case s.name == "" || s.kind == 0 || s.flag&flagDupok != 0:
		return false
	case s.kind >= kindDwarfFirst:
		return false
	case strings.HasPrefix(s.name, "gofile.."), strings.HasPrefix(s.name, "go:cuinfo."):
		return false
	}
	return s.index < s.obj.nself || s.index >= s.obj.nself+s.obj.nhash64+s.obj.nhash
}

func (s *symbol) isType() bool {
	return strings.HasPrefix(s.name, "type:") && len(s.name) > 5 && s.name[5] != '.'
}

// resolved follows s to the symbol that has the address.
func (s *symbol) resolved() *symbol {
	for s.state == aliased {
		s = s.alias
	}
	return s
}

// need finds where s is, or sees that it gets a place with all that it refers to.
func (p *plan) need(s *symbol) {
	if s == nil || s.state != unused {
		return
	}
	p.found = append(p.found, s)
	switch {
	case s.index < 0:
		p.needReference(s)
		return
	case s.isType() && s.flag&flagDupok != 0:
		addr, err := p.host.types.find(s.name)
		if err != nil && p.err == nil {
			p.err = err
		}
		if addr != 0 {
			s.state, s.addr = outside, addr
			return
		}
	case s.flag2&flagItab != 0:
		s.state = late
		p.todo = append(p.todo, s)
		return
	case s.kind == kindTLSBSS:
		p.missing["thread-local variables ("+s.name+")"] = true
		return
	}
	s.state = placed
	p.live = append(p.live, s)
	p.todo = append(p.todo, s)
}

// needReference finds a symbol that another object defines.
func (p *plan) needReference(s *symbol) {
	key := s.name
	if s.abi == abi0 {
		key += ".abi0"
	}
	def, addr := p.byName[key], p.symbols.find(key)
	if s.abi == abi0 && def == nil && addr == 0 { // a variable, not a function for Go's calling convention
		if def, addr = p.byName[s.name], p.symbols.find(s.name); def != nil && def.isCode() {
			def = nil
		}
		if addr != 0 && p.isCode(addr) {
			addr = 0
		}
	}
	if def != nil {
		p.need(def)
		s.state, s.alias = aliased, def
		return
	}
	ok := addr != 0
	switch {
	case ok:
	case s.isType():
		var err error
		addr, err = p.host.types.find(s.name)
		if err != nil && p.err == nil {
			p.err = err
		}
		if addr == 0 {
			addr = p.host.types.findUnlinked(s.name)
		}
		ok = addr != 0
	default:
		addr, ok = p.host.find(s.name, s.abi)
	}
	if !ok {
		s.state = missing
		p.missing[strings.Replace(s.name, "type:", "type ", 1)] = true
		return
	}
	s.state, s.addr = outside, addr
}

// drain follows the references of all that is needed.
func (p *plan) drain() {
	for len(p.todo) > 0 {
		s := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		o := s.obj
		p.scratch = o.relocs(s, p.scratch)
		for i := 0; i < len(p.scratch); i++ {
			r := p.scratch[i]
			switch t := o.symbol(r.sym); {
			case t == nil || t.kind >= kindDwarfFirst && t.index >= 0:
			case s.state == late: // only what the runtime makes an itab from
				if r.off < 16 {
					p.need(t)
				}
			case r.size == 0:
				switch r.kind {
				case relocKeep:
					p.need(t)
				case relocUseIface:
					p.held = append(p.held, t)
				}
			case r.weak:
				if t.index >= 0 { // a type of the same object
					p.need(t)
				}
			case r.kind == relocMethodOff && t.isType() && mayDrop(o, p.scratch[i:]):
				p.methods = append(p.methods, method{s, r.off})
				i += 2
			default:
				p.need(t)
			}
		}
		if s.state == placed {
			p.needAux(s)
		}
	}
}

// needAux follows the auxiliary symbols: stack maps of functions, types of variables.
func (p *plan) needAux(s *symbol) {
	index := -1
	s.obj.aux(s, func(kind uint8, r ref) {
		switch kind {
		case auxGotype:
			if s.kind == kindData || s.kind == kindBSS || s.kind == kindDataFIPS {
				p.need(s.obj.symbol(r))
			}
		case auxFuncdata:
			index++
			t := s.obj.symbol(r)
			if s.obj.asm && t != nil && t.index < 0 && (index == funcdataArgsMap || index == funcdataArgInfo) {
				// Assembly names tables that only exist if the function has a declaration in Go.
				if p.byName[t.name] == nil {
					return
				}
			}
			p.need(t)
		}
	})
}

// mayDrop reports whether a method, at whose relocations list begins, may be left out of a type: its code is a wrapper
// that the compiler made for a method of an embedded type, whose name only the package that declared it can use.
func mayDrop(o *object, list []reloc) bool {
	fn := o.symbol(list[1].sym)
	if !fn.isCode() || fn.flag&flagDupok == 0 {
		return false
	}
	return !ast.IsExported(fn.name[strings.LastIndexByte(fn.name, '.')+1:])
}

// needMethods adds the methods that may be left out, except those that need something that is missing: the linker has
// dropped them from the program, where nothing could call them.
func (p *plan) needMethods() {
	for i := 0; i < len(p.methods); i++ { // grows meanwhile
		m := p.methods[i]
		p.dropped[m] = !p.attempt(func() {
			for _, r := range m.typ.obj.relocs(m.typ, nil) {
				if m.off <= r.off && r.off < m.off+12 {
					p.need(m.typ.obj.symbol(r.sym))
				}
			}
		})
	}
}

// needCopies adds the functions that any package may have a copy of, instances of generic functions and wrappers of methods.
// The compiler takes it that what inlines a function of this package finds here what that refers to, so they are kept even
// where this package itself inlines all calls of them, unless they need something that is missing.
func (p *plan) needCopies() {
	for _, o := range p.objects {
		for i := range o.syms[:len(o.syms)-o.nrefs] {
			s := &o.syms[i]
			if s.state != unused || !s.isCode() || s.flag&flagDupok == 0 || p.symbols.find(symbolKey(s)) != 0 {
				continue
			}
			if _, ok := p.host.symtab.lookup(symbolKey(s)); !ok {
				p.attempt(func() { p.need(s) })
			}
		}
	}
}

// attempt has need find symbols, with all that they refer to, and takes that back and reports false if something is
// missing.
func (p *plan) attempt(need func()) bool {
	before := p.mark()
	need()
	p.drain()
	p.checkHeld()
	if len(p.missing) == len(before.missing) {
		return true
	}
	p.takeBack(before)
	return false
}

// A mark is how far need has come.
type mark struct {
	missing                      map[string]bool
	checked                      map[*symbol]bool
	live, methods, found, looked int
}

func (p *plan) mark() mark {
	return mark{maps.Clone(p.missing), maps.Clone(p.checked), len(p.live), len(p.methods), len(p.found), p.looked}
}

// takeBack forgets what need found after a mark.
func (p *plan) takeBack(m mark) {
	for _, s := range p.found[m.found:] {
		s.state, s.alias, s.addr = unused, nil, 0
	}
	p.missing, p.checked = m.missing, m.checked
	p.live, p.methods, p.found, p.looked = p.live[:m.live], p.methods[:m.methods], p.found[:m.found], m.looked
}

// checkHeld checks that the types of values that get into interfaces have their methods. The linker drops those of types
// that the program never holds in an interface; a conversion to an interface would then fail as if they did not exist.
func (p *plan) checkHeld() {
	for _, s := range p.live[p.looked:] {
		if s.isType() && s.flag2&flagUsedInIface != 0 {
			p.held = append(p.held, s)
		}
	}
	p.looked = len(p.live)
	for len(p.held) > 0 {
		s := p.held[len(p.held)-1].resolved()
		p.held = p.held[:len(p.held)-1]
		if p.checked[s] {
			continue
		}
		p.checked[s] = true
		switch {
		case s.state == outside && s.isType():
			if d := descriptorAt(s.addr); s.addr < p.region.base {
				p.checkMethods(d)
				if d.ptrToThis != 0 {
					p.checkMethods(p.host.types.at(d.ptrToThis))
				}
			}
		case s.state == late || s.state == placed && s.isType(): // reflection gets from a type at those of its parts
			for _, r := range s.obj.relocs(s, p.scratch) {
				if t := s.obj.symbol(r.sym); t != nil && t.isType() && r.size == 8 && (s.state != late || r.off == 8) {
					p.held = append(p.held, t)
				}
			}
		}
	}
}

func (p *plan) checkMethods(d *descriptor) {
	if d.lacksMethods() {
		p.missing["methods of type "+p.host.types.name(d)] = true
	}
}

// A section is what one area gets of a package.
type section struct {
	addr, size uintptr
}

// descriptorAt is a type that has a place.
func descriptorAt(addr uintptr) *descriptor { return (*descriptor)(pointer(addr)) }
