package widgets

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// outputs returns what the Outputs within a widget show, in their order. The lock is held.
func (m *Model) outputs() (list []any) {
	if i := m.class.attr("outputs"); i >= 0 {
		list = append(list, m.values[i].([]any)...)
	}
	if i := m.class.attr("children"); i >= 0 {
		for _, w := range m.values[i].([]Widget) {
			list = append(list, w.model().outputs()...)
		}
	}
	return list
}

// pictures are the forms of an output that is one, best first.
var pictures = []string{"image/png", "image/svg+xml", "image/jpeg", "image/gif"}

// ansi are the escapes by which a terminal colours text.
var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

// forms returns outputs, as the notebook format has them, for viewers that know no widgets: as text; as the last picture, if there is
// one; and as HTML if there is more than a picture, or some of them have HTML. They are empty if there are no outputs.
func forms(outputs []any) map[string]any {
	bundle := map[string]any{}
	var plain, page []string
	rich := 0 // outputs that are more than text
	for _, o := range outputs {
		o, _ := o.(map[string]any)
		data, _ := o["data"].(map[string]any)
		text, _ := data["text/plain"].(string)
		switch o["output_type"] {
		case "stream":
			text, _ = o["text"].(string)
		case "error":
			text = fmt.Sprint(o["ename"], ": ", o["evalue"])
			if lines := lines(o["traceback"]); len(lines) > 0 {
				text = strings.Join(lines, "\n")
			}
		}
		text = ansi.ReplaceAllString(strings.TrimSuffix(text, "\n"), "")
		plain = append(plain, text)
		form, picture := markup(data)
		if form == "" {
			form = "<pre>" + html.EscapeString(text) + "</pre>"
		} else {
			rich++
		}
		page = append(page, form)
		if picture != "" {
			clear(bundle)
			bundle[picture] = data[picture]
		}
	}
	if len(outputs) > 0 {
		if rich > 0 && (len(bundle) == 0 || len(outputs) > 1) {
			bundle["text/html"] = strings.Join(page, "\n")
		}
		bundle["text/plain"] = strings.Join(plain, "\n")
	}
	return bundle
}

// markup returns HTML that shows an output, "" if it is text only, and its form that is a picture, if it is one.
func markup(data map[string]any) (form, picture string) {
	for _, picture := range pictures {
		if v, ok := data[picture].(string); ok {
			if picture == "image/svg+xml" {
				return "<div>" + v + "</div>", picture
			}
			return fmt.Sprintf(`<div><img src="data:%s;base64,%s"></div>`, picture, strings.ReplaceAll(v, "\n", "")), picture
		}
	}
	if v, ok := data["text/html"].(string); ok {
		return "<div>" + v + "</div>", ""
	}
	return "", ""
}

// lines returns the texts of a list.
func lines(v any) (list []string) {
	switch v := v.(type) {
	case []string:
		return v
	case []any:
		for _, e := range v {
			list = append(list, fmt.Sprint(e))
		}
	}
	return list
}
