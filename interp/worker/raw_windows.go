package worker

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// openFile opens a file that the kernel passed on. Subprocesses do not get it.
func openFile(handle uintptr, name string) *os.File {
	windows.SetHandleInformation(windows.Handle(handle), windows.HANDLE_FLAG_INHERIT, 0)
	return os.NewFile(handle, name)
}

// A rawPipe is the reading end of one of the process's own streams.
type rawPipe struct{ handle windows.Handle }

func openRaw(handle uintptr) *rawPipe {
	windows.SetHandleInformation(windows.Handle(handle), windows.HANDLE_FLAG_INHERIT, 0)
	return &rawPipe{windows.Handle(handle)}
}

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// held returns how many bytes the pipe holds.
func (p *rawPipe) held() uint32 {
	var n uint32
	if ok, _, _ := peekNamedPipe.Call(uintptr(p.handle), 0, 0, 0, uintptr(unsafe.Pointer(&n)), 0); ok == 0 {
		return 0
	}
	return n
}

// read reads what the pipe holds, without waiting. It returns 0 when that is nothing.
func (p *rawPipe) read(b []byte) int {
	held := p.held()
	if held == 0 {
		return 0
	}
	var n uint32
	if err := windows.ReadFile(p.handle, b[:min(int(held), len(b))], &n, nil); err != nil {
		return 0
	}
	return int(n)
}

// peek returns what the pipe holds, which must be discarded next.
func (p *rawPipe) peek(b []byte) int { return p.read(b) }

func (p *rawPipe) discard(int) {}

// wait calls take whenever the pipe has something to read. A read that waits would take bytes from the pipe before it
// could take the lock that keeps output in order, so it looks now and then, less often while nothing comes.
func (p *rawPipe) wait(take func() bool) {
	for idle := time.Millisecond; ; {
		if p.held() > 0 && take() {
			idle = time.Millisecond
			continue
		}
		time.Sleep(idle)
		idle = min(2*idle, 20*time.Millisecond)
	}
}

// anyReadable reports whether one of the two pipes has something to read.
func anyReadable(a, b *rawPipe) bool {
	return a != nil && b != nil && (a.held() > 0 || b.held() > 0)
}

// guardProcess has nothing to do: the kernel keeps the worker in a job that ends with it.
func guardProcess() {}

func endChildren() {}
