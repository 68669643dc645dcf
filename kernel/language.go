package kernel

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"gaucho/interp/cell"
)

// byteOffset turns a position in code points, as clients count, into one in bytes. Positions outside are moved inside.
func byteOffset(s string, points int) int {
	for i := range s {
		if points <= 0 {
			return i
		}
		points--
	}
	return len(s)
}

// pointOffset is the inverse of byteOffset.
func pointOffset(s string, bytes int) int {
	return utf8.RuneCountInString(s[:min(max(bytes, 0), len(s))])
}

type cursorContent struct {
	Code   *string `json:"code"`
	Cursor *int    `json:"cursor_pos"`
	Detail int     `json:"detail_level"`
}

// cursor reads a request about a place in source text.
func (r *request) cursor() (source string, at int, detail int, err error) {
	var q cursorContent
	if err := r.decode(&q); err != nil {
		return "", 0, 0, err
	}
	if q.Code == nil {
		return "", 0, 0, fmt.Errorf("%s without code", r.Type)
	}
	at = len(*q.Code)
	if q.Cursor != nil {
		at = byteOffset(*q.Code, *q.Cursor)
	}
	return *q.Code, at, q.Detail, nil
}

// complete answers what can be at the cursor.
func (c *channel) complete(r *request) (object, error) {
	source, at, _, err := r.cursor()
	if err != nil {
		return nil, err
	}
	session, err := c.k.session.get()
	if err != nil {
		return failure("KernelError", err.Error()), nil
	}
	found := session.Complete(source, at)
	matches, types := []string{}, []object{}
	start, end := pointOffset(source, found.Start), pointOffset(source, found.End)
	if len(found.Items) == 0 {
		start = pointOffset(source, at)
		end = start
	}
	for _, item := range found.Items {
		matches = append(matches, item.Text)
		t := object{"text": item.Text, "type": item.Type, "start": start, "end": end}
		if item.Signature != "" {
			t["signature"] = item.Signature
		}
		types = append(types, t)
	}
	return object{
		"status": "ok", "matches": matches, "cursor_start": start, "cursor_end": end,
		"metadata": object{"_jupyter_types_experimental": types},
	}, nil
}

// inspect answers what is at the cursor.
func (c *channel) inspect(r *request) (object, error) {
	source, at, detail, err := r.cursor()
	if err != nil {
		return nil, err
	}
	session, err := c.k.session.get()
	if err != nil {
		return failure("KernelError", err.Error()), nil
	}
	data, found := session.Inspect(source, at, detail)
	return object{"status": "ok", "found": found, "data": rawObject(data), "metadata": object{}}, nil
}

// isComplete answers whether a console should run what was typed, or ask for another line.
func (c *channel) isComplete(r *request) (object, error) {
	source, _, _, err := r.cursor()
	if err != nil {
		return nil, err
	}
	if _, _, ok := cell.Question(source); ok {
		return object{"status": "complete"}, nil
	}
	session, err := c.k.session.get()
	if err != nil {
		return object{"status": "unknown"}, nil
	}
	status, indent := session.IsComplete(source)
	content := object{"status": status}
	if status == "incomplete" {
		content["indent"] = strings.ReplaceAll(indent, "\n", "")
	}
	return content, nil
}
