//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"unsafe"
)

// host is the running program, as loaded code sees it.
type host struct {
	*internals
	symtab *symtab
	types  *types
	etext  uintptr // where the program's code ends; see coverFaults
}

func openHost() (*host, error) {
	md, err := hostModule()
	if err != nil {
		return nil, err
	}
	tab, err := openSymtab(md)
	if err != nil {
		return nil, err
	}
	text, ok := tab.lookup("runtime.text")
	if !ok {
		language(nil)
		keepMethods(reflect.Value{}, "")
		return nil, errStripped
	}
	tab.bias = md.text - text
	rt, err := findInternals(md, tab.lookup)
	if err != nil {
		return nil, err
	}
	if first, _ := tab.lookup("runtime.firstmoduledata"); first != uintptr(unsafe.Pointer(md)) {
		return nil, errors.New("the program's symbol table does not fit the program")
	}
	h := &host{internals: rt, symtab: tab, types: newTypes(rt), etext: md.etext}
	tab.release(md.types, md.etypes)
	return h, nil
}

// keepMethods calls a method by a name that the linker does not know, for which it keeps all exported methods of all types
// that the program may hold in an interface.
func keepMethods(v reflect.Value, name string) reflect.Value { return v.MethodByName(name) }

const abi0 = 0 // of functions for the assembler's calling convention, and of variables

// find returns the address of a function or variable of the program. The linker marks a function for the assembler's
// calling convention only where there is one for Go's as well.
func (h *host) find(name string, abi uint16) (uintptr, bool) {
	if abi == abi0 {
		if addr, ok := h.symtab.lookup(name + ".abi0"); ok {
			return addr, true
		}
	}
	addr, ok := h.symtab.lookup(name)
	if ok && abi == abi0 && h.inText(addr) {
		f := h.function(addr)
		ok = f != nil && f.flag&flagAsm != 0 && !abiInternalAssembly(name)
	}
	return addr, ok
}

// abiInternalAssembly reports whether a function written in assembly may be one for Go's calling convention. Only the
// runtime and what belongs to it have such.
func abiInternalAssembly(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/") || strings.HasPrefix(name, "reflect.")
}

func (h *host) inText(addr uintptr) bool { return h.first.text <= addr && addr < h.etext }

// function returns the runtime's record of the function that starts at addr.
func (h *host) function(addr uintptr) *function {
	tab := unsafe.Slice((*ftabEntry)(pointer(h.first.ftab.addr)), h.first.ftab.len-1)
	off := uint32(addr - h.first.text)
	i := sort.Search(len(tab), func(i int) bool { return tab[i].entry >= off })
	if i == len(tab) || tab[i].entry != off {
		return nil
	}
	return (*function)(pointer(h.first.pclntable.addr + uintptr(tab[i].function)))
}

// checkHeader checks the first line of an object: who made it, for what.
func checkHeader(line string) error {
	f := strings.Fields(line) // go object linux amd64 go1.26.8 ...
	version, _, _ := strings.Cut(runtime.Version(), " ")
	if len(f) < 5 || f[2] != runtime.GOOS || f[3] != runtime.GOARCH || f[4] != version {
		return fmt.Errorf("the object is for %s, the program for %s %s %s",
			strings.TrimPrefix(line, "go object "), runtime.GOOS, runtime.GOARCH, version)
	}
	return nil
}
