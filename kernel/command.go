package kernel

import (
	"fmt"
	"go/token"
	"strings"

	"gaucho/interp"
)

// pageRequest says whether a cell does nothing but ask for the description of a name: name? or ?name, with two marks
// for the source as well. The name may be that of a magic.
func pageRequest(code string) (name string, detail int, ok bool) {
	name = strings.TrimSpace(code)
	n := len(name)
	name = strings.TrimLeft(name, "?")
	before := n - len(name)
	n = len(name)
	name = strings.TrimRight(name, "?")
	after := n - len(name)
	if marks := before + after; marks < 1 || marks > 2 || before > 0 && after > 0 {
		return "", 0, false
	}
	name = strings.TrimSpace(name)
	plain := strings.TrimLeft(name, "%")
	if len(name)-len(plain) > 2 {
		return "", 0, false
	}
	for part := range strings.SplitSeq(plain, ".") {
		if !token.IsIdentifier(part) && !token.IsKeyword(part) {
			return "", 0, false
		}
	}
	return name, before + after - 1, true
}

// command answers a cell that is no Go, and reports whether it is one: a request for a page, which the client shows in its
// pager, or a word that ends a console. In a session that declares the word it is a cell like any other.
func (c *channel) command(p *parent, s Session, code string, number int64) (content object, ok bool) {
	payload := object{"source": "ask_exit", "keepkernel": false} // a console asks its user or ends, other clients do nothing
	word := strings.TrimSpace(code)
	if name, detail, ok := pageRequest(code); ok {
		data, found := s.Inspect(name, len(name), detail)
		if !found {
			return c.failed(p, &interp.Error{Name: "NotFound", Value: fmt.Sprintf("nothing is known of %s", name)}), true
		}
		payload = object{"source": "page", "data": data, "start": 0}
	} else if word != "exit" && word != "quit" {
		return nil, false
	} else if _, known := s.Inspect(word, len(word), 0); known {
		return nil, false
	}
	return object{"status": "ok", "execution_count": number, "user_expressions": object{}, "payload": []any{payload}}, true
}
