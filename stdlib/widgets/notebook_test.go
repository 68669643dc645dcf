package widgets

import (
	"encoding/json"
	"fmt"
	"testing"

	"gaucho/stdlib/display"
)

// A message is one that a widget sent.
type message struct {
	Type, ID, Target string
	Data, Metadata   map[string]any
	Buffers          [][]byte
}

// fake is a notebook that keeps what it gets.
type fake struct {
	messages []message
	shown    []any
	take     func(map[string]any)
	ends     []func()

	interrupted bool
	receive     func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) func()
}

// open installs a notebook for the length of a test.
func open(t *testing.T) *fake {
	f := &fake{}
	old := display.SetSink(f)
	t.Cleanup(func() {
		display.SetSink(old)
		hub.Lock()
		connect()
		hub.Unlock()
	})
	return f
}

func (f *fake) Display(m display.Message) {
	if f.take != nil {
		typ := "display_data"
		if m.Update {
			typ = "update_display_data"
		}
		o := map[string]any{"output_type": typ, "data": map[string]any{"text/plain": fmt.Sprint(m.Value)}, "metadata": map[string]any{}}
		if m.ID != "" {
			o["transient"] = map[string]any{"display_id": m.ID}
		}
		f.take(o)
		return
	}
	f.shown = append(f.shown, m.Value)
}

func (f *fake) Clear(bool)              {}
func (f *fake) Cell() int               { return 7 }
func (f *fake) AtEnd(key any, g func()) { f.ends = append(f.ends, g) }

func (f *fake) Callback(cell int, g func()) bool {
	g()
	return !f.interrupted
}

func (f *fake) Run(g func()) (failed map[string]any) {
	defer func() {
		if r := recover(); r != nil {
			failed = map[string]any{"output_type": "error", "ename": "panic", "evalue": fmt.Sprint(r), "traceback": []string{}}
		}
	}()
	g()
	return nil
}

func (f *fake) Capture(take func(map[string]any)) func() {
	before := f.take
	f.take = take
	return func() { f.take = before }
}

func (f *fake) Render(v any) map[string]any {
	return map[string]any{"output_type": "display_data", "data": map[string]any{"text/plain": fmt.Sprint(v)}, "metadata": map[string]any{}}
}

// SendComm keeps the message as it is on the wire.
func (f *fake) SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error {
	f.messages = append(f.messages, message{typ, id, target, through(data), metadata, buffers})
	return nil
}

func (f *fake) OnComm(r func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) func()) {
	f.receive = r
}

// through returns what JSON makes of data.
func through(data map[string]any) (out map[string]any) {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	json.Unmarshal(text, &out)
	return out
}

// sent returns and forgets the messages since the last call.
func (f *fake) sent() []message {
	m := f.messages
	f.messages = nil
	return m
}

// say sends a message of the front end and runs what follows from it.
func (f *fake) say(typ, id, target string, data map[string]any, buffers ...[]byte) {
	if run := f.receive(typ, id, target, through(data), nil, buffers); run != nil {
		run()
	}
}

// update is what the front end says of a widget's state.
func (f *fake) update(w Widget, state map[string]any, buffers ...[]byte) {
	f.say("msg", w.ID(), "", map[string]any{"method": "update", "state": state, "buffer_paths": []any{}}, buffers...)
}
