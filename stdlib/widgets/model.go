package widgets

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// A Widget is any of this package's widgets.
type Widget interface {
	model() *Model
	// ID returns the number by which the front end knows the widget.
	ID() string
}

// A Model is what all widgets have: attributes, whose state it shares with the front end. Its methods may be called from
// any goroutine.
type Model struct {
	id     string
	class  *class
	values []any // by attribute; guarded by hub
	open   bool  // the front end knows the widget
	closed bool

	watchers []*watcher
	custom   []customWatcher
	touched  []*atomic.Bool // set when a value changes, before callbacks run
}

// A class describes a type of widget.
type class struct {
	name, module, model, view string
	attrs                     []attribute
}

// An attribute describes one attribute of a class.
type attribute struct {
	name, kind string
	null       bool
	initial    any
	child      func() *Model
	enum       []string
}

type watcher struct {
	attr    int
	chosen  bool // it is called when the text of that index is another one, not for a new index of the same text
	cell    int
	f       func()
	waiting atomic.Bool // a call for a message of the front end has not begun
}

type customWatcher struct {
	event string
	cell  int
	f     func()
}

func newModel(c *class) *Model {
	var id [16]byte
	rand.Read(id[:])
	m := &Model{id: hex.EncodeToString(id[:]), class: c, values: make([]any, len(c.attrs))}
	for i, a := range c.attrs {
		m.values[i] = a.initial
	}
	return m
}

func (m *Model) model() *Model { return m }

// ID returns the number by which the front end knows the widget.
func (m *Model) ID() string { return m.id }

// attr returns the number of an attribute, -1 if there is none of that name.
func (c *class) attr(name string) int {
	return slices.IndexFunc(c.attrs, func(a attribute) bool { return a.name == name })
}

// start sets an attribute of a new widget.
func (m *Model) start(name string, v any) {
	i := m.class.attr(name)
	m.values[i] = m.class.attrs[i].hold(v)
}

// hold returns what a model holds for a value: a copy of a slice; a day, and the time of a clock on no wall, in UTC.
func (a *attribute) hold(v any) any {
	if t, ok := v.(time.Time); ok {
		switch a.kind {
		case "date":
			return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
		case "naive":
			return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		}
	}
	return own(v)
}

// get returns a copy of an attribute's value.
func (m *Model) get(name string) any {
	hub.Lock()
	defer hub.Unlock()
	return own(m.values[m.class.attr(name)])
}

// own returns a copy of a slice, which is not nil, and other values as they are.
func own(v any) any {
	switch v := v.(type) {
	case []string:
		return append([]string{}, v...)
	case []int:
		return append([]int{}, v...)
	case []float64:
		return append([]float64{}, v...)
	case []Widget:
		return append([]Widget{}, v...)
	case []File:
		return append([]File{}, v...)
	}
	return v
}

// child returns a widget that comes with this one, which is made when it is first asked for.
func (m *Model) child(name string) *Model {
	hub.Lock()
	defer hub.Unlock()
	i := m.class.attr(name)
	if m.values[i] == nil {
		m.values[i] = m.class.attrs[i].child()
	}
	return m.values[i].(*Model)
}

// set changes an attribute, sends it to the front end, and calls what observes it.
func (m *Model) set(name string, v any) {
	hub.Lock()
	i := m.class.attr(name)
	before := slices.Clone(m.values)
	m.values[i] = m.class.attrs[i].hold(v)
	if what := m.fault(i); what != "" {
		m.values = before
		what = "widgets: " + m.name() + ": " + what
		hub.Unlock()
		panic(what)
	}
	m.rechoose(before)
	m.bound()
	changed := m.changed(before)
	m.send(changed)
	calls := m.calls(before, changed)
	hub.Unlock()
	queue.run(calls)
}

// settle brings the values of a new widget in order. It panics if one of them cannot be held.
func (m *Model) settle() {
	c := m.class
	for i := range c.attrs {
		if what := m.fault(i); what != "" {
			panic("widgets: " + m.name() + ": " + what)
		}
	}
	if i := c.attr("index"); i >= 0 {
		if o := c.attr("_options_labels"); o >= 0 && c.attrs[i].kind == "index" && len(m.values[o].([]string)) > 0 {
			m.values[i] = 0
		}
	}
	if v := c.attr("value"); v >= 0 && c.attr("min") >= 0 {
		// An interval takes the middle half of its range.
		switch c.attrs[v].kind {
		case "pair":
			lo, hi := m.values[c.attr("min")].(int), m.values[c.attr("max")].(int)
			m.values[v] = []int{lo + (hi-lo)/4, lo + 3*(hi-lo)/4}
		case "fpair":
			lo, hi := m.values[c.attr("min")].(float64), m.values[c.attr("max")].(float64)
			m.values[v] = []float64{lo + (hi-lo)/4, lo + 3*(hi-lo)/4}
		}
	}
	if s, f := c.attr("step"), c.attr("readout_format"); f >= 0 && c.attr("base") < 0 && c.attrs[c.attr("min")].kind == "float" {
		// A slider over a short range has short steps.
		if width := m.values[c.attr("max")].(float64) - m.values[c.attr("min")].(float64); width > 0 {
			step := min(0.1, orStep(0, width))
			m.values[s], m.values[f] = step, fixedFormat(step)
		}
	}
	given := slices.Clone(m.values)
	m.bound()
	if v := c.attr("value"); v >= 0 && !same(given[v], m.values[v]) {
		lo, hi := m.limits()
		panic(fmt.Sprintf("widgets: %s: value is %v, must be within %v and %v", m.name(), given[v], lo, hi))
	}
}

// changed returns the attributes whose values differ from what they were.
func (m *Model) changed(before []any) (list []int) {
	for i := range before {
		if !same(before[i], m.values[i]) {
			list = append(list, i)
		}
	}
	if list != nil {
		for _, t := range m.touched {
			t.Store(true)
		}
	}
	return list
}

// same compares two values of an attribute.
func same(a, b any) bool {
	if w, ok := a.([]Widget); ok {
		v, ok := b.([]Widget)
		return ok && slices.EqualFunc(w, v, func(a, b Widget) bool { return a.model() == b.model() })
	}
	switch a := a.(type) {
	case *Model:
		return any(a) == b
	case secret:
		return a() == b.(secret)()
	}
	return reflect.DeepEqual(a, b)
}

// calls returns the callbacks of attributes, which had other values before.
func (m *Model) calls(before []any, attrs []int) (list []call) {
	other := !same(m.texts(before), m.texts(m.values))
	for _, w := range m.watchers {
		if of := m.class.attr("index") == w.attr && other; of || !w.chosen && slices.Contains(attrs, w.attr) {
			list = append(list, call{cell: w.cell, f: w.f, of: m, waiting: &w.waiting})
		}
	}
	return list
}

// Observe calls f when an attribute changes, which is named as the front end does: "value", "selected_index". It panics if
// the widget has no such attribute.
func (m *Model) Observe(attribute string, f func()) {
	m.watch(&watcher{attr: m.mustHave(attribute), f: f})
}

// onChoice calls f when another text is chosen.
func (m *Model) onChoice(f func()) {
	m.watch(&watcher{attr: m.class.attr("index"), chosen: true, f: f})
}

func (m *Model) watch(w *watcher) {
	if w.f == nil {
		panic("widgets: " + m.name() + ": the callback is nil")
	}
	hub.Lock()
	defer hub.Unlock()
	w.cell = cell()
	m.watchers = append(m.watchers, w)
}

// Unobserve takes away all callbacks of an attribute.
func (m *Model) Unobserve(attribute string) {
	hub.Lock()
	defer hub.Unlock()
	i := m.class.attr(attribute)
	m.watchers = slices.DeleteFunc(m.watchers, func(w *watcher) bool { return w.attr == i })
}

// mustHave returns the number of an attribute that the widget must have.
func (m *Model) mustHave(attribute string) int {
	i := m.class.attr(attribute)
	if i < 0 {
		var names []string
		for _, a := range m.class.attrs {
			names = append(names, a.name)
		}
		panic(fmt.Sprintf("widgets: attribute is %q, must be one of %s", attribute, strings.Join(names, ", ")))
	}
	return i
}

// on calls f when the front end sends an event.
func (m *Model) on(event string, f func()) {
	hub.Lock()
	defer hub.Unlock()
	if f == nil {
		panic("widgets: " + m.name() + ": the callback is nil")
	}
	m.custom = append(m.custom, customWatcher{event, cell(), f})
}

// String returns the widget as text, with its attributes that are not as at first.
func (m *Model) String() string {
	hub.Lock()
	defer hub.Unlock()
	return m.string()
}

// string is String for who holds the lock.
func (m *Model) string() string {
	var parts []string
	for i, a := range m.class.attrs {
		v := m.values[i]
		if same(v, a.initial) || a.kind == "child" || a.kind == "secret" || a.kind == "bytes" || a.kind == "files" || a.kind == "outputs" {
			continue
		}
		switch x := v.(type) {
		case []Widget:
			parts = append(parts, fmt.Sprintf("%d %s", len(x), a.name))
		case string, []string:
			parts = append(parts, fmt.Sprintf("%s: %q", exported(a.name), x))
		case end:
		default:
			parts = append(parts, fmt.Sprintf("%s: %v", exported(a.name), x))
		}
	}
	return m.class.name + "{" + strings.Join(parts, ", ") + "}"
}

// exported returns the name of an attribute in Go.
func exported(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(strings.Replace(name, "_options_labels", "options", 1), "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// MIMEBundle returns the widget's view, which the front end draws, and for viewers that know no widgets what its Outputs show
// now, or else its text, which says what draws it.
func (m *Model) MIMEBundle() map[string]any {
	hub.Lock()
	defer hub.Unlock()
	bundle := map[string]any{"text/plain": m.string()}
	if m.class.view != "" && !m.closed && m.reveal() {
		bundle["text/plain"] = m.string() + ": a widget, which JupyterLab draws after pip install jupyterlab_widgets"
		maps.Copy(bundle, forms(m.outputs()))
		bundle["application/vnd.jupyter.widget-view+json"] = map[string]any{
			"version_major": 2, "version_minor": 0, "model_id": m.id,
		}
	}
	return bundle
}

// Close removes the widget from the front end, wherever it is shown. It keeps its state but is not shown again.
func (m *Model) Close() {
	hub.Lock()
	defer hub.Unlock()
	if m.open {
		hub.host.SendComm("close", m.id, "", map[string]any{}, nil, nil)
		delete(hub.models, m.id)
	}
	m.open, m.closed = false, true
}

// noneAt0 returns the value of an attribute that has a null where v is zero.
func noneAt0[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// noneBelow0 returns the value of an attribute that has a null where v is negative.
func noneBelow0[T int | time.Duration](v T) any {
	if v < 0 {
		return nil
	}
	return v
}

// orZero returns an attribute's value, or zero where it is null.
func orZero[T any](v any) T {
	t, _ := v.(T)
	return t
}

// orBelow0 returns an attribute's value, or -1 where it is null.
func orBelow0[T int | time.Duration](v any) T {
	if t, ok := v.(T); ok {
		return t
	}
	return -1
}
