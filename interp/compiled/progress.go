package compiled

import (
	"sync"
	"time"
)

// A progress reports what is being compiled, where that takes long.
type progress struct {
	tell func(what string)

	mu    sync.Mutex
	what  string
	timer *time.Timer
}

// Packages of modules that together take longer than slow are told, and again while that goes on, slower apart. A cell's own package
// is told only after slower.
const slow, slower = 5 * time.Second, 30 * time.Second

// begin starts the clock for a unit.
func begin(tell func(what string)) *progress {
	p := &progress{tell: tell}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(slow, p.say)
	return p
}

func (p *progress) say() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	p.tell(p.what)
	p.timer.Reset(slower)
}

// now says which package of a module comes now.
func (p *progress) now(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// cell says that the packages of modules are compiled.
func (p *progress) cell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = "the cell"
	p.timer.Reset(slower)
}

// end stops the clock. After that nothing is told.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer.Stop()
	p.timer = nil
}
