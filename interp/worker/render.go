package worker

import (
	"fmt"
	"maps"

	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
	"gaucho/render"
	"gaucho/stdlib/display"
)

// rendered turns values that belong together into a MIME bundle and its metadata, nil if there is nothing to show. Code of
// cells runs in it: methods by which values show themselves.
func rendered(values []any) (wire.Bundle, map[string]any) {
	if len(values) == 0 {
		return nil, nil
	}
	forms, metadata := render.Results(values...)
	if len(forms) == 0 {
		return nil, nil
	}
	for kind, form := range forms {
		if text, ok := form.(string); ok {
			forms[kind] = run.PlainNames(text)
		}
	}
	bundle, err := wire.NewBundle(forms)
	if err != nil {
		bundle["text/plain"] = fmt.Sprintf("%s\n(not shown: %v)", bundle.Text("text/plain"), err)
	}
	return bundle, metadata
}

// displays sends what cells show, in order with what they print.
type displays struct{ w *server }

func (d displays) Display(m display.Message) {
	bundle, metadata := rendered([]any{m.Value})
	if bundle == nil {
		if m.ID == "" {
			return
		}
		bundle = wire.Bundle{}
	}
	if metadata == nil {
		metadata = m.Metadata
	} else {
		maps.Copy(metadata, m.Metadata)
	}
	d.w.show(&wire.Display{Cell: run.CellID(), Data: bundle, Metadata: metadata, ID: m.ID, Update: m.Update})
}

// TypeName is a type's name, as reflection gives it, as the cell has it.
func (d displays) TypeName(name string) string { return run.PlainNames(name) }

func (d displays) Clear(wait bool) {
	d.w.out.send(&wire.Clear{Cell: run.CellID(), Wait: wait})
}

// show sends a display, without its metadata if that cannot be sent.
func (w *server) show(d *wire.Display) {
	if err := w.out.send(d); err != nil {
		d.Metadata = nil
		w.out.send(d)
	}
}
