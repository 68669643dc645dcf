package widgets

import (
	"maps"
	"sync"
	"time"
)

// An outputList is what an [Output] shows, as the notebook format has it.
type outputList struct {
	m *Model

	mu    sync.Mutex
	items []map[string]any
	ids   map[string][]int // items by display id
	clear bool             // when the next output comes
	timer *time.Timer      // set when there is something to show

	showing sync.Mutex // held to show: later states are not overtaken by earlier ones
}

// outputPause is how long output waits for more before it is shown, while code runs in an Output: a figure that is drawn
// anew within that time takes the place of the old one at once, with all that is printed alongside it.
const outputPause = 300 * time.Millisecond

// NewOutput returns an empty Output.
func NewOutput() *Output {
	m := newModel(classOutput)
	return &Output{m, &outputList{m: m, ids: map[string][]int{}}}
}

// Capture calls f; what the running cell prints and shows meanwhile appears in the widget, and so does what f fails with:
// the code after the call goes on. Displays that are shown here are updated here, also from other cells. Outside a
// notebook Capture only calls f.
func (w *Output) Capture(f func()) {
	hub.Lock()
	connected, host := connect(), hub.host
	hub.Unlock()
	if !connected {
		f()
		return
	}
	release := host.Capture(w.list.take)
	failed := host.Run(f)
	release()
	if failed != nil {
		w.list.take(failed)
	}
	w.list.show()
}

// Show adds a value to what the widget shows, by the best of its forms.
func (w *Output) Show(v any) {
	hub.Lock()
	connected, host := connect(), hub.host
	hub.Unlock()
	if !connected {
		return
	}
	if o := host.Render(v); o != nil {
		w.list.take(o)
		w.list.show()
	}
}

// Clear takes away what the widget shows; with wait, only when the next output comes, which avoids flicker.
func (w *Output) Clear(wait bool) {
	w.list.take(map[string]any{"output_type": "clear_output", "wait": wait})
	w.list.show()
}

// take adds an output, or does what one says with those that are there. It is shown soon, not at once.
func (l *outputList) take(o map[string]any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	typ := o["output_type"]
	if typ == "clear_output" {
		if l.clear = o["wait"] == true; !l.clear {
			l.empty()
		}
		return
	}
	id := displayID(o)
	if typ == "update_display_data" {
		for _, i := range l.ids[id] {
			l.items[i] = map[string]any{"output_type": "display_data", "data": o["data"], "metadata": o["metadata"]}
		}
		l.later()
		return
	}
	if l.clear {
		l.empty()
	}
	if n := len(l.items); typ == "stream" && n > 0 && l.items[n-1]["output_type"] == "stream" && l.items[n-1]["name"] == o["name"] {
		joined := maps.Clone(l.items[n-1]) // the old one may be on its way
		joined["text"] = joined["text"].(string) + o["text"].(string)
		l.items[n-1] = joined
	} else {
		if id != "" {
			l.ids[id] = append(l.ids[id], n)
			o = maps.Clone(o)
			delete(o, "transient")
		}
		l.items = append(l.items, o)
	}
	l.later()
}

func displayID(o map[string]any) string {
	transient, _ := o["transient"].(map[string]any)
	id, _ := transient["display_id"].(string)
	return id
}

// empty forgets all outputs.
func (l *outputList) empty() {
	l.items, l.clear = nil, false
	clear(l.ids)
	l.later()
}

// later arranges for what has come to be shown.
func (l *outputList) later() {
	if l.timer == nil {
		l.timer = time.AfterFunc(outputPause, l.show)
	}
}

// show shows what has come.
func (l *outputList) show() {
	l.showing.Lock()
	defer l.showing.Unlock()
	l.mu.Lock()
	if l.timer == nil {
		l.mu.Unlock()
		return
	}
	l.timer.Stop()
	l.timer = nil
	items := make([]any, len(l.items))
	for i, o := range l.items {
		items[i] = o
	}
	l.mu.Unlock()
	l.m.set("outputs", items)
}

// end does the clearing that waits for an output which has not come.
func (l *outputList) end() {
	l.mu.Lock()
	if l.clear {
		l.empty()
	}
	l.mu.Unlock()
	l.show()
}

// still returns the last picture that is shown, as PNG or else as SVG.
func (l *outputList) still() map[string]any {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.items) - 1; i >= 0; i-- {
		data, _ := l.items[i]["data"].(map[string]any)
		for _, mime := range []string{"image/png", "image/svg+xml"} {
			if v, ok := data[mime]; ok {
				return map[string]any{mime: v}
			}
		}
	}
	return nil
}
