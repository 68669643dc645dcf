package worker

import (
	"sync"

	"gaucho/interp/rt"
	"gaucho/interp/wire"
)

// comms joins package widgets, which finds these methods on the sink of package display, with the front end.
type comms struct {
	mu      sync.Mutex
	handler func(typ, id, target string, data, metadata map[string]any, buffers [][]byte)
}

// SendComm sends a message of a comm to the front end: typ is "open", "msg" or "close", target the name of an open one.
func (d displays) SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error {
	return d.w.out.send(&wire.Comm{
		Cell: rt.CellID(), Type: typ, ID: id, Target: target, Data: data, Metadata: metadata, Buffers: buffers,
	})
}

// OnComm installs what receives the front end's messages. It is called for one message at a time, between cells, as the
// code of a cell of its own.
func (d displays) OnComm(f func(typ, id, target string, data, metadata map[string]any, buffers [][]byte)) {
	d.w.comms.mu.Lock()
	defer d.w.comms.mu.Unlock()
	d.w.comms.handler = f
}

// comm hands a message of the front end to what receives them. A failure is told in the cell that the message names.
func (w *server) comm(m *wire.Comm, cell *rt.Cell) {
	w.comms.mu.Lock()
	handler := w.comms.handler
	w.comms.mu.Unlock()
	w.out.setCell(m.Cell)
	end := cell.Run(func() {
		if handler != nil {
			handler(m.Type, m.ID, m.Target, m.Data, m.Metadata, m.Buffers)
		}
	})
	if end.Panic != nil {
		w.GoroutineFailed(m.Cell, end)
	}
}
