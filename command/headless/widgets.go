package headless

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"gaucho/command/notebook"
	"gaucho/interp"
)

// The MIME types under which a notebook's metadata holds the state of its widgets, and its outputs show one.
const (
	widgetState = "application/vnd.jupyter.widget-state+json"
	widgetView  = "application/vnd.jupyter.widget-view+json"
)

// widgets keeps the state of a session's widgets, as a front end does that is to save it. A session numbers its widgets at
// random. In the notebook a widget is named by its cell and its place among the cell's, so that a notebook that is run again is the
// same file.
type widgets struct {
	mu     sync.Mutex
	models map[string]*widgetModel
	names  map[string]string // in the notebook, by the session's; also of widgets that are closed
	opened map[string]int    // how many a cell has opened
}

// A widgetModel is what a notebook holds of one widget.
type widgetModel struct {
	state   map[string]any
	buffers map[string]map[string]any // binary attributes, by their path as JSON
}

// take keeps what a message of a cell says.
func (w *widgets) take(cell string, c interp.Comm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case c.Type == "open" && c.Target == "jupyter.widget":
		if w.models == nil {
			w.models, w.names, w.opened = map[string]*widgetModel{}, map[string]string{}, map[string]int{}
		}
		w.opened[cell]++
		name := sha256.Sum256(fmt.Appendf(nil, "widget %d of cell %s", w.opened[cell], cell))
		w.names[c.ID] = hex.EncodeToString(name[:16])
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
func (w *widgets) save(nb *notebook.Notebook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range nb.Cells {
		for _, o := range c.Outputs {
			w.nameView(o)
		}
	}
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
		if m.state["_model_name"] == "PasswordModel" {
			m.state["value"] = ""
		}
		one := map[string]any{
			"model_name": m.state["_model_name"], "model_module": m.state["_model_module"],
			"model_module_version": m.state["_model_module_version"], "state": w.named(m.state),
		}
		if len(m.buffers) > 0 {
			buffers := []any{}
			for _, key := range slices.Sorted(maps.Keys(m.buffers)) {
				buffers = append(buffers, m.buffers[key])
			}
			one["buffers"] = buffers
		}
		states[w.names[id]] = one
	}
	if all == nil {
		all = map[string]any{}
		nb.Metadata["widgets"] = all
	}
	all[widgetState] = map[string]any{"version_major": 2, "version_minor": 0, "state": states}
}

// nameView has an output show a widget by its name in the notebook.
func (w *widgets) nameView(o *notebook.Output) {
	raw, ok := o.Data[widgetView].(json.RawMessage)
	if !ok {
		return
	}
	var view map[string]any
	if json.Unmarshal(raw, &view) != nil {
		return
	}
	if id, _ := view["model_id"].(string); w.names[id] != "" {
		view["model_id"] = w.names[id]
		o.Data[widgetView] = view
	}
}

// named returns a widget's state with the notebook's names of the widgets that it refers to.
func (w *widgets) named(v any) any {
	switch v := v.(type) {
	case string:
		if id, ok := strings.CutPrefix(v, "IPY_MODEL_"); ok && w.names[id] != "" {
			return "IPY_MODEL_" + w.names[id]
		}
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = w.named(e)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = w.named(e)
		}
		return out
	}
	return v
}
