package headless

import (
	"encoding/json"
	"fmt"
	"testing"

	"gaucho/interp"
)

// The state of widgets stands in the executed notebook as nbclient and JupyterLab write it.
func TestWidgetState(t *testing.T) {
	rec := NewRecorder()
	nb := &Notebook{Metadata: map[string]any{"widgets": map[string]any{widgetState: "of an earlier run", "other": 1}}}
	open := func(id string) {
		rec.Comm("1", interp.Comm{Type: "open", ID: id, Target: "jupyter.widget", Buffers: [][]byte{{1, 2}}, Data: map[string]any{
			"state":        map[string]any{"_model_name": "ImageModel", "_model_module": "m", "_model_module_version": "2.0.0", "width": "3"},
			"buffer_paths": []any{[]any{"value"}},
		}})
	}
	open("a")
	open("b")
	rec.Comm("1", interp.Comm{Type: "open", ID: "c", Target: "mine"})
	rec.Comm("1", interp.Comm{Type: "msg", ID: "a", Data: map[string]any{"method": "update", "state": map[string]any{"width": "4"}}})
	rec.Comm("1", interp.Comm{Type: "msg", ID: "a", Data: map[string]any{"method": "echo_update", "state": map[string]any{"width": "5"}}})
	rec.Comm("1", interp.Comm{Type: "close", ID: "b"})
	rec.widgets.save(nb)
	got, _ := json.Marshal(nb.Metadata)
	want := `{"widgets":{"application/vnd.jupyter.widget-state+json":{"state":{"a":{"buffers":[{"data":"AQI=","encoding":"base64","path":["value"]}],` +
		`"model_module":"m","model_module_version":"2.0.0","model_name":"ImageModel","state":{"_model_module":"m","_model_module_version":"2.0.0",` +
		`"_model_name":"ImageModel","width":"4"}}},"version_major":2,"version_minor":0},"other":1}}`
	if string(got) != want {
		t.Errorf("metadata %s\nwant %s", got, want)
	}
	nb = &Notebook{Metadata: map[string]any{"widgets": map[string]any{widgetState: "of an earlier run"}}}
	NewRecorder().widgets.save(nb)
	if len(nb.Metadata) != 0 {
		t.Error(fmt.Sprint("a notebook without widgets keeps ", nb.Metadata))
	}
}
