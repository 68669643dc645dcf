package kernel

import (
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// A tidier gives memory back to the system that the kernel used for a large message and needs no more. The Go runtime
// does so only as it allocates more, and a kernel that waits for its user does not.
type tidier struct {
	timer *time.Timer   // runs while the kernel is idle
	held  atomic.Uint64 // bytes held from the system when some were last given back
	again atomic.Bool   // some were given back, but more may have been on its way to a client then
}

// Memory is looked at when the kernel has been idle for tidyAfter. If it has grown by tidyGrowth, it is given back, and
// once more after tidyAgain.
const (
	tidyAgain  = 2 * time.Second
	tidyAfter  = time.Second
	tidyGrowth = 16 << 20
)

func newTidier() *tidier {
	t := &tidier{}
	t.held.Store(heldMemory())
	t.timer = time.AfterFunc(time.Hour, t.tidy)
	t.timer.Stop()
	return t
}

// idle says that the kernel has become idle, busy that it is no longer.
func (t *tidier) idle() { t.timer.Reset(tidyAfter) }

func (t *tidier) busy() {
	t.timer.Stop()
	t.held.Store(min(t.held.Load(), heldMemory())) // others may have given some back
}

func (t *tidier) tidy() {
	grown := heldMemory() >= t.held.Load()+tidyGrowth
	if !grown && !t.again.Load() {
		return
	}
	debug.FreeOSMemory()
	t.held.Store(heldMemory())
	if t.again.Store(grown); grown {
		t.timer.Reset(tidyAgain)
	}
}

// heldMemory is how much memory the Go runtime holds from the operating system.
func heldMemory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
