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

// Callbacks that set each other end by themselves, with one error that names both. While a cell runs, it sees each value that a page
// sends, also of a control with a callback, which is called once, after the cell. An interrupt ends what waits.
func TestCallbacksEnd(t *testing.T) {
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			p := newPage()
			start := func() *Session { return newSession(t, Options{Sink: p}) }
			if engine == "native" {
				start = func() *Session { return startNative(t, p) }
			}
			callbacksEnd(t, p, start())
		})
	}
}

func callbacksEnd(t *testing.T, p *page, s *Session) {
	cell := func(n int, src string) string { return runCell(s, &p.transcript, n, src) }
	printed := func(n int) string {
		p.transcript.mu.Lock()
		defer p.transcript.mu.Unlock()
		return p.of(fmt.Sprint("cell", n)).String()
	}
	cell(1, `x, y := widgets.NewCheckbox("on", false), widgets.NewCheckbox("off", false)
x.OnValue(func(v bool) { y.SetValue(v) })
y.OnValue(func(v bool) { x.SetValue(!v) })
widgets.NewHBox(x, y)`)
	id, _ := p.find(t, "description", "on")
	p.say(t, s, id, "value", true)
	if got := printed(1); strings.Count(got, "a callback ended") != 1 || !strings.Contains(got, "set each other: 500 callbacks") ||
		!strings.Contains(got, `Checkbox "on"`) || !strings.Contains(got, `Checkbox "off"`) {
		t.Errorf("two that set each other: %q", got)
	}

	cell(2, `n := widgets.NewIntSlider("watched", 0, 9, 3).OnValue(func(v int) { fmt.Println("called with", v) })
n`)
	id, _ = p.find(t, "description", "watched")
	seen := make(chan string)
	go func() {
		seen <- cell(3, `last := -1
for last != 7 {
	if v := n.Value(); v != last {
		last = v
		fmt.Println("saw", v)
	}
}`)
	}()
	for deadline := time.Now().Add(time.Minute); !strings.Contains(printed(3), "saw 3"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the cell does not run: %q", printed(3))
		}
	}
	for _, v := range []int{4, 5, 6} {
		p.say(t, s, id, "value", v) // comes back while the cell runs
		for !strings.Contains(printed(3), fmt.Sprint("saw ", v)) {
			time.Sleep(time.Millisecond)
		}
	}
	if got := printed(2); strings.Contains(got, "called") {
		t.Errorf("a callback ran during a cell: %q", got)
	}
	p.say(t, s, id, "value", 7)
	<-seen
	cell(4, "1") // after what waits
	if got := printed(2); strings.Count(got, "called with") != 1 || !strings.Contains(got, "called with 7\n") {
		t.Errorf("after the cell: %q", got)
	}

	if got := cell(6, `widgets.Interact(func(n int) any { fmt.Println("called with", n); return "n is 10" })`); !strings.Contains(got, "called with 10\n\"n is 10\"") {
		t.Errorf("viewers without widgets see %q", got)
	}

	cell(5, `b := widgets.NewButton("busy")
b.OnClick(func() { fmt.Println("begins"); n.SetValue(1); for { } })
b.OnClick(func() { fmt.Println("must not run") })
b`)
	id, _ = p.find(t, "description", "busy")
	done := make(chan bool)
	s.Comm("message", Comm{Type: "msg", ID: id, Data: map[string]any{"method": "custom", "content": map[string]any{"event": "click"}}}, func() { close(done) })
	for !strings.Contains(printed(5), "begins") {
		time.Sleep(time.Millisecond)
	}
	s.Interrupt()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("one interrupt does not end the callbacks")
	}
	if got := printed(5); strings.Contains(got, "must not") || strings.Count(got, "Interrupt") != 1 || strings.Contains(printed(2), "called with 1") {
		t.Errorf("after an interrupt: %q, %q", got, printed(2))
	}
}
