//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"gaucho/internal/modpath"
)

// landmark is a variable that CheckTables finds by name.
var landmark = uint64(0x6c616e646d61726b)

// CheckTables compares the symbol table of the program's file with the program in memory, more closely than Open does: a variable
// must hold what it holds, and 64 functions must be in the runtime's own table where they are in the file's. It takes some milliseconds.
func CheckTables() error {
	l, err := Open()
	if err != nil {
		return err
	}
	t := l.host.symtab
	addr, ok := t.lookup(modpath.Own("gaucho/interp/loader") + ".landmark")
	if !ok || addr != uintptr(unsafe.Pointer(&landmark)) {
		return fmt.Errorf("the symbol table has a variable at %#x that is at %p", addr, &landmark)
	}
	table := *t
	table.functions = unsafe.Slice((*ftabEntry)(pointer(t.md.ftab.addr)), t.md.ftab.len-1)
	const enough, least, stride = 64, 16, 7919 // from all of the table
	checked := 0
	for i := 0; i < len(table.functions) && checked < enough; i++ {
		name := string(table.functionName(i * stride % len(table.functions)))
		addr, ok := t.fromFile(name)
		if !ok || strings.HasPrefix(name, "type:") || strings.HasPrefix(name, "go:") { // slim took it out, or the linker made several
			continue
		}
		if f := l.host.function(addr); f == nil || string(table.nameOf(f)) != name {
			return fmt.Errorf("the symbol table has %s at %#x, and the runtime's table does not", name, addr)
		}
		checked++
	}
	if checked < least {
		return fmt.Errorf("the symbol table has %d of the runtime's functions", checked)
	}
	return nil
}

// checkReplaced reports whether the file of a program is another one than the program in memory, whose code begins at text: on some
// systems the file is found by its name, under which an update may have put another. Where the linker writes a build ID into the
// code, it is the first thing there.
func checkReplaced(program, text []byte) error {
	const begin, end, head = "\xff Go build ID: \"", "\"\n \xff", 64 << 10
	if !bytes.HasPrefix(text, []byte(begin)) {
		return nil
	}
	n := bytes.Index(text, []byte(end))
	if n < 0 || bytes.Contains(program[:min(len(program), head)], text[:n+len(end)]) {
		return nil
	}
	return errors.New("the program's file has been replaced since it was started; start it again")
}

// TryPages tries whether this system runs code that a program has written: it writes 1,000 pages as cells are written, with a function
// each that returns the page's number, and calls each at once on four threads, the last of them from 100 MB away. Where the system forbids that,
// it may end the process. It takes a tenth of a second.
func TryPages() error {
	here := reflect.ValueOf(TryPages).Pointer()
	r, err := reserve(here, here)
	if err != nil {
		return err
	}
	defer unreserveMemory(r.base, r.end-r.base)
	threads := startThreads(3)
	defer threads.end()
	write := func(code []byte) (uintptr, error) {
		addr, err := r.text.takePages(uintptr(len(code)))
		if err != nil {
			return 0, err
		}
		copy(bytesAt(addr, uintptr(len(code))), code)
		flushCode(addr, uintptr(len(code)))
		return addr, seal(addr, uintptr(len(code)), executable)
	}
	pages := min(1000, 32<<20/pageSize)
	var first uintptr
	for i := range pages {
		addr, err := write(codeReturn(uint16(i)))
		if err != nil {
			return err
		}
		if i == 0 {
			first = addr
		}
		if err := threads.call(addr, i); err != nil {
			return err
		}
	}
	r.text.used = min(first+100<<20, r.text.end-pageSize)
	r.text.mapped = r.text.used &^ (64<<10 - 1)
	far, err := write(codeJump(int64(first) - int64(alignUp(r.text.used, pageSize))))
	if err != nil {
		return err
	}
	return threads.call(far, 0)
}

// threads call functions at once, each on a thread of its own.
type threads struct {
	calls   []chan uintptr
	results chan uintptr
}

func startThreads(n int) *threads {
	t := &threads{results: make(chan uintptr)}
	for range n {
		calls := make(chan uintptr)
		t.calls = append(t.calls, calls)
		go func() {
			runtime.LockOSThread()
			for addr := range calls {
				t.results <- funcAt[func() uintptr](addr)()
			}
		}()
	}
	return t
}

// call calls the function at an address on each thread and this one. Each must return want.
func (t *threads) call(addr, want uintptr) error {
	for _, c := range t.calls {
		c <- addr
	}
	got := []uintptr{funcAt[func() uintptr](addr)()}
	for range t.calls {
		got = append(got, <-t.results)
	}
	for _, g := range got {
		if g != want {
			return fmt.Errorf("code that returns %d returned %d", want, g)
		}
	}
	return nil
}

func (t *threads) end() {
	for _, c := range t.calls {
		close(c)
	}
}
