package widgets

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// every makes one widget of each type, as ipywidgets makes it without arguments.
var every = []Widget{
	NewLayout(), NewDescriptionStyle(), NewCheckboxStyle(), NewToggleButtonStyle(), NewToggleButtonsStyle(), NewButtonStyle(),
	NewSliderStyle(), NewProgressStyle(), NewLabelStyle(), NewTextStyle(), NewHTMLStyle(), NewHTMLMathStyle(),
	NewIntSlider("", 0, 100, 0), NewFloatSlider("", 0, 100, 0), NewFloatLogSlider("", 0, 4, 1), NewIntRangeSlider("", 0, 100),
	NewFloatRangeSlider("", 0, 100), NewIntText("", 0), NewBoundedIntText("", 0, 100, 0), NewFloatText("", 0),
	NewBoundedFloatText("", 0, 100, 0), NewIntProgress("", 0, 100, 0), NewFloatProgress("", 0, 100, 0), NewPlay(0, 100, 0),
	NewCheckbox("", false), NewToggleButton("", false), NewValid("", false), NewButton(""), NewDropdown(""), NewRadioButtons(""),
	NewSelect(""), NewSelectionSlider("", "a", "b"), NewToggleButtons(""), NewSelectMultiple(""), NewSelectionRangeSlider("", "a", "b"),
	NewText("", ""), NewPassword(""), NewTextarea("", ""), NewCombobox(""), NewLabel(""), NewHTML(""), NewHTMLMath(""),
	NewTagsInput(), NewColorsInput(), NewIntsInput(), NewFloatsInput(), NewColorPicker("", "black"), NewDatePicker("", time.Time{}),
	NewDatetimePicker("", time.Time{}), NewNaiveDatetimePicker("", time.Time{}), NewTimePicker("", -1), NewFileUpload(),
	NewImage(nil), NewVideo(nil), NewAudio(nil), NewBox(), NewHBox(), NewVBox(), NewGridBox(), NewAccordion(), NewTab(), NewStack(),
	NewOutput(),
}

// Every widget opens with the state that ipywidgets gives it: the same attributes with the same values.
func TestStateAsIpywidgets(t *testing.T) {
	var reference struct {
		States map[string]map[string]any
	}
	raw, err := os.ReadFile("testdata/ipywidgets.json")
	if err == nil {
		err = json.Unmarshal(raw, &reference)
	}
	if err != nil {
		t.Fatal(err)
	}
	f := open(t)
	for _, w := range every {
		f.sent()
		w.model().open, w.model().closed = false, false
		hub.Lock()
		w.model().reveal()
		hub.Unlock()
		all := f.sent()
		m := all[len(all)-1]
		want := reference.States[w.model().class.name]
		delete(reference.States, w.model().class.name)
		got := m.Data["state"].(map[string]any)
		for k, v := range got {
			if s, ok := v.(string); ok && strings.HasPrefix(s, "IPY_MODEL_") {
				got[k] = "IPY_MODEL_"
			}
		}
		for i, p := range m.Data["buffer_paths"].([]any) {
			got[p.([]any)[0].(string)] = map[string]any{"bytes": float64(len(m.Buffers[i]))}
		}
		// The front end fills this one itself: ipywidgets does not send it, and saved notebooks hold it.
		if w.model().class.name == "Output" {
			delete(want, "msg_id")
			delete(got, "msg_id")
		}
		if !reflect.DeepEqual(got, want) {
			for k := range got {
				if !reflect.DeepEqual(got[k], want[k]) {
					t.Errorf("%s: %s is %#v, ipywidgets has %#v", w.model().class.name, k, got[k], want[k])
				}
			}
			for k := range want {
				if _, ok := got[k]; !ok {
					t.Errorf("%s has no %s", w.model().class.name, k)
				}
			}
		}
		if m.Target != "jupyter.widget" || m.Metadata["version"] != "2.1.0" {
			t.Errorf("opened as %+v", m)
		}
	}
	for name := range reference.States {
		t.Errorf("there is no %s", name)
	}
}

func TestTwoWays(t *testing.T) {
	f := open(t)
	var log []string
	s := NewIntSlider("n", 1, 100, 10).OnValue(func(v int) { log = append(log, fmt.Sprint(v)) })
	if b := s.MIMEBundle(); b["application/vnd.jupyter.widget-view+json"].(map[string]any)["model_id"] != s.ID() {
		t.Fatal(b)
	} else if text := b["text/plain"]; text != s.String()+": a widget, which JupyterLab draws after pip install jupyterlab_widgets" {
		t.Errorf("where nothing draws it, it is %q", text)
	}
	if n := len(f.sent()); n != 3 { // layout, style, slider
		t.Errorf("%d messages at first", n)
	}
	s.MIMEBundle()
	if n := len(f.sent()); n != 0 {
		t.Errorf("%d messages when shown again", n)
	}
	s.SetValue(20)
	s.SetValue(20)
	s.SetMax(15)
	got := f.sent()
	if len(got) != 2 || !reflect.DeepEqual(got[0].Data["state"], map[string]any{"value": 20.}) ||
		!reflect.DeepEqual(got[1].Data["state"], map[string]any{"max": 15., "value": 15.}) {
		t.Errorf("sent %+v", got)
	}
	f.update(s, map[string]any{"value": 12, "nobody's": 1})
	f.update(s, map[string]any{"value": "text"})
	f.update(s, map[string]any{"value": 99})
	got = f.sent()
	if len(got) != 5 || got[0].Data["method"] != "echo_update" || !reflect.DeepEqual(got[0].Data["state"], map[string]any{"value": 12.}) ||
		got[2].Data["method"] != "update" || !reflect.DeepEqual(got[2].Data["state"], map[string]any{"value": 12.}) ||
		got[4].Data["method"] != "update" || !reflect.DeepEqual(got[4].Data["state"], map[string]any{"value": 15.}) {
		t.Errorf("answered %+v", got)
	}
	if want := []string{"20", "15", "12", "15"}; !slices.Equal(log, want) || s.Value() != 15 {
		t.Errorf("called with %v, want %v", log, want)
	}
	s.Unobserve("value")
	f.update(s, map[string]any{"value": 3})
	if len(log) != 4 {
		t.Error("called after Unobserve")
	}
	f.sent()
	f.say("msg", s.ID(), "", map[string]any{"method": "request_state"})
	if got := f.sent(); len(got) != 1 || len(got[0].Data["state"].(map[string]any)) < 20 {
		t.Errorf("state asked for: %v", got)
	}
	f.say("close", s.ID(), "", nil)
	s.SetValue(9)
	s.MIMEBundle()
	if got := f.sent(); len(got) != 1 || got[0].Type != "open" || got[0].Data["state"].(map[string]any)["value"] != 9. {
		t.Errorf("after the page closed it: %v", got)
	}
	s.Close()
	s.SetValue(5)
	if got := f.sent(); len(got) != 1 || got[0].Type != "close" {
		t.Errorf("after Close: %v", got)
	}
}

// A page computes min + k step in floating point; a program gets the decimal that the slider shows.
func TestSlidersAreOnTheirGrid(t *testing.T) {
	f := open(t)
	calls := 0
	s := NewFloatSlider("", .1, 2, .5).SetStep(.02).OnValue(func(float64) { calls++ })
	pair := NewFloatRangeSlider("", -1, 1).SetStep(.1)
	wide := NewFloatSlider("", 0, 1e6, 0).SetStep(.1)
	NewBox(s, pair, wide).MIMEBundle()
	f.update(s, map[string]any{"value": .4999999999999999})
	if s.Value() != .5 || calls != 0 {
		t.Errorf("the value is %v after %d calls", s.Value(), calls)
	}
	f.update(s, map[string]any{"value": .1234})
	f.update(pair, map[string]any{"value": []float64{-.30000000000000004, 1.1102230246251565e-16}})
	f.update(wide, map[string]any{"value": 123456.70000000001})
	if lo, hi := pair.Value()[0], pair.Value()[1]; s.Value() != .1234 || lo != -.3 || hi != 0 || wide.Value() != 123456.7 {
		t.Errorf("the values are %v, %v to %v, %v", s.Value(), lo, hi, wide.Value())
	}
}

// A change within a callback is passed on to others when the callback has ended, in order.
func TestOrder(t *testing.T) {
	a, b := NewIntText("a", 0), NewIntText("b", 0)
	var log []string
	a.OnValue(func(v int) {
		log = append(log, fmt.Sprintf("a %d begins", v))
		b.SetValue(v)
		log = append(log, "a ends")
	})
	a.OnValue(func(v int) { log = append(log, "a again") })
	b.OnValue(func(v int) { log = append(log, fmt.Sprintf("b %d", v)) })
	a.SetValue(3)
	if want := []string{"a 3 begins", "a ends", "a again", "b 3"}; !slices.Equal(log, want) {
		t.Errorf("order %v, want %v", log, want)
	}
	// A callback that panics, in a program without a notebook, leaves the queue usable.
	c := NewButton("x").OnClick(func() { panic("in a callback") })
	func() {
		defer func() { recover() }()
		c.Click()
	}()
	a.SetValue(4)
	if n := len(log); n != 8 {
		t.Errorf("after a panic: %v", log)
	}
}

func TestReload(t *testing.T) {
	f := open(t)
	img := NewImage([]byte{1, 2, 3})
	box := NewVBox(NewIntSlider("n", 0, 9, 4), img)
	box.MIMEBundle()
	f.sent()
	f.say("open", "control", controlTarget, map[string]any{})
	f.say("msg", "control", "", map[string]any{"method": "request_states"})
	got := f.sent()
	if len(got) != 1 || got[0].Data["method"] != "update_states" {
		t.Fatalf("answered %v", got)
	}
	states := got[0].Data["states"].(map[string]any)
	one := states[box.ID()].(map[string]any)
	if len(states) != 7 || one["model_name"] != "VBoxModel" || one["model_module"] != "@jupyter-widgets/controls" || one["model_module_version"] != "2.0.0" {
		t.Errorf("%d states, %v", len(states), one)
	}
	if paths := got[0].Data["buffer_paths"]; !reflect.DeepEqual(paths, []any{[]any{img.ID(), "state", "value"}}) || len(got[0].Buffers) != 1 {
		t.Errorf("buffers at %v", paths)
	}
	f.say("close", "control", "", nil)
	f.say("open", "x", "nobody's", map[string]any{})
	if got := f.sent(); len(got) != 1 || got[0].Type != "close" || got[0].ID != "x" {
		t.Errorf("a comm that nobody takes: %v", got)
	}
}

func TestValuesOnTheWire(t *testing.T) {
	f := open(t)
	day := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
	d := NewDatePicker("", day)
	c := NewTimePicker("", 13*time.Hour+5*time.Minute+250*time.Millisecond)
	up := NewFileUpload()
	many := NewSelectMultiple("", "a", "b", "c").SetValue([]string{"a", "c", "nobody's"})
	NewBox(d, c, up, many).MIMEBundle()
	for _, m := range f.sent() {
		state := m.Data["state"].(map[string]any)
		var want any
		switch m.ID {
		case d.ID():
			want = map[string]any{"year": 2024., "month": 1., "date": 29.}
		case c.ID():
			want = map[string]any{"hours": 13., "minutes": 5., "seconds": 0., "milliseconds": 250.}
		default:
			continue
		}
		if !reflect.DeepEqual(state["value"], want) {
			t.Errorf("value %v, want %v", state["value"], want)
		}
	}
	f.update(d, map[string]any{"value": map[string]any{"year": 2025, "month": 11, "date": 31}})
	f.update(c, map[string]any{"value": nil})
	f.update(many, map[string]any{"index": []int{1}})
	f.say("msg", up.ID(), "", map[string]any{"method": "update", "buffer_paths": []any{[]any{"value", 0, "content"}}, "state": map[string]any{
		"value": []any{map[string]any{"name": "a.csv", "type": "text/csv", "size": 3, "last_modified": 1000, "content": nil}}}}, []byte("1,2"))
	if got := d.Value(); !got.Equal(time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC)) {
		t.Error(got)
	}
	if c.Value() != -1 || !slices.Equal(many.Value(), []string{"b"}) {
		t.Error(c.Value(), many.Value())
	}
	if got := up.Value(); len(got) != 1 || got[0].Name != "a.csv" || string(got[0].Content) != "1,2" || got[0].Modified.Unix() != 1 {
		t.Errorf("%+v", got)
	}
	f.sent()
	// What a front end must not do breaks nothing.
	f.say("msg", up.ID(), "", map[string]any{"method": "update", "buffer_paths": []any{[]any{"value", 9}, []any{}, 3}, "state": nil}, []byte("x"))
	f.say("msg", up.ID(), "", map[string]any{"method": 1})
}

func TestChoices(t *testing.T) {
	d := NewDropdown("", "a", "b")
	var log []string
	d.OnValue(func(v string) { log = append(log, v) })
	d.SetValue("b").SetIndex(0).SetValue("nobody's").SetIndex(1).SetOptions([]string{"c"})
	if want := []string{"b", "a", "", "b", "c"}; !slices.Equal(log, want) || d.Index() != 0 {
		t.Errorf("chosen %q, want %q, index %d", log, want, d.Index())
	}
	if got := NewSelectionRangeSlider("", "x", "y", "z").SetIndex([2]int{2, 1}).Value(); !slices.Equal(got, []string{"y", "z"}) {
		t.Error(got)
	}
	for what, f := range map[string]func(){
		`orientation is "up", must be one of ["horizontal" "vertical"]`: func() { NewIntSlider("", 0, 1, 0).SetOrientation("up") },
		`attribute is "speed", must be one of`:                          func() { NewButton("").Observe("speed", func() {}) },
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, what) {
					t.Errorf("%q, want %q", r, what)
				}
			}()
			f()
		}()
	}
	if got := fmt.Sprint(d, NewLayout().SetBorder("1px solid")); !strings.Contains(got, `Dropdown{Options: ["c"], Index: 0}`) {
		t.Error(got)
	}
}

func TestComm(t *testing.T) {
	if _, err := OpenComm("x", nil); err == nil {
		t.Error("a comm without a notebook")
	}
	f := open(t)
	var log []string
	c, err := OpenComm("mine", map[string]any{"a": 1}, []byte{1})
	if err != nil {
		t.Fatal(err)
	}
	c.OnMessage(func(data map[string]any, buffers [][]byte) { log = append(log, fmt.Sprint(data, buffers)) })
	c.OnClose(func() { log = append(log, "closed") })
	c.Send(nil, []byte{2})
	f.say("msg", c.id, "", map[string]any{"x": 2}, []byte{9})
	f.say("close", c.id, "", nil)
	if err := c.Send(nil); err == nil {
		t.Error("sent over a closed comm")
	}
	if want := []string{"map[x:2] [[9]]", "closed"}; !slices.Equal(log, want) {
		t.Errorf("got %v", log)
	}
	OnOpen("theirs", func(c *Comm, data map[string]any, buffers [][]byte) {
		c.OnMessage(func(map[string]any, [][]byte) { log = append(log, c.Target()) })
		c.Send(data)
	})
	f.sent()
	f.say("open", "c9", "theirs", map[string]any{"hello": true})
	f.say("msg", "c9", "", nil)
	if got := f.sent(); len(got) != 1 || got[0].Data["hello"] != true || log[len(log)-1] != "theirs" {
		t.Errorf("%v %v", got, log)
	}
}
