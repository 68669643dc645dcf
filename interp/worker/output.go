package worker

import (
	"strings"
	"sync"
	"time"

	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// output sends what cells write, and what anything writes to the process's own standard output and error, in the order
// in which it was written.
type output struct {
	conn *wire.Conn
	raw  [2]*pipe.Raw // standard output and error

	mu   sync.Mutex
	cell int // the cell that runs, or else the last
	buf  [64 << 10]byte

	ending time.Time // when the process seemed to begin its last words

	captured map[int]func(output map[string]any) // what takes a cell's output in place of the kernel, by cell
	owners   map[string]func(map[string]any)     // what has taken a display, by its id
	owned    []string                            // their ids, oldest first
	speaks   map[int]int                         // the cell in which a callback's output appears, by the callback's
	spoken   []int                               // its keys, oldest first
}

// speakersKept is how many callbacks are remembered, for goroutines that outlive them; ownersKept how many displays that
// were captured, for updates from elsewhere.
const (
	speakersKept = 4096
	ownersKept   = 1024
)

// speakFor makes what one cell shows from now on appear in another.
func (o *output) speakFor(cell, as int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.speaks == nil {
		o.speaks = map[int]int{}
	}
	if cell == as {
		return
	}
	if _, known := o.speaks[cell]; !known {
		if o.spoken = append(o.spoken, cell); len(o.spoken) > speakersKept {
			delete(o.speaks, o.spoken[0])
			o.spoken = o.spoken[1:]
		}
	}
	o.speaks[cell] = as
}

// speaker returns the cell in which a cell's output appears.
func (o *output) speaker(cell int) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.appears(cell)
}

func (o *output) appears(cell int) int {
	if as, ok := o.speaks[cell]; ok {
		return as
	}
	return cell
}

// capture gives a cell's output to take until release is called.
func (o *output) capture(cell int, take func(map[string]any)) (release func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	if o.captured == nil {
		o.captured = map[int]func(map[string]any){}
	}
	before := o.captured[cell]
	o.captured[cell] = take
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.drain()
		if o.captured[cell] = before; before == nil {
			delete(o.captured, cell)
		}
	}
}

// text sends a piece of a stream, or gives it to what captures it. The lock is held.
func (o *output) text(cell, stream int, p []byte) {
	take := o.captured[cell]
	if take == nil || stream == wire.LastWords {
		o.conn.Send(&wire.Output{Cell: o.appears(cell), Stream: stream, Data: p})
		return
	}
	name := "stdout"
	if stream == wire.Stderr || stream == wire.RawStderr {
		name = "stderr"
	}
	take(map[string]any{"output_type": "stream", "name": name, "text": strings.ToValidUTF8(string(p), "\uFFFD")})
}

// taker returns what takes a display in place of the kernel: what captures the output of its cell, or, for an update, what
// took the display that it updates. The lock is held.
func (o *output) taker(m *wire.Display) func(map[string]any) {
	if m.Update {
		return o.owners[m.ID]
	}
	take := o.captured[m.Cell]
	if take != nil && m.ID != "" {
		if o.owners == nil {
			o.owners = map[string]func(map[string]any){}
		}
		if o.owners[m.ID] == nil {
			if o.owned = append(o.owned, m.ID); len(o.owned) > ownersKept {
				delete(o.owners, o.owned[0])
				o.owned = o.owned[1:]
			}
		}
		o.owners[m.ID] = take
	}
	return take
}

// address makes a display appear in its cell, or gives it to what captures it: then it is not sent. The lock is held.
func (o *output) address(m wire.Message) (send bool) {
	switch m := m.(type) {
	case *wire.Display:
		if take := o.taker(m); take != nil {
			typ := "display_data"
			if m.Update {
				typ = "update_display_data"
			}
			take(displayed(typ, m.Data, m.Metadata, m.ID))
			return false
		}
		m.Cell = o.appears(m.Cell)
	case *wire.Clear:
		if take := o.captured[m.Cell]; take != nil {
			take(map[string]any{"output_type": "clear_output", "wait": m.Wait})
			return false
		}
		m.Cell = o.appears(m.Cell)
	}
	return true
}

// write sends what a cell writes. It waits when the kernel cannot keep up.
func (o *output) write(cell, stream int, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	const chunk = 1 << 20
	for len(p) > chunk {
		o.text(cell, stream, p[:chunk])
		p = p[chunk:]
	}
	o.text(cell, stream, p)
}

// send sends a message after all output written so far.
func (o *output) send(m wire.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.drain()
	if !o.address(m) {
		return nil
	}
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
	for pipe.AnyReadable(o.raw[0], o.raw[1]) {
		if !o.take(0) && !o.take(1) {
			return
		}
	}
}

// take sends on one piece of what stream i of the process holds and reports whether there was any. The lock is held.
func (o *output) take(i int) bool {
	n := o.raw[i].Peek(o.buf[:])
	if n <= 0 {
		return false
	}
	p := o.buf[:n]
	stream := wire.RawStdout + i
	if stream == wire.RawStderr {
		if at := pipe.LastWords(p); at >= 0 {
			o.ending = time.Now()
		}
		if time.Since(o.ending) < time.Second {
			stream = wire.LastWords
		}
	}
	o.text(o.cell, stream, p)
	o.raw[i].Discard(n)
	return true
}

// forward sends on what comes from stream i of the process, while no cell prints.
func (o *output) forward(i int) {
	o.raw[i].Wait(func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.take(i)
	})
}
