//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// types finds the type descriptors of the program and of what was loaded, so that there is one for each type.
//
// The linker keeps no names of descriptors. But a descriptor has the compiler's hash of the type's link name, the very
// name that an object refers to, so the program's descriptors are indexed by that; and the name itself is compared as far
// as the descriptor has it. The program's typelinks have all types without a name, of pointers to types with a name as
// well, and so most of these too; only interfaces without a name, and a few with a name, have to be searched for.
type types struct {
	host     *moduledata
	base     uintptr  // offsets in descriptors count from here
	byHash   []uint64 // sorted: a descriptor's hash, and its offset in the low half
	searched bool
	loaded   names           // by symbol, those of the program that were looked up as well
	packages map[string]bool // the paths of all that was loaded, or is: the program has no types of theirs
}

func newTypes(rt *internals) *types {
	t := &types{base: rt.first.types, host: rt.first, loaded: names{}, packages: map[string]bool{}}
	n, links := rt.typelinks()
	t.byHash = make([]uint64, 0, 2*n)
	for d := range links {
		t.add(d)
		if d.kind == kindPointer {
			t.add(d.elem())
		}
	}
	slices.Sort(t.byHash)
	return t
}

func (t *types) at(off int32) *descriptor { return (*descriptor)(pointer(t.base + uintptr(off))) }

// add indexes a descriptor of the program; the index must be sorted afterwards.
func (t *types) add(d *descriptor) {
	t.byHash = append(t.byHash, uint64(d.hash)<<32|uint64(uintptr(unsafe.Pointer(d))-t.base))
}

// find returns the address of the descriptor for a symbol, type: and the link name of a type, or 0.
func (t *types) find(symbol string) (uintptr, error) {
	if addr := t.loaded.find(symbol); addr != 0 {
		return addr, nil
	}
	d, err := t.inProgram(strings.TrimPrefix(symbol, "type:"))
	if d == nil || err != nil {
		return 0, err
	}
	addr := uintptr(unsafe.Pointer(d))
	t.loaded.add(symbol, addr)
	return addr, nil
}

func (t *types) inProgram(name string) (*descriptor, error) {
	if !t.searched && strings.HasPrefix(name, "interface {") {
		t.searched = true
		t.search()
	}
	hash, want := typeHash(name), bare(name)
	var other *descriptor
	i, _ := slices.BinarySearch(t.byHash, uint64(hash)<<32)
	for ; i < len(t.byHash) && uint32(t.byHash[i]>>32) == hash; i++ {
		if other = t.at(int32(t.byHash[i])); bare(t.name(other)) == want {
			return other, nil
		}
	}
	if other != nil && !t.ofLoaded(name) {
		return nil, fmt.Errorf("type %s cannot be told from the program's %s", name, t.name(other))
	}
	return nil, nil
}

// ofLoaded reports whether a type's link name mentions a package that was loaded. It looks at all of them, which is for types that
// have the hash of another one of the program: one in millions.
func (t *types) ofLoaded(name string) bool {
	for path := range t.packages {
		dir, last := "", path
		if i := strings.LastIndex(path, "/"); i >= 0 {
			dir, last = path[:i+1], path[i+1:]
		}
		if strings.Contains(name, dir+strings.ReplaceAll(last, ".", "%2e")+".") {
			return true
		}
	}
	return false
}

// search indexes the interface types without a name, in all of the memory that the program's types are in. What else
// looks like one is never found, as its hash is of no name.
func (t *types) search() {
	end := t.host.etypes
	for addr := alignUp(t.base, 8); addr+commonSize <= end; addr += 8 {
		d := (*descriptor)(pointer(addr))
		if d.kind == kindInterface && d.size == 16 && d.ptrBytes == 16 && d.align == 8 && d.fieldAlign == 8 && d.tflag&tflagNamed == 0 &&
			d.str > 0 && t.base+uintptr(d.str) < end {
			t.add(d)
		}
	}
	slices.Sort(t.byHash)
}

// findUnlinked finds the descriptor of a type with a name to which the program has no pointer type, so that it is not in
// typelinks: one that is not exported, in a function that the compiler has put into another package's code.
func (t *types) findUnlinked(symbol string) uintptr {
	name := strings.TrimPrefix(symbol, "type:")
	hash, want, end := typeHash(name), bare(name), t.host.etypes
	for addr := alignUp(t.base, 8); addr+commonSize <= end; addr += 8 {
		d := (*descriptor)(pointer(addr))
		if d.hash == hash && d.tflag&tflagNamed != 0 && d.str > 0 && t.base+uintptr(d.str) < end && bare(t.name(d)) == want {
			t.loaded.add(symbol, addr)
			return addr
		}
	}
	return 0
}

// typeHash is the compiler's hash of a link name.
func typeHash(name string) uint32 {
	sum := sha256.Sum256([]byte(name))
	sum[0] ^= 0xff
	return binary.LittleEndian.Uint32(sum[:4])
}

// bare is a type's name without the packages' paths and names and without the numbers of local types: what link names
// and names at run time have in common.
func bare(name string) string {
	out := make([]byte, 0, len(name))
	token := 0 // where a package's path may start
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch c {
		case '.':
			if i > 0 && len(out) > token {
				out = out[:token]
				continue
			}
		case '"': // a field's tag
			j := i + 1
			for j < len(name) && name[j] != '"' {
				if name[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(name))
			out = append(out, name[i:j]...)
			i, token = j-1, len(out)
			continue
		case ' ', '[', ']', '(', ')', '{', '}', '*', ',', ';', '<':
			out = append(out, c)
			token = len(out)
			continue
		}
		if strings.HasPrefix(name[i:], "·") {
			i += len("·")
			for i < len(name) && '0' <= name[i] && name[i] <= '9' {
				i++
			}
			i--
			continue
		}
		out = append(out, c)
		if c == '.' { // one of ...
			token = len(out)
		}
	}
	return string(out)
}
