package pipe

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// OpenFile opens a file that the kernel passed on. Subprocesses do not get it.
func OpenFile(handle uintptr, name string) *os.File {
	windows.SetHandleInformation(windows.Handle(handle), windows.HANDLE_FLAG_INHERIT, 0)
	return os.NewFile(handle, name)
}

// A Raw is the reading end of one of the process's own streams.
type Raw struct{ handle windows.Handle }

// OpenRaw returns the stream whose reading end has the handle.
func OpenRaw(handle uintptr) *Raw {
	windows.SetHandleInformation(windows.Handle(handle), windows.HANDLE_FLAG_INHERIT, 0)
	return &Raw{windows.Handle(handle)}
}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// Held returns how many bytes the pipe holds.
func (p *Raw) Held() uint32 {
	var n uint32
	if ok, _, _ := peekNamedPipe.Call(uintptr(p.handle), 0, 0, 0, uintptr(unsafe.Pointer(&n)), 0); ok == 0 {
		return 0
	}
	return n
}

// Read reads what the pipe holds, without waiting. It returns 0 when that is nothing.
func (p *Raw) Read(b []byte) int {
	held := p.Held()
	if held == 0 {
		return 0
	}
	var n uint32
	if err := windows.ReadFile(p.handle, b[:min(int(held), len(b))], &n, nil); err != nil {
		return 0
	}
	return int(n)
}

// Peek returns what the pipe holds, which must be discarded next.
func (p *Raw) Peek(b []byte) int { return p.Read(b) }

// Discard does nothing: Peek has taken the bytes.
func (p *Raw) Discard(int) {}

// Wait calls take whenever the pipe has something to read. A read that waits would take bytes from the pipe before it
// could take the lock that keeps output in order, so it looks now and then, less often while nothing comes.
func (p *Raw) Wait(take func() bool) {
	for idle := time.Millisecond; ; {
		if p.Held() > 0 && take() {
			idle = time.Millisecond
			continue
		}
		time.Sleep(idle)
		idle = min(2*idle, 20*time.Millisecond)
	}
}

// AnyReadable reports whether one of the two pipes has something to read.
func AnyReadable(a, b *Raw) bool {
	return a != nil && b != nil && (a.Held() > 0 || b.Held() > 0)
}
