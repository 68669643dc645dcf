package headless

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"gaucho/interp"
)

// widgetState is the MIME type under which a notebook's metadata holds the state of its widgets.
const widgetState = "application/vnd.jupyter.widget-state+json"

// widgets keeps the state of a session's widgets, as a front end does that is to save it.
type widgets struct {
	mu     sync.Mutex
	models map[string]*widgetModel
}

// A widgetModel is what a notebook holds of one widget.
type widgetModel struct {
	state   map[string]any
	buffers map[string]map[string]any // binary attributes, by their path as JSON
}

// take keeps what a message says.
func (w *widgets) take(c interp.Comm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case c.Type == "open" && c.Target == "jupyter.widget":
		if w.models == nil {
			w.models = map[string]*widgetModel{}
		}
		w.models[c.ID] = &widgetModel{map[string]any{}, map[string]map[string]any{}}
	case c.Type == "close":
		delete(w.models, c.ID)
		return
	case c.Data["method"] != "update":
		return
	}
	if m := w.models[c.ID]; m != nil {
		m.take(c)
	}
}

func (m *widgetModel) take(c interp.Comm) {
	state, _ := c.Data["state"].(map[string]any)
	maps.Copy(m.state, state)
	paths, _ := c.Data["buffer_paths"].([]any)
	for i, path := range paths {
		if i >= len(c.Buffers) {
			return
		}
		key, err := json.Marshal(path)
		if err != nil {
			continue
		}
		m.buffers[string(key)] = map[string]any{
			"encoding": "base64", "path": path, "data": base64.StdEncoding.EncodeToString(c.Buffers[i]),
		}
	}
}

// save puts the widgets' state into the notebook's metadata, in place of what was there of an earlier run.
func (w *widgets) save(nb *Notebook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all, _ := nb.Metadata["widgets"].(map[string]any)
	delete(all, widgetState)
	if len(w.models) == 0 {
		if all != nil && len(all) == 0 {
			delete(nb.Metadata, "widgets")
		}
		return
	}
	states := map[string]any{}
	for id, m := range w.models {
		one := map[string]any{
			"model_name": m.state["_model_name"], "model_module": m.state["_model_module"],
			"model_module_version": m.state["_model_module_version"], "state": m.state,
		}
		if len(m.buffers) > 0 {
			buffers := []any{}
			for _, key := range slices.Sorted(maps.Keys(m.buffers)) {
				buffers = append(buffers, m.buffers[key])
			}
			one["buffers"] = buffers
		}
		states[id] = one
	}
	if all == nil {
		all = map[string]any{}
		nb.Metadata["widgets"] = all
	}
	all[widgetState] = map[string]any{"version_major": 2, "version_minor": 0, "state": states}
}
