package interp

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"
)

// A page is a front end that knows widgets: it keeps their state.
type page struct {
	transcript
	mu     sync.Mutex
	states map[string]map[string]any
	closed int
}

func (p *page) Comm(cell string, c Comm) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch c.Type {
	case "open":
		p.states[c.ID] = map[string]any{}
	case "close":
		p.closed++
		return
	}
	state, _ := c.Data["state"].(map[string]any)
	maps.Copy(p.states[c.ID], state)
}

// find returns the widget whose attribute has a value, and its state as text.
func (p *page) find(t *testing.T, name string, value any) (id, state string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, s := range p.states {
		if s[name] == value {
			text, _ := json.Marshal(s)
			return id, string(text)
		}
	}
	t.Fatalf("no widget has %s %v", name, value)
	return "", ""
}

// say changes an attribute as the user does, and waits for what follows.
func (p *page) say(t *testing.T, s *Session, id, name string, value any) {
	t.Helper()
	done := make(chan bool)
	s.Comm("message", Comm{Type: "msg", ID: id, Data: map[string]any{"method": "update", "state": map[string]any{name: value}}}, func() { close(done) })
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("a message is not done with")
	}
}

// The native engine gives names to Interact's controls too, and calls functions of cells back.
func TestWidgetsNative(t *testing.T) {
	p := newPage()
	s := startNative(t, p)
	out := runCell(s, &p.transcript, 1, "type Pair struct{ A float64; N int }\nwidgets.Interact(func(bandwidth float64, n int) Pair { return Pair{bandwidth, n} }, 3.0)")
	id, _ := p.find(t, "description", "bandwidth")
	p.say(t, s, id, "value", 4.5)
	if _, state := p.find(t, "_model_name", "OutputModel"); !strings.Contains(state, "4.5") {
		t.Errorf("shows %s\n%s", state, out)
	}
}

func newPage() *page {
	return &page{transcript: transcript{text: map[string]*strings.Builder{}}, states: map[string]map[string]any{}}
}

func TestWidgets(t *testing.T) {
	p := newPage()
	s := newSession(t, Options{Sink: p})
	ok := func(n int, src string) {
		t.Helper()
		if out := runCell(s, &p.transcript, n, src); strings.Contains(out, "rror") {
			t.Fatalf("%s\n%s", src, out)
		}
	}
	// Parameters are known by name; results may be of a cell's type, also where the function's own type says so.
	ok(1, "type Pair struct{ A float64; N int }\nfunc pair(bandwidth float64, n int) Pair { return Pair{bandwidth, n} }\nwidgets.Interact(pair, 3.0)")
	id, _ := p.find(t, "description", "bandwidth")
	p.find(t, "description", "n")
	p.say(t, s, id, "value", 4.5)
	if _, state := p.find(t, "_model_name", "OutputModel"); !strings.Contains(state, "4.5") {
		t.Errorf("shows %s", state)
	}
	// A function that is declared again is the one that is called from then on.
	ok(2, "func pair(bandwidth float64, n int) Pair { return Pair{-bandwidth, n} }")
	p.say(t, s, id, "value", 5)
	if _, state := p.find(t, "_model_name", "OutputModel"); !strings.Contains(state, "-5") {
		t.Errorf("shows %s", state)
	}
	// What a callback prints appears where it was installed, and what it fails with too.
	ok(3, `n := widgets.NewIntSlider("steps", 0, 9, 1).OnValue(func(v int) {
	fmt.Println("moved to", v)
	if v == 3 {
		panic("three")
	}
})
n`)
	id, _ = p.find(t, "description", "steps")
	p.say(t, s, id, "value", 2)
	p.say(t, s, id, "value", 3)
	p.transcript.mu.Lock()
	got := p.of("cell3").String()
	p.transcript.mu.Unlock()
	if want := "moved to 2\nmoved to 3\na callback ended: panic: three\n    Cell [3], line 1, where func starts"; !strings.HasPrefix(got, want) {
		t.Errorf("printed %q, want %q", got, want)
	}
	// With the worker its comms are gone, and the front end hears of it.
	ok(4, `widgets.NewButton("b")`)

	s.worker.Restart()
	p.mu.Lock()
	open, closed := len(p.states), p.closed
	p.mu.Unlock()
	if closed != open {
		t.Errorf("%d of %d comms are closed", closed, open)
	}
	if out := runCell(s, &p.transcript, 6, "1 + 1"); !strings.Contains(out, "2") && !strings.Contains(out, "anew") {
		t.Error(fmt.Sprint("after the worker's end: ", out))
	}
}
