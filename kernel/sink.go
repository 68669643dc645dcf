package kernel

import (
	"context"

	"gaucho/interp/api"
)

// sink is what a session sends output to: it publishes it with the right parent.
type sink struct{ k *kernel }

var _ api.Sink = sink{}

// Stream takes printed text. It holds the caller back while clients are behind.
func (s sink) Stream(cell, name, text string) {
	of := s.k.parents.find(cell)
	for len(text) > 0 {
		n := min(len(text), s.k.iopub.chunk)
		s.k.iopub.wait(s.k.ctx)
		s.k.iopub.write(of, name, text[:n])
		text = text[n:]
	}
}

func (s sink) Display(cell string, d api.Display) {
	s.k.iopub.wait(s.k.ctx)
	kind, transient := "display_data", object{}
	if d.Update {
		kind = "update_display_data"
	}
	if d.ID != "" {
		transient["display_id"] = d.ID
	}
	s.k.iopub.send(s.k.parents.find(cell), message{kind: kind, content: object{
		"data": rawObject(d.Data), "metadata": rawObject(d.Metadata), "transient": transient,
	}})
}

func (s sink) Clear(cell string, wait bool) {
	s.k.iopub.wait(s.k.ctx)
	s.k.iopub.send(s.k.parents.find(cell), message{kind: "clear_output", content: object{"wait": wait}})
}

func (s sink) Comm(cell string, c api.Comm) {
	s.k.iopub.wait(s.k.ctx)
	s.k.comms.note(c)
	content := object{"comm_id": c.ID, "data": rawObject(c.Data)}
	if c.Type == "open" {
		content["target_name"] = c.Target
	}
	s.k.iopub.send(s.k.parents.find(cell), message{
		kind: "comm_" + c.Type, content: content, metadata: rawObject(c.Metadata), buffers: c.Buffers,
	})
}

func (s sink) Input(ctx context.Context, cell, prompt string, password bool) (string, error) {
	return s.k.ask(ctx, s.k.parents.find(cell), prompt, password)
}
