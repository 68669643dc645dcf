package kernel

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// A tidier gives memory back to the system that the kernel used for a large message and needs no more. The Go runtime
// does so only as it allocates more, and a kernel that waits for its user does not.
type tidier struct {
	mu    sync.Mutex
	timer *time.Timer   // runs while the kernel is idle
	after time.Duration // that the timer runs; 0 while the kernel is busy
	held  uint64        // bytes held from the system that are no reason to look again
}

// Memory is looked at when the kernel has been idle for tidyAfter. If it has grown by tidyGrowth, it is given back, and once more
// after twice that time, as some may have been on its way to a client. While that is so, the time doubles, up to tidyLast: what is
// held then is needed.
const (
	tidyAfter  = time.Second
	tidyLast   = 32 * time.Second
	tidyGrowth = 16 << 20
)

func newTidier() *tidier {
	t := &tidier{held: heldMemory()}
	t.timer = time.AfterFunc(time.Hour, t.tidy)
	t.timer.Stop()
	return t
}

// idle says that the kernel has become idle, busy that it is no longer.
func (t *tidier) idle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wait(tidyAfter)
}

func (t *tidier) busy() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
	t.after = 0
	t.held = min(t.held, heldMemory()) // others may have given some back
}

func (t *tidier) wait(d time.Duration) {
	t.after = d
	t.timer.Reset(d)
}

func (t *tidier) tidy() {
	t.mu.Lock()
	after, held := t.after, t.held
	t.mu.Unlock()
	if after == 0 || after == tidyAfter && heldMemory() < held+tidyGrowth {
		return
	}
	debug.FreeOSMemory() // without the lock, as a request may come
	t.mu.Lock()
	defer t.mu.Unlock()
	switch now := heldMemory(); {
	case t.after != after: // one has come
	case after == tidyAfter || now >= held+tidyGrowth && after < tidyLast:
		t.wait(2 * after)
	case now >= held+tidyGrowth: // Less than that may still be on its way, and would add up from request to request.
		t.held = now
	}
}

// heldMemory is how much memory the Go runtime holds from the operating system.
func heldMemory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
