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

// encode returns an attribute's value as a message holds it. Widgets that it refers to become known to the front end. The
// lock is held.
func encode(a *attribute, v any) (any, []part) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		return number(x), nil
	case []float64:
		out := make([]any, len(x))
		for i := range x {
			out[i] = number(x[i])
		}
		return out, nil
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

// number returns a float as JSON can hold it.
func number(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return x
}

func reference(m *Model) any {
	m.reveal()
	return "IPY_MODEL_" + m.id
}

func encodeTime(kind string, t time.Time) any {
	t = t.UTC()
	out := map[string]any{"year": t.Year(), "month": int(t.Month()) - 1, "date": t.Day()}
	if kind != "date" {
		out["hours"], out["minutes"], out["seconds"], out["milliseconds"] = t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1e6
	}
	return out
}

// decode returns the value of an attribute that a message holds, and false for one that is none.
func decode(a *attribute, v any) (any, bool) {
	if v == nil {
		return nil, a.null
	}
	switch a.kind {
	case "bool":
		x, ok := v.(bool)
		return x, ok
	case "string":
		x, ok := v.(string)
		return x, ok
	case "int", "index":
		x, ok := v.(float64)
		return int(x), ok
	case "float":
		x, ok := v.(float64)
		return x, ok
	case "bytes":
		x, ok := v.([]byte)
		return x, ok
	case "strings":
		return decodeList[string](v)
	case "floats", "fpair":
		x, ok := decodeList[float64](v)
		return x, ok && (a.kind == "floats" || len(x) == 2)
	case "ints", "pair":
		x, ok := decodeList[float64](v)
		out := make([]int, len(x))
		for i := range x {
			out[i] = int(x[i])
		}
		return out, ok && (a.kind == "ints" || len(x) == 2)
	case "date", "datetime", "naive":
		return decodeTime(v)
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

func decodeList[T any](v any) ([]T, bool) {
	list, ok := v.([]any)
	out := make([]T, len(list))
	for i := range list {
		x, is := list[i].(T)
		out[i], ok = x, ok && is
	}
	return out, ok
}

// field returns a whole number of an object.
func field(o map[string]any, name string) int {
	x, _ := o[name].(float64)
	return int(x)
}

func decodeTime(v any) (any, bool) {
	o, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	return time.Date(field(o, "year"), time.Month(field(o, "month")+1), field(o, "date"), field(o, "hours"), field(o, "minutes"),
		field(o, "seconds"), field(o, "milliseconds")*1e6, time.UTC), true
}

func decodeClock(v any) (any, bool) {
	o, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	return time.Duration(field(o, "hours"))*time.Hour + time.Duration(field(o, "minutes"))*time.Minute +
		time.Duration(field(o, "seconds"))*time.Second + time.Duration(field(o, "milliseconds"))*time.Millisecond, true
}

func decodeFiles(v any) (any, bool) {
	list, ok := v.([]any)
	files := make([]File, 0, len(list))
	for _, e := range list {
		o, _ := e.(map[string]any)
		f := File{Size: field(o, "size"), Modified: time.UnixMilli(int64(field(o, "last_modified")))}
		f.Name, _ = o["name"].(string)
		f.Type, _ = o["type"].(string)
		f.Content, _ = o["content"].([]byte)
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
