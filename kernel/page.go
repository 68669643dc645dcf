package kernel

import (
	"fmt"
	"regexp"

	"gaucho/interp"
)

// A page request is a cell that asks for the description of a name: name? or ?name, with two marks for the source.
var pagePattern = regexp.MustCompile(`^\s*(?:(\?\??)\s*([\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*)|([\pL_][\pL\pN_]*(?:\.[\pL_][\pL\pN_]*)*)\s*(\?\??))\s*$`)

func pageRequest(code string) (name string, detail int, ok bool) {
	m := pagePattern.FindStringSubmatch(code)
	if m == nil {
		return "", 0, false
	}
	return m[2] + m[3], len(m[1]+m[4]) - 1, true
}

// page answers a page request: the client shows the description in its pager.
func (c *channel) page(p *parent, s Session, name string, detail int, number int64) object {
	data, found := s.Inspect(name, len(name), detail)
	if !found {
		return c.failed(p, &interp.Error{Name: "NotFound", Value: fmt.Sprintf("nothing is known of %s", name)})
	}
	return object{
		"status": "ok", "execution_count": number, "user_expressions": object{},
		"payload": []any{object{"source": "page", "data": data, "start": 0}},
	}
}
