package headless

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"gaucho/command/notebook"
	"gaucho/interp"
)

// The state of widgets is in the executed notebook as nbclient and JupyterLab write it.
func TestWidgetState(t *testing.T) {
	rec := NewRecorder()
	nb := &notebook.Notebook{Metadata: map[string]any{"widgets": map[string]any{widgetState: "of an earlier run", "other": 1}}}
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
	// printf 'widget 1 of cell 1' | sha256sum
	want := `{"widgets":{"application/vnd.jupyter.widget-state+json":{"state":{"6d511cb9fdad68e1e6e3b9adf490b28d":{"buffers":[{"data":"AQI=","encoding":"base64","path":["value"]}],` +
		`"model_module":"m","model_module_version":"2.0.0","model_name":"ImageModel","state":{"_model_module":"m","_model_module_version":"2.0.0",` +
		`"_model_name":"ImageModel","width":"4"}}},"version_major":2,"version_minor":0},"other":1}}`
	if string(got) != want {
		t.Errorf("metadata %s\nwant %s", got, want)
	}
	nb = &notebook.Notebook{Metadata: map[string]any{"widgets": map[string]any{widgetState: "of an earlier run"}}}
	NewRecorder().widgets.save(nb)
	if len(nb.Metadata) != 0 {
		t.Error(fmt.Sprint("a notebook without widgets keeps ", nb.Metadata))
	}
}

// A session's widgets have other numbers in each run; the notebook is the same.
func TestWidgetsHaveTheSameNamesInEachRun(t *testing.T) {
	run := func(slider, box, closed string) string {
		rec := NewRecorder()
		cell := &notebook.Cell{Type: "code", ID: "the-cell"}
		rec.add("3", cell)
		for _, id := range []string{closed, slider, box} {
			state := map[string]any{"_model_name": "M", "children": []any{"IPY_MODEL_" + slider, "IPY_MODEL_" + closed}, "layout": "IPY_MODEL_" + box, "value": "IPY_MODEL_of another"}
			rec.Comm("3", interp.Comm{Type: "open", ID: id, Target: "jupyter.widget", Data: map[string]any{"state": state}})
		}
		rec.Comm("3", interp.Comm{Type: "close", ID: closed})
		for _, id := range []string{box, closed} {
			rec.Display("3", interp.Display{Data: map[string]any{"text/plain": "a box", widgetView: json.RawMessage(`{"model_id": "` + id + `"}`)}})
		}
		nb := &notebook.Notebook{Cells: []*notebook.Cell{cell}, Metadata: map[string]any{}}
		rec.widgets.save(nb)
		states := nb.Metadata["widgets"].(map[string]any)[widgetState].(map[string]any)["state"].(map[string]any)
		shown := cell.Outputs[0].Data[widgetView].(map[string]any)["model_id"].(string)
		other := strings.TrimPrefix(states[shown].(map[string]any)["state"].(map[string]any)["children"].([]any)[0].(string), "IPY_MODEL_")
		if states[other] == nil || other == shown || len(states) != 2 {
			t.Errorf("the box %s has the child %s of %v", shown, other, states)
		}
		all, err := json.Marshal([]any{nb.Metadata, cell.Outputs[0].Data, cell.Outputs[1].Data})
		if err != nil {
			t.Fatal(err)
		}
		return string(all)
	}
	first, second := run("5a", "5b", "5c"), run("77", "66", "11")
	if first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}
