package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"strings"

	"gaucho/command/notebook"
)

// forms are the MIME types that a page can show, best first: nbconvert's order, with gonum/plot's SVG before its PNG.
var forms = []string{"text/html", "text/markdown", "image/svg+xml", "text/latex", "image/png", "image/jpeg", "image/gif",
	"image/webp", "application/pdf", "application/javascript", "application/json", "text/plain"}

// largeSVG is the size in bytes above which a figure is shown by its PNG, if it has one.
const largeSVG = 1 << 20

// renderOutput returns an output as HTML.
func (m *markdown) renderOutput(o *notebook.Output) string {
	switch o.Type {
	case "stream":
		class := "stream"
		if o.Name == "stderr" {
			class = "stream stderr"
		}
		return fmt.Sprintf("<pre class=\"%s\">%s</pre>\n", class, ansiHTML(strings.TrimSuffix(o.Text, "\n")))
	case "error":
		tb := strings.Join(o.Traceback, "\n")
		if strings.TrimSpace(tb) == "" {
			tb = o.Ename + ": " + o.Evalue
		}
		return fmt.Sprintf("<pre class=\"error\">%s</pre>\n", ansiHTML(tb))
	}
	form, data := m.bestForm(o.Data)
	if form == "" {
		return ""
	}
	return `<div class="display">` + m.renderForm(form, data, o) + "</div>\n"
}

// acting are the forms that can do something in a page.
var acting = map[string]bool{"text/html": true, "application/javascript": true, "application/pdf": true}

func (m *markdown) bestForm(bundle map[string]any) (form string, data any) {
	for _, form := range forms {
		if acting[form] && !m.trusted {
			continue
		}
		data, ok := bundle[form]
		if !ok {
			continue
		}
		if svg, ok := data.(string); ok && form == "image/svg+xml" && len(svg) > largeSVG && bundle["image/png"] != nil {
			continue
		}
		return form, data
	}
	return "", nil
}

func (m *markdown) renderForm(form string, data any, o *notebook.Output) string {
	text, isString := data.(string)
	switch form {
	case "application/json":
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if shallow(data, maxIndent) { // the spaces of what is deep grow with the square of its depth
			enc.SetIndent("", "  ")
		}
		if enc.Encode(data) != nil {
			return ""
		}
		return "<pre>" + html.EscapeString(strings.TrimSpace(b.String())) + "</pre>"
	case "text/html":
		return text
	case "text/markdown":
		return m.render(text, nil)
	case "text/latex":
		return m.renderLaTeX(text)
	case "application/javascript":
		return "<script>" + strings.ReplaceAll(text, "</script", `<\/script`) + "</script>"
	case "application/pdf":
		return fmt.Sprintf(`<object data="%s" type="application/pdf"></object>`, dataURI(form, text))
	case "text/plain":
		return "<pre>" + ansiHTML(text) + "</pre>"
	}
	if !isString {
		return ""
	}
	return fmt.Sprintf(`<img src="%s" alt="%s"%s>`, dataURI(form, text), html.EscapeString(alternative(o, form)), imageSize(o.Metadata, form))
}

// alternative is the alternative text of an image: what its metadata say, else the first line of its text.
func alternative(o *notebook.Output, form string) string {
	if of, ok := o.Metadata[form].(map[string]any); ok {
		if alt, ok := of["alt"].(string); ok {
			return alt
		}
	}
	alt, _ := o.Data["text/plain"].(string)
	alt, _, _ = strings.Cut(alt, "\n")
	return alt
}

// imageSize returns the attributes for the size that a display's metadata ask for, by form or for all forms.
func imageSize(metadata map[string]any, form string) string {
	of, ok := metadata[form].(map[string]any)
	if !ok {
		of = metadata
	}
	var b strings.Builder
	for _, side := range []string{"width", "height"} {
		switch v := of[side].(type) {
		case int, float64, json.Number:
			fmt.Fprintf(&b, ` %s="%v"`, side, v)
		}
	}
	return b.String()
}

// renderLaTeX typesets what a LaTeX display holds: formulas in dollars with text between them, or one bare formula.
func (m *markdown) renderLaTeX(s string) string {
	text, found := takeFormulas(s)
	if len(found) == 0 {
		text = fmt.Sprint(holderOpen, 0, holderClose)
		found = []formula{{tex: strings.TrimSpace(s), source: s, display: true}}
	}
	m.typeset(found)
	return putFormulas(html.EscapeString(text), found)
}

// maxIndent is how deep JSON may be to be shown with indentation.
const maxIndent = 20

// shallow reports whether a JSON value is at most so many levels deep.
func shallow(v any, levels int) bool {
	if levels < 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if !shallow(item, levels-1) {
				return false
			}
		}
	case map[string]any:
		for _, item := range v {
			if !shallow(item, levels-1) {
				return false
			}
		}
	}
	return true
}
