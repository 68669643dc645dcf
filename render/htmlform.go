package render

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

// asHTML returns a bundle as one piece of HTML and reports whether it is more than its text.
func asHTML(b, metadata map[string]any) (string, bool) {
	if h, ok := b["text/html"].(string); ok {
		return h, true
	}
	if s, ok := b["image/svg+xml"].(string); ok {
		return dataImage("image/svg+xml", []byte(s), ""), true
	}
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif"} {
		if raw, ok := b[mime].([]byte); ok {
			size := ""
			if m, ok := metadata[mime].(map[string]any); ok {
				size = fmt.Sprintf(` width="%v" height="%v"`, m["width"], m["height"])
			}
			return dataImage(mime, raw, size), true
		}
	}
	if s, ok := b["text/latex"].(string); ok {
		return "<div>" + html.EscapeString(s) + "</div>", true
	}
	text, _ := b["text/plain"].(string)
	return `<pre style="margin:.2em 0;white-space:pre-wrap">` + html.EscapeString(strings.TrimRight(text, "\n")) + "</pre>", false
}

func dataImage(mime string, raw []byte, size string) string {
	return fmt.Sprintf(`<img src="data:%s;base64,%s"%s style="max-width:100%%">`, mime, base64.StdEncoding.EncodeToString(raw), size)
}
