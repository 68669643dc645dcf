//go:build go1.26 && !go1.27 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// links make reflection find the types of loaded packages: before it makes a type such as []T, it looks for one in the
// typelinks of all modules.
//
// It reads those at any time, as an address and a length, so a length never changes: a list of linksLen offsets, sorted by
// the types' names, is replaced by another one by storing its address. Free places repeat the last offset. When a list is
// full, another module gets the next one.
type links struct {
	module *moduledata
	list   []int32 // of module; a slice, so that the Go heap keeps what a reader may still look at
	used   int
	full   [][]int32 // of earlier modules
}

const linksLen = 4096

// publishTypes makes the package's types known to reflection and to later packages.
func (p *plan) publishTypes() error {
	var offs []int32
	for _, s := range p.live {
		if !s.isType() {
			continue
		}
		p.host.types.loaded.add(s.name, s.addr)
		if s.flag&flagTypelink != 0 {
			offs = append(offs, int32(s.addr-p.module.types))
		}
	}
	t := p.host.types
	slices.SortFunc(offs, func(a, b int32) int { return strings.Compare(t.name(t.at(a)), t.name(t.at(b))) })
	for len(offs) > 0 {
		if p.links.used == linksLen {
			p.links.full = append(p.links.full, p.links.list)
			p.links.module, p.links.list, p.links.used = nil, nil, 0
		}
		n := min(len(offs), linksLen-p.links.used)
		if err := p.addLinks(offs[:n]); err != nil {
			return err
		}
		offs = offs[n:]
	}
	return nil
}

// addLinks replaces the last list by one that has more offsets, which are sorted.
func (l *Loader) addLinks(offs []int32) error {
	t, k := l.host.types, &l.links
	list := make([]int32, linksLen)
	old := k.list[:k.used]
	n := 0
	for _, off := range offs {
		name := t.name(t.at(off))
		before := sort.Search(len(old), func(i int) bool { return t.name(t.at(old[i])) > name })
		n += copy(list[n:], old[:before])
		old = old[before:]
		list[n] = off
		n++
	}
	n += copy(list[n:], old)
	for i := n; i < linksLen; i++ {
		list[i] = list[n-1]
	}
	if k.module == nil {
		md, err := newLinksModule(l.region, l.module, list)
		if err != nil {
			return err
		}
		l.host.register(md)
		k.module = md
	}
	publish(&k.module.typelinks.addr, uintptr(unsafe.Pointer(&list[0])))
	// Only now may the old list lose its last reference here: who read its address has it on a stack by now.
	k.list, k.used = list, n
	return nil
}
