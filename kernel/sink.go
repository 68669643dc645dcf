package kernel

import (
	"context"

	"gaucho/interp/api"
)

// sink is what a session sends output to: it publishes it with the right parent.
type sink struct{ k *kernel }

var _ api.Sink = sink{}

// publish publishes what a cell shows. It holds the caller back while clients lag.
func (s sink) publish(cell string, f func(of *parent)) {
	s.k.iopub.wait(s.k.ctx)
	s.k.late.publish(s.k.parents.find(cell), f)
}

// show publishes what a cell shows, and once more under the message of a comm by which another client made it come. A page that was
// loaded anew listens no longer to the requests of its cells: JupyterLab puts what its own message caused into its log.
func (s sink) show(cell string, f func(of *parent)) {
	s.publish(cell, f)
	if m := s.k.parents.handler(s.k.parents.find(cell)); m != nil {
		f(m)
	}
}

// Stream takes printed text.
func (s sink) Stream(cell, name, text string) {
	for len(text) > 0 {
		n := min(len(text), s.k.iopub.chunk)
		part := text[:n]
		s.show(cell, func(of *parent) { s.k.iopub.write(of, name, part) })
		text = text[n:]
	}
}

func (s sink) Display(cell string, d api.Display) {
	kind, transient := "display_data", object{}
	if d.Update {
		kind = "update_display_data"
	}
	if d.ID != "" {
		transient["display_id"] = d.ID
	}
	m := message{kind: kind, content: object{"data": rawObject(d.Data), "metadata": rawObject(d.Metadata), "transient": transient}}
	if d.Update { // which goes to all places of its id
		s.publish(cell, func(of *parent) { s.k.iopub.send(of, m) })
		return
	}
	s.show(cell, func(of *parent) { s.k.iopub.send(of, m) })
}

// Clear clears what a cell has shown, and never what another has.
func (s sink) Clear(cell string, wait bool) {
	clearing := s.k.parents.find(cell)
	s.publish(cell, func(of *parent) {
		if of == clearing {
			s.k.iopub.send(of, message{kind: "clear_output", content: object{"wait": wait}})
		}
	})
}

func (s sink) Comm(cell string, c api.Comm) {
	s.k.comms.note(c)
	content := object{"comm_id": c.ID, "data": rawObject(c.Data)}
	if c.Type == "open" {
		content["target_name"] = c.Target
	}
	m := message{kind: "comm_" + c.Type, content: content, metadata: rawObject(c.Metadata), buffers: c.Buffers}
	s.publish(cell, func(of *parent) { s.k.iopub.send(of, m) })
}

func (s sink) Input(ctx context.Context, cell, prompt string, password bool) (string, error) {
	return s.k.ask(ctx, s.k.parents.find(cell), prompt, password)
}
