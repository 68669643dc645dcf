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
}

// Memory is looked at when the kernel has been idle for tidyAfter, and given back when it has grown by tidyGrowth.
const (
	tidyAfter  = time.Second
	tidyGrowth = 16 << 20
)

func newTidier() *tidier {
	t := &tidier{}
	t.held.Store(heldMemory())
	t.timer = time.AfterFunc(tidyAfter, t.tidy)
	return t
}

// idle says that the kernel has become idle, busy that it is no longer.
func (t *tidier) idle() { t.timer.Reset(tidyAfter) }
func (t *tidier) busy() { t.timer.Stop() }

func (t *tidier) tidy() {
	if heldMemory() < t.held.Load()+tidyGrowth {
		return
	}
	debug.FreeOSMemory()
	t.held.Store(heldMemory())
}

// heldMemory is how much memory the Go runtime holds from the operating system.
func heldMemory() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
