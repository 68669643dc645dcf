package worker

import (
	"maps"
	"sync"
	"sync/atomic"

	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
)

// comms joins package widgets, which finds the methods of displays below on the sink of package display, with the front
// end. Messages are taken at once, also while a cell runs; what follows from one, the code of callbacks, is run between
// cells, in the order of the messages.
type comms struct {
	mu      sync.Mutex
	handler commHandler
	some    sync.Cond
	items   []task
	told    atomic.Bool // the message that is followed up has failed, and that was shown
}

// A commHandler takes a message of the front end and returns what is to be run because of it, nil for nothing.
type commHandler func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) (run func())

// SendComm sends a message of a comm to the front end: typ is "open", "msg" or "close", target the name of an open one.
func (d displays) SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error {
	return d.w.out.send(&wire.Comm{
		Cell: run.CellID(), Type: typ, ID: id, Target: target, Data: data, Metadata: metadata, Buffers: buffers,
	})
}

// OnComm installs what receives the front end's messages, one at a time. It must not wait for cells.
func (d displays) OnComm(f func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) (run func())) {
	d.w.comms.mu.Lock()
	defer d.w.comms.mu.Unlock()
	d.w.comms.handler = f
}

// Cell returns the number of the cell whose code calls it.
func (d displays) Cell() int { return d.w.out.speaker(run.CellID()) }

// Callback calls f as a callback that was installed by a cell's code: what it shows, prints or fails with appears there. It
// returns false if the code that calls it has been interrupted.
func (d displays) Callback(cell int, f func()) (goOn bool) {
	d.w.out.speakFor(run.CellID(), cell)
	if e := d.w.failure(run.Protect(f)); e != nil {
		d.w.comms.told.Store(true)
		d.w.out.write(run.CellID(), wire.Stderr, []byte(d.w.failureText("a callback ended", e)))
	}
	select {
	case <-run.Done():
		return false
	default:
		return true
	}
}

// AtEnd has f called when the running code ends, a cell or what follows from a message; of one key, once. f may show something,
// and runs no code of cells.
func (d displays) AtEnd(key any, f func()) { d.w.ends.add(run.CellID(), key, f) }

// Run calls f and returns nil, or what it failed with as an output of a notebook, of type error.
func (d displays) Run(f func()) map[string]any {
	e := d.w.failure(run.Protect(f))
	if e == nil {
		return nil
	}
	d.w.comms.told.Store(true)
	return map[string]any{"output_type": "error", "ename": e.Name, "evalue": e.Value, "traceback": d.w.traceback(e)}
}

// Capture gives what the running cell shows and prints to take, as outputs of a notebook, until release is called: of
// type stream, display_data or update_display_data (with its display id in transient), or clear_output. It is called by
// one goroutine at a time and must not show anything itself.
func (d displays) Capture(take func(output map[string]any)) (release func()) {
	return d.w.out.capture(run.CellID(), take)
}

// Render returns an output of type display_data that shows a value, nil if there is nothing to show.
func (d displays) Render(v any) map[string]any {
	bundle, metadata := rendered([]any{v})
	if bundle == nil {
		return nil
	}
	return displayed("display_data", bundle, metadata, "")
}

func (c *comms) put(r task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items = append(c.items, r)
	c.some.Signal()
}

func (c *comms) next() (task, commHandler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.items) == 0 {
		c.some.Wait()
	}
	r := c.items[0]
	c.items = c.items[1:]
	return r, c.handler
}

// takeComms hands messages of the front end to what receives them, so that the loop that takes interrupts need not wait
// for it.
func (w *server) takeComms() {
	for {
		r, handler := w.comms.next()
		switch m := r.comm; {
		case handler != nil:
			r.cell.As(func() { r.follow = handler(m.Type, m.ID, m.Target, m.Data, m.Metadata, m.Buffers) })
		case m.Type == "open": // nobody knows any target
			w.out.send(&wire.Comm{Cell: m.Cell, Type: "close", ID: m.ID})
		}
		if r.follow == nil {
			r.cell.Release()
			w.out.send(&wire.Done{Cell: r.comm.Cell})
			continue
		}
		if busy := w.runs.add(r); busy {
			w.out.send(&wire.Started{Cell: r.comm.Cell})
		}
	}
}

// comm runs the callbacks for a message of the front end. A failure is reported in the cell that the message names.
func (w *server) comm(r task) {
	id := r.comm.Cell
	w.out.setCell(id)
	w.comms.told.Store(false)
	w.ends.open(id)
	if e := w.failure(r.cell.Run(r.follow)); e != nil && !w.comms.told.Load() {
		w.out.write(id, wire.Stderr, []byte(w.failureText("a callback ended", e)))
	}
	w.ends.close(r.cell)
	w.out.send(&wire.Done{Cell: id})
}

// displayed returns an output of a notebook that shows forms.
func displayed(typ string, data wire.Bundle, metadata map[string]any, id string) map[string]any {
	if metadata == nil {
		metadata = map[string]any{}
	}
	forms := map[string]any{} // a bundle on the wire holds its data apart
	maps.Copy(forms, data)
	o := map[string]any{"output_type": typ, "data": forms, "metadata": metadata}
	if id != "" {
		o["transient"] = map[string]any{"display_id": id}
	}
	return o
}
