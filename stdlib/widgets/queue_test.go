package widgets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Callbacks that set each other end with an error that names both, and leave the queue usable.
func TestEndlessCallbacks(t *testing.T) {
	open(t)
	x, y := NewCheckbox("on", false), NewCheckbox("off", false)
	calls := 0
	x.OnValue(func(v bool) { calls++; y.SetValue(v) })
	y.OnValue(func(v bool) { calls++; x.SetValue(!v) })
	_, refused := try(func() any { x.SetValue(true); return nil })
	if !strings.HasPrefix(refused, `widgets: Checkbox "o`) || !strings.Contains(refused, `"on"`) || !strings.Contains(refused, `"off"`) || !strings.Contains(refused, "set each other: 500 callbacks") || calls > 501 {
		t.Errorf("after %d calls: %q", calls, refused)
	}
	n := NewIntText("n", 0)
	n.OnValue(func(v int) { n.SetValue(v + 1) })
	if _, refused := try(func() any { n.SetValue(1); return nil }); !strings.Contains(refused, `IntText "n" sets itself`) {
		t.Errorf("one that sets itself: %q", refused)
	}
	b := NewButton("go")
	b.OnClick(func() { b.Click() })
	if _, refused := try(func() any { b.Click(); return nil }); !strings.Contains(refused, `Button "go" sets itself`) {
		t.Errorf("a button that presses itself: %q", refused)
	}
	// Long work that is no chain: a callback that changes a control a thousand times, and a hundred that set the next.
	p := NewIntProgress("p", 0, 1000, 0)
	seen, last := 0, 0
	p.OnValue(func(v int) { seen++ })
	line := make([]*IntText, 100)
	for i := range line {
		line[i] = NewIntText("", 0).OnValue(func(v int) {
			if i+1 < len(line) {
				line[i+1].SetValue(v)
			} else {
				last = v
			}
		})
	}
	NewButton("run").OnClick(func() {
		for i := range 1000 {
			p.SetValue(i + 1)
		}
		line[0].SetValue(7)
	}).Click()
	if seen != 1000 || last != 7 {
		t.Errorf("%d changes are seen, the last of the line is %d", seen, last)
	}
}

// An interrupt empties the queue.
func TestInterruptEmptiesTheQueue(t *testing.T) {
	f := open(t)
	a, b := NewIntText("a", 0), NewIntText("b", 0)
	var log []string
	a.OnValue(func(v int) {
		log = append(log, fmt.Sprint("a ", v))
		b.SetValue(v)
		f.interrupted = v == 2
	})
	b.OnValue(func(v int) { log = append(log, fmt.Sprint("b ", v)) })
	for v := range 3 {
		a.SetValue(v + 1)
	}
	if want := []string{"a 1", "b 1", "a 2", "a 3", "b 3"}; !slices.Equal(log, want) {
		t.Errorf("called %q, want %q", log, want)
	}
}

// While a callback waits for a cell, further values of the page are there at once and call it no more than once.
func TestOneCallbackWaits(t *testing.T) {
	f := open(t)
	var seen []int
	s := NewIntSlider("n", 0, 9, 0).OnValue(func(v int) { seen = append(seen, v) })
	b := NewButton("b")
	clicks := 0
	b.OnClick(func() { clicks++ })
	NewBox(s, b).MIMEBundle()
	var waiting []func()
	say := func(w Widget, data map[string]any) {
		if run := f.receive("msg", w.ID(), "", through(data), nil, nil); run != nil {
			waiting = append(waiting, run)
		}
	}
	for v := range 5 {
		say(s, map[string]any{"method": "update", "state": map[string]any{"value": v + 1}})
		if s.Value() != v+1 {
			t.Errorf("the cell sees %d, the page shows %d", s.Value(), v+1)
		}
		say(b, map[string]any{"method": "custom", "content": map[string]any{"event": "click"}})
	}
	for _, run := range waiting {
		run()
	}
	f.update(s, map[string]any{"value": 9})
	if !slices.Equal(seen, []int{5, 9}) || clicks != 5 {
		t.Errorf("called with %v, clicked %d times", seen, clicks)
	}
}

// No text form of a password has its text, whoever prints it, and no echo.
func TestPasswordIsNotWritten(t *testing.T) {
	f := open(t)
	p := NewPassword("p").SetValue("hunter2")
	box := NewVBox(p)
	texts := fmt.Sprint(p, box, p.MIMEBundle(), box.MIMEBundle()) + fmt.Sprintf("%v %+v %#v %#v %s", p, p, p, *p.Model, p)
	f.sent()
	f.update(p, map[string]any{"value": "hunter2!"})
	texts += fmt.Sprint(f.sent())
	if strings.Contains(texts, "hunter2") {
		t.Errorf("written: %s", texts)
	}
	if p.Value() != "hunter2!" {
		t.Errorf("the program gets %q", p.Value())
	}
}
