package worker

import (
	"sync"
	"time"

	"gaucho/interp/wire"
)

// output sends what cells write, and what anything writes to the process's own standard output and error, in the order
// in which it was written.
type output struct {
	conn *wire.Conn
	raw  [2]*rawPipe // standard output and error

	mu   sync.Mutex
	cell int // the cell that runs, or else the last
	buf  [64 << 10]byte

	ending time.Time // when the process seemed to begin its last words
}

// write sends what a cell writes. It waits when the kernel cannot keep up.
func (o *output) write(cell, stream int, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	const chunk = 1 << 20
	for len(p) > chunk {
		o.conn.Send(&wire.Output{Cell: cell, Stream: stream, Data: p[:chunk]})
		p = p[chunk:]
	}
	o.conn.Send(&wire.Output{Cell: cell, Stream: stream, Data: p})
}

// send sends a message after all output written so far.
func (o *output) send(m wire.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	return o.conn.Send(m)
}

// setCell says which cell gets from now on what comes from the process's own streams.
func (o *output) setCell(cell int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	o.cell = cell
}

// drain sends on what the process's own streams hold. The lock is held.
func (o *output) drain() {
	for anyReadable(o.raw[0], o.raw[1]) {
		if !o.take(0) && !o.take(1) {
			return
		}
	}
}

// take sends on one piece of what stream i of the process holds and reports whether there was any. The lock is held.
func (o *output) take(i int) bool {
	n := o.raw[i].peek(o.buf[:])
	if n <= 0 {
		return false
	}
	p := o.buf[:n]
	stream := wire.RawStdout + i
	if stream == wire.RawStderr {
		if at := crashWords(p); at >= 0 {
			o.ending = time.Now()
		}
		if time.Since(o.ending) < time.Second {
			stream = wire.LastWords
		}
	}
	o.conn.Send(&wire.Output{Cell: o.cell, Stream: stream, Data: p})
	o.raw[i].discard(n)
	return true
}

// forward sends on what comes from stream i of the process, while no cell prints.
func (o *output) forward(i int) {
	o.raw[i].wait(func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.take(i)
	})
}
