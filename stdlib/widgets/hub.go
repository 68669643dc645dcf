package widgets

import (
	"maps"
	"slices"
	"sync"

	"gaucho/stdlib/display"
)

// The version of the widgets' protocol, and its comm targets.
const (
	protocol      = "2.1.0"
	widgetTarget  = "jupyter.widget"
	controlTarget = "jupyter.widget.control"
)

// A notebook is what the sink of package display offers in one.
type notebook interface {
	// SendComm sends a message of a comm to the front end.
	SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error
	// OnComm installs what takes the front end's messages and returns what is to be run because of one.
	OnComm(f func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) (run func()))
	// Cell returns the number of the running cell, and Callback calls a function that the cell has installed.
	Cell() int
	// Callback returns false if the code that calls it has been interrupted.
	Callback(cell int, f func()) (goOn bool)
	// AtEnd has f called when the running code, a cell or what follows from a message, ends; of one key, once.
	AtEnd(key any, f func())
	// Run calls f and returns what it failed with as an output of a notebook.
	Run(f func()) map[string]any
	// Capture gives what the running cell shows to take, as outputs of a notebook. take must not show anything.
	Capture(take func(output map[string]any)) (release func())
	// Render returns a value as an output of a notebook.
	Render(v any) map[string]any
}

// hub knows the widgets that the front end knows. Its lock guards the state of all widgets.
var hub struct {
	sync.Mutex
	host     notebook // nil outside a notebook
	models   map[string]*Model
	controls map[string]bool // comms that ask for the state of all widgets
	targets  map[string]func(*Comm, map[string]any, [][]byte)
	comms    map[string]*Comm
}

// connect finds the notebook. The lock is held.
func connect() bool {
	n, ok := display.CurrentSink().(notebook)
	if !ok {
		hub.host = nil
		return false
	}
	if hub.host != n {
		hub.host = n
		hub.models, hub.controls, hub.comms = map[string]*Model{}, map[string]bool{}, map[string]*Comm{}
		n.OnComm(receive)
	}
	return true
}

// cell returns the number of the running cell, 0 outside a notebook. The lock is held.
func cell() int {
	if connect() {
		return hub.host.Cell()
	}
	return 0
}

// reveal makes the widget, and all that its attributes refer to, known to the front end. It returns false outside a
// notebook. The lock is held.
func (m *Model) reveal() bool {
	if !connect() || m.closed {
		return false
	}
	if m.open && hub.models[m.id] == m {
		return true
	}
	m.open = true
	hub.models[m.id] = m
	for i, a := range m.class.attrs {
		if a.child != nil && m.values[i] == nil {
			m.values[i] = a.child()
		}
	}
	state, paths, buffers := m.state(nil)
	hub.host.SendComm("open", m.id, widgetTarget, map[string]any{"state": state, "buffer_paths": paths},
		map[string]any{"version": protocol}, buffers)
	return true
}

// state returns attributes as messages hold them, with the binary ones apart; nil for all. The lock is held.
func (m *Model) state(attrs []int) (state map[string]any, paths [][]any, buffers [][]byte) {
	state, paths = map[string]any{}, [][]any{}
	if attrs == nil {
		maps.Copy(state, m.fixed())
		for i := range m.class.attrs {
			attrs = append(attrs, i)
		}
	}
	for _, i := range attrs {
		a := &m.class.attrs[i]
		v, parts := encode(a, m.values[i])
		for _, p := range parts {
			paths = append(paths, append([]any{a.name}, p.path...))
			buffers = append(buffers, p.data)
		}
		if !(a.kind == "bytes" && len(parts) > 0) {
			state[a.name] = v
		}
	}
	return state, paths, buffers
}

// fixed returns what names the widget's types in the front end.
func (m *Model) fixed() map[string]any {
	module, version := "@jupyter-widgets/"+m.class.module, "2.0.0"
	if m.class.module == "output" {
		version = "1.0.0"
	}
	state := map[string]any{
		"_model_module": module, "_model_module_version": version, "_model_name": m.class.model,
		"_view_module": module, "_view_module_version": version, "_view_name": m.class.view, "_view_count": nil,
	}
	if m.class.view == "" {
		state["_view_name"] = nil
	}
	if m.class.view == "StyleView" {
		state["_view_module"] = "@jupyter-widgets/base"
	}
	if m.class.attr("tooltip") >= 0 {
		state["_dom_classes"] = []string{}
	}
	return state
}

// send sends changed attributes to the front end. The lock is held.
func (m *Model) send(attrs []int) {
	if len(attrs) == 0 || !m.open || !connect() || hub.models[m.id] != m {
		return
	}
	state, paths, buffers := m.state(attrs)
	m.message(map[string]any{"method": "update", "state": state, "buffer_paths": paths}, buffers)
}

func (m *Model) message(data map[string]any, buffers [][]byte) {
	hub.host.SendComm("msg", m.id, "", data, nil, buffers)
}

// receive takes a message of the front end and returns the callbacks that it causes.
func receive(typ, id, target string, data, metadata map[string]any, buffers [][]byte) (run func()) {
	hub.Lock()
	defer hub.Unlock()
	var calls []call
	switch m, c := hub.models[id], hub.comms[id]; {
	case typ == "open" && target == controlTarget:
		hub.controls[id] = true
	case typ == "open" && hub.targets[target] != nil:
		calls = acceptComm(id, target, data, buffers)
	case typ == "open":
		hub.host.SendComm("close", id, "", map[string]any{}, nil, nil)
	case hub.controls[id] && typ == "close":
		delete(hub.controls, id)
	case hub.controls[id] && data["method"] == "request_states":
		sendStates(id)
	case c != nil:
		calls = c.receive(typ, data, buffers)
	case m == nil:
	case typ == "close": // a page that could not take it; when the widget is shown again it is opened again
		m.open = false
		delete(hub.models, id)
	default:
		calls = m.receive(data, buffers)
	}
	if len(calls) == 0 {
		return nil
	}
	return func() { queue.run(calls) }
}

// sendStates answers a page that was loaded anew: it gets the state of all widgets at once.
func sendStates(id string) {
	states, paths, buffers := map[string]any{}, [][]any{}, [][]byte(nil)
	for _, key := range slices.Sorted(maps.Keys(hub.models)) {
		m := hub.models[key]
		state, own, b := m.state(nil)
		fixed := m.fixed()
		states[key] = map[string]any{
			"model_name": fixed["_model_name"], "model_module": fixed["_model_module"],
			"model_module_version": fixed["_model_module_version"], "state": state,
		}
		for _, p := range own {
			paths = append(paths, append([]any{key, "state"}, p...))
		}
		buffers = append(buffers, b...)
	}
	hub.host.SendComm("msg", id, "", map[string]any{"method": "update_states", "states": states, "buffer_paths": paths}, nil, buffers)
}

// receive takes a message for the widget.
func (m *Model) receive(data map[string]any, buffers [][]byte) []call {
	switch data["method"] {
	case "update":
		state, _ := data["state"].(map[string]any)
		join(state, data["buffer_paths"], buffers)
		return m.update(state)
	case "request_state":
		state, paths, own := m.state(nil)
		m.message(map[string]any{"method": "update", "state": state, "buffer_paths": paths}, own)
	case "custom":
		content, _ := data["content"].(map[string]any)
		event, _ := content["event"].(string)
		var calls []call
		for _, w := range m.custom {
			if w.event == event {
				calls = append(calls, call{cell: w.cell, f: w.f, of: m})
			}
		}
		return calls
	}
	return nil
}

// update takes values from the front end. It says them again, for other pages that show the widget and as the sign for
// this one that they have come; where they are not taken as they are, it says what they are instead. A callback that waits for
// its turn sees them, and is not called twice.
func (m *Model) update(state map[string]any) []call {
	before := slices.Clone(m.values)
	echo := map[string]any{}
	refused := map[int]bool{}
	for _, name := range slices.Sorted(maps.Keys(state)) {
		i := m.class.attr(name)
		if i < 0 || m.class.attrs[i].own() {
			continue
		}
		a := &m.class.attrs[i]
		if a.kind != "bytes" && a.kind != "files" && a.kind != "secret" {
			echo[name] = state[name]
		}
		old := m.values[i]
		value, ok := decode(a, state[name])
		if ok {
			m.values[i] = value
			ok = m.fault(i) == ""
		}
		if !ok {
			m.values[i], refused[i] = old, true
		}
	}
	m.onGrid()
	asGiven := slices.Clone(m.values)
	m.bound()
	changed := m.changed(before)
	if len(echo) > 0 {
		m.message(map[string]any{"method": "echo_update", "state": echo, "buffer_paths": [][]any{}}, nil)
	}
	corrected := []int{}
	for i := range m.values {
		if refused[i] || !same(asGiven[i], m.values[i]) {
			corrected = append(corrected, i)
		}
	}
	m.send(corrected)
	return slices.DeleteFunc(m.calls(before, changed), func(c call) bool { return !c.waiting.CompareAndSwap(false, true) })
}

// own reports whether the program alone decides an attribute.
func (a *attribute) own() bool {
	return a.kind == "child" || a.kind == "widgets" || a.kind == "source" || a.kind == "target"
}
