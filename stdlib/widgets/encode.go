package widgets

import (
	"math"
	"time"
)

// A File is one that the user has given to a [FileUpload].
type File struct {
	Name     string
	Type     string // MIME type
	Size     int
	Modified time.Time
	Content  []byte
}

// An end is one end of a link: a widget and the name of an attribute.
type end struct {
	m    *Model
	attr string
}

// A part is binary data of an attribute, which messages carry apart; path says where in the attribute it belongs.
type part struct {
	path []any
	data []byte
}

// A secret is a text that no printer of values finds.
type secret func() string

func hide(s string) secret { return func() string { return s } }

// encode returns an attribute's value as a message holds it. Widgets that it refers to become known to the front end. The
// lock is held.
func encode(a *attribute, v any) (any, []part) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case secret:
		return x(), nil
	case []byte:
		return nil, []part{{nil, x}}
	case *Model:
		return reference(x), nil
	case []Widget:
		out := make([]any, len(x))
		for i, w := range x {
			out[i] = reference(w.model())
		}
		return out, nil
	case end:
		return []any{reference(x.m), x.attr}, nil
	case time.Time:
		return encodeTime(a.kind, x), nil
	case time.Duration:
		return map[string]any{"hours": int(x.Hours()), "minutes": int(x.Minutes()) % 60, "seconds": int(x.Seconds()) % 60,
			"milliseconds": int(x.Milliseconds()) % 1000}, nil
	case []File:
		var parts []part
		out := make([]any, len(x))
		for i, f := range x {
			out[i] = map[string]any{"name": f.Name, "type": f.Type, "size": f.Size, "last_modified": f.Modified.UnixMilli()}
			parts = append(parts, part{[]any{i, "content"}, f.Content})
		}
		return out, parts
	}
	return v, nil
}

func reference(m *Model) any {
	m.reveal()
	return "IPY_MODEL_" + m.id
}

func encodeTime(kind string, t time.Time) any {
	t = t.UTC() // days are in it already
	out := map[string]any{"year": t.Year(), "month": int(t.Month()) - 1, "date": t.Day()}
	if kind != "date" {
		out["hours"], out["minutes"], out["seconds"], out["milliseconds"] = t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1e6
	}
	return out
}

// decode returns the value of an attribute that a message holds, and false for one that is none. A number that is not whole, or
// that is not exact in a page, is no int.
func decode(a *attribute, v any) (any, bool) {
	if v == nil {
		return nil, a.null
	}
	switch a.kind {
	case "bool":
		x, ok := v.(bool)
		return x, ok
	case "string", "color":
		x, ok := v.(string)
		return x, ok
	case "secret":
		x, ok := v.(string)
		return hide(x), ok
	case "int", "index":
		return decodeInt(v)
	case "float":
		x, ok := v.(float64)
		return x, ok
	case "bytes":
		x, ok := v.([]byte)
		return x, ok
	case "strings", "colors":
		return decodeList[string](v)
	case "floats", "fpair":
		x, ok := decodeList[float64](v)
		return x, ok && (a.kind == "floats" || len(x) == 2)
	case "ints", "pair":
		list, ok := v.([]any)
		out := make([]int, len(list))
		for i := range list {
			x, is := decodeInt(list[i])
			out[i], ok = x, ok && is
		}
		return out, ok && (a.kind == "ints" || len(out) == 2)
	case "date", "datetime", "naive":
		return decodeTime(a.kind, v)
	case "clock":
		return decodeClock(v)
	case "files":
		return decodeFiles(v)
	case "outputs":
		x, ok := v.([]any)
		return x, ok
	}
	return nil, false // what the program alone decides: boxes' children, links' ends
}

func decodeInt(v any) (int, bool) {
	x, ok := v.(float64)
	if !ok || x != math.Trunc(x) || math.Abs(x) > safeInt {
		return 0, false
	}
	return int(x), true
}

func decodeList[T any](v any) ([]T, bool) {
	list, ok := v.([]any)
	out := make([]T, len(list))
	for i := range list {
		x, is := list[i].(T)
		out[i], ok = x, ok && is
	}
	return out, ok
}

// fields are the whole numbers of an object.
type fields struct {
	o     map[string]any
	wrong bool // one is absent, no whole number, or beyond its limits
}

func (f *fields) get(name string, lo, hi int) int {
	x, ok := decodeInt(f.o[name])
	f.wrong = f.wrong || !ok || x < lo || x > hi
	return x
}

func decodeTime(kind string, v any) (any, bool) {
	o, _ := v.(map[string]any)
	f := fields{o: o}
	day := f.get("date", 1, 31)
	t := time.Date(f.get("year", 1, 9999), time.Month(f.get("month", 0, 11)+1), day, 0, 0, 0, 0, time.UTC)
	f.wrong = f.wrong || t.Day() != day // there is no 30 February
	if kind != "date" {
		t = t.Add(f.clock())
	}
	return t, !f.wrong
}

func decodeClock(v any) (any, bool) {
	o, _ := v.(map[string]any)
	f := fields{o: o}
	return f.clock(), !f.wrong
}

// clock returns a time of the day.
func (f *fields) clock() time.Duration {
	return time.Duration(f.get("hours", 0, 23))*time.Hour + time.Duration(f.get("minutes", 0, 59))*time.Minute +
		time.Duration(f.get("seconds", 0, 59))*time.Second + time.Duration(f.get("milliseconds", 0, 999))*time.Millisecond
}

func decodeFiles(v any) (any, bool) {
	list, ok := v.([]any)
	files := make([]File, 0, len(list))
	for _, e := range list {
		o, _ := e.(map[string]any)
		modified, _ := o["last_modified"].(float64)
		f := File{Modified: time.UnixMilli(int64(modified))}
		f.Name, _ = o["name"].(string)
		f.Type, _ = o["type"].(string)
		f.Content, _ = o["content"].([]byte)
		f.Size, _ = decodeInt(o["size"])
		files = append(files, f)
	}
	return files, ok
}

// join puts binary data of a message where its paths say.
func join(state map[string]any, paths any, buffers [][]byte) {
	list, _ := paths.([]any)
	for i, p := range list {
		path, _ := p.([]any)
		if i >= len(buffers) || len(path) == 0 {
			return
		}
		var at any = state
		for k, step := range path {
			last := k == len(path)-1
			switch o := at.(type) {
			case map[string]any:
				name, _ := step.(string)
				if last && o != nil {
					o[name] = buffers[i]
				}
				at = o[name]
			case []any:
				n, _ := step.(float64)
				if int(n) < 0 || int(n) >= len(o) {
					at = nil
				} else if last {
					o[int(n)] = buffers[i]
				} else {
					at = o[int(n)]
				}
			}
		}
	}
}
