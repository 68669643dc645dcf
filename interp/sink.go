package interp

import (
	"context"

	"gaucho/interp/wire"
)

// A workerSink hands what a worker sends to the session's sink, addressed with the cell's own id.
type workerSink struct{ s *Session }

func (w workerSink) id(cell int) string { return w.s.runs.id(cell) }

func (w workerSink) Stream(cell int, name, text string) {
	w.s.opts.Sink.Stream(w.id(cell), name, text)
}

func (w workerSink) Display(cell int, d *wire.Display) {
	w.s.opts.Sink.Display(w.id(cell), Display{Data: d.Data, Metadata: d.Metadata, ID: d.ID, Update: d.Update})
}

func (w workerSink) Clear(cell int, wait bool) { w.s.opts.Sink.Clear(w.id(cell), wait) }

func (w workerSink) Comm(c *wire.Comm) {
	w.s.comms.note(c.Type, c.ID)
	w.s.opts.Sink.Comm(w.id(c.Cell), Comm{
		Type: c.Type, ID: c.ID, Target: c.Target, Data: c.Data, Metadata: c.Metadata, Buffers: c.Buffers,
	})
}

func (w workerSink) Input(ctx context.Context, cell int, prompt string, password bool) (string, error) {
	return w.s.opts.Sink.Input(ctx, w.id(cell), prompt, password)
}
