package headless

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"gaucho/command/notebook"
	"gaucho/interp"
)

// A Recorder is a session's sink that keeps what cells show as outputs of the notebook's cells, as Jupyter's clients
// do: text of one stream is joined, a display with an id may be replaced from any later cell, and an output may be
// cleared at once or when the next one comes. Its methods are safe for concurrent use.
type Recorder struct {
	Stdout, Stderr io.Writer // when not nil, get the text that cells show as it comes

	mu      sync.Mutex
	cells   map[string]*recorded
	written []*written // the displays with ids, in their order
	widgets widgets
}

type recorded struct {
	cell  *notebook.Cell
	ids   map[*notebook.Output]string // under which some of its outputs were shown
	clear bool                        // before the next output
}

// A written is the text of a display that may be replaced.
type written struct {
	id         string
	at         time.Time // when it was last written
	text, last string    // as it was written, and as it is
}

// writeEvery is how long a display that is replaced over and over, such as a bar, is not written again.
const writeEvery = 10 * time.Second

// drop drops the cell's outputs.
func (rec *recorded) drop() { rec.cell.Outputs, rec.ids, rec.clear = nil, nil, false }

var _ interp.Sink = (*Recorder)(nil)

// NewRecorder returns a recorder without cells; [Run] adds them.
func NewRecorder() *Recorder { return &Recorder{cells: map[string]*recorded{}} }

// add makes id the address of a cell.
func (r *Recorder) add(id string, c *notebook.Cell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cells[id] = &recorded{cell: c}
}

// with calls f with the recorded cell, whose postponed clearing is done if an output is to come.
func (r *Recorder) with(id string, output bool, f func(*recorded)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.cells[id]
	if rec == nil {
		return
	}
	if output && rec.clear {
		rec.drop()
	}
	f(rec)
}

// Stream adds text to the cell's last output if that is of the same stream, else starts a new one.
func (r *Recorder) Stream(cell, name, text string) {
	r.with(cell, true, func(rec *recorded) {
		if n := len(rec.cell.Outputs); n > 0 && rec.cell.Outputs[n-1].Type == "stream" && rec.cell.Outputs[n-1].Name == name {
			rec.cell.Outputs[n-1].Text += text
		} else {
			rec.cell.Outputs = append(rec.cell.Outputs, &notebook.Output{Type: "stream", Name: name, Text: text})
		}
		if w := r.Stdout; name == "stdout" && w != nil {
			io.WriteString(w, text)
		} else if w := r.Stderr; name == "stderr" && w != nil {
			io.WriteString(w, text)
		}
	})
}

// Display adds an output, or replaces the data of all those that were shown under the same id.
func (r *Recorder) Display(cell string, d interp.Display) {
	if d.Update {
		r.update(d)
		return
	}
	r.with(cell, true, func(rec *recorded) {
		r.show(rec, &notebook.Output{Type: "display_data"}, d)
	})
}

func (r *Recorder) update(d interp.Display) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.written {
		if w.id != d.ID {
			continue
		}
		w.last, _ = d.Data["text/plain"].(string)
		if time.Since(w.at) > writeEvery {
			w.write(r.Stdout)
		}
	}
	for _, rec := range r.cells {
		for _, o := range rec.cell.Outputs {
			if d.ID != "" && rec.ids[o] == d.ID {
				o.Data, o.Metadata = maps.Clone(d.Data), maps.Clone(d.Metadata)
			}
		}
	}
}

// result adds the value of the cell's last expression.
func (r *Recorder) result(cell string, d *interp.Display, number int) {
	r.with(cell, true, func(rec *recorded) {
		r.show(rec, &notebook.Output{Type: "execute_result", Count: number}, *d)
	})
}

// show adds a display to a cell's outputs, and writes its text form.
func (r *Recorder) show(rec *recorded, o *notebook.Output, d interp.Display) {
	o.Data, o.Metadata = maps.Clone(d.Data), maps.Clone(d.Metadata)
	rec.cell.Outputs = append(rec.cell.Outputs, o)
	if d.ID != "" {
		if rec.ids == nil {
			rec.ids = map[*notebook.Output]string{}
		}
		rec.ids[o] = d.ID
	}
	if s, ok := d.Data["text/plain"].(string); ok && r.Stdout != nil {
		io.WriteString(r.Stdout, asLine(s))
		if d.ID != "" {
			r.written = slices.DeleteFunc(r.written, func(w *written) bool { return w.id == d.ID })
			r.written = append(r.written, &written{d.ID, time.Now(), s, s})
		}
	}
}

// write writes the text as it is, unless that was done.
func (w *written) write(to io.Writer) {
	if w.last != w.text && w.last != "" {
		io.WriteString(to, asLine(w.last))
	}
	w.at, w.text = time.Now(), w.last
}

// ended writes what became of displays since they were last written.
func (r *Recorder) ended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.written {
		w.write(r.Stdout)
	}
}

// fail adds a cell's error.
func (r *Recorder) fail(cell string, e *interp.Error) {
	r.with(cell, true, func(rec *recorded) {
		rec.cell.Outputs = append(rec.cell.Outputs,
			&notebook.Output{Type: "error", Ename: e.Name, Evalue: e.Value, Traceback: e.Traceback})
	})
}

// Clear drops the cell's outputs, with wait only when the next output comes.
func (r *Recorder) Clear(cell string, wait bool) {
	r.with(cell, false, func(rec *recorded) {
		if rec.clear = wait; !wait {
			rec.drop()
		}
	})
}

// Comm keeps the state of widgets.
func (r *Recorder) Comm(cell string, c interp.Comm) {
	r.with(cell, false, func(rec *recorded) {
		if rec.cell.ID != "" { // else its number has to do
			cell = rec.cell.ID
		}
	})
	r.widgets.take(cell, c)
}

// Input returns an error: nobody is there to answer.
func (r *Recorder) Input(ctx context.Context, cell, prompt string, password bool) (string, error) {
	return "", errors.New("a notebook that runs headless cannot ask for input")
}
