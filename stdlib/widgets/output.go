package widgets

import (
	"maps"
	"sync"
	"time"

	"gaucho/stdlib/display"
)

// An outputList is what an [Output] shows, as the notebook format has it.
type outputList struct {
	m *Model

	mu    sync.Mutex
	items []map[string]any
	text  []byte           // of the last item if that is a stream, which goes on; what the item has is older
	ids   map[string][]int // items by display id
	clear bool             // when the next output comes
	timer *time.Timer      // set when there is something to show
	free  time.Time        // when all that was shown has gone out, at outputRate

	showing sync.Mutex // held to show: later states are not overtaken by earlier ones
}

// outputPause is how long output waits for more before it is shown, while code runs in an Output: a figure that is drawn
// anew within that time takes the place of the old one at once, with all that is printed alongside it.
var outputPause = 300 * time.Millisecond

// A front end takes what an Output shows as a whole. So that the messages do not grow with the square of the text, a whole is sent
// only when those before have gone out at outputRate bytes a second, outputBurst of them ahead of time.
var (
	outputRate  = 200e3
	outputBurst = time.Second
)

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
	w.list.soon()
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
		w.list.soon()
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
		l.text = append(l.text, o["text"].(string)...)
	} else {
		l.settle()
		if id != "" {
			l.ids[id] = append(l.ids[id], n)
			o = maps.Clone(o)
			delete(o, "transient")
		}
		l.items, l.text = append(l.items, o), nil
		if typ == "stream" {
			l.text = []byte(o["text"].(string))
		}
	}
	l.later()
}

// settle brings the last item up to date with the text that came. The lock is held.
func (l *outputList) settle() {
	if n := len(l.items); l.text != nil && len(l.text) > len(l.items[n-1]["text"].(string)) {
		l.items[n-1] = maps.Clone(l.items[n-1]) // the old one may be on its way
		l.items[n-1]["text"] = string(l.text)
	}
}

func displayID(o map[string]any) string {
	transient, _ := o["transient"].(map[string]any)
	id, _ := transient["display_id"].(string)
	return id
}

// empty forgets all outputs.
func (l *outputList) empty() {
	l.items, l.text, l.clear = nil, nil, false
	clear(l.ids)
	l.later()
}

// later arranges for what has come to be shown. The lock is held.
func (l *outputList) later() { l.arrange(outputPause) }

// arrange has what has come shown after a pause, a longer one while much is on its way, and at the latest when the cell ends.
func (l *outputList) arrange(pause time.Duration) {
	if l.timer != nil {
		return
	}
	l.timer = time.AfterFunc(max(pause, time.Until(l.free)-outputBurst), l.show)
	if host, ok := display.CurrentSink().(notebook); ok { // the hub may be locked by who waits for the output that is taken
		host.AtEnd(l, l.show)
	}
}

// soon shows what has come at once, unless much is on its way.
func (l *outputList) soon() {
	l.mu.Lock()
	wait := time.Until(l.free) > outputBurst
	l.mu.Unlock()
	if !wait {
		l.show()
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
	l.settle()
	items, size := make([]any, len(l.items)), 0
	for i, o := range l.items {
		items[i] = o
		size += sizeOf(o)
	}
	if now := time.Now(); l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(float64(size) / outputRate * float64(time.Second)))
	l.mu.Unlock()
	l.m.set("outputs", items)
}

// sizeOf returns the bytes of an output's text or forms.
func sizeOf(o map[string]any) int {
	text, _ := o["text"].(string)
	n := len(text)
	data, _ := o["data"].(map[string]any)
	for _, form := range data {
		s, _ := form.(string)
		n += len(s)
	}
	return n
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
