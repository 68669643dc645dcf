package kernel

import (
	"fmt"
	"strings"

	"gaucho/interp/api"
	"gaucho/interp/cell"
)

// command answers a cell that is no Go, and reports whether it is one: a request for a page, which the client shows in its
// pager, or a word that ends a console. In a session that declares the word it is a cell like any other.
func (c *channel) command(p *parent, s Session, code string, number int64) (content object, ok bool) {
	payload := object{"source": "ask_exit", "keepkernel": false} // a console asks its user or ends, other clients do nothing
	word := strings.TrimSpace(code)
	if name, detail, ok := cell.Question(code); ok {
		data, found := s.Inspect(name, len(name), detail)
		if !found {
			return c.failed(p, &api.Error{Name: "NotFound", Value: fmt.Sprintf("nothing is known of %s", name)}), true
		}
		payload = object{"source": "page", "data": data, "start": 0}
	} else if word != "exit" && word != "quit" {
		return nil, false
	} else if _, known := s.Inspect(word, len(word), 0); known {
		return nil, false
	}
	return object{"status": "ok", "execution_count": number, "user_expressions": object{}, "payload": []any{payload}}, true
}
