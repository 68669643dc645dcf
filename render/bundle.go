package render

import (
	"encoding/json"
	"fmt"
	"image"
	"reflect"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"gaucho/internal/words"
	"gaucho/plotting"
	"gaucho/stdlib/display"
)

func init() { display.SetRenderer(Bundle) }

// Bundle returns the forms in which a value shows itself, by MIME type: text as string, binary data as []byte, JSON as
// values that encoding/json can write. There is always "text/plain", unless the value says by an empty MIMEBundle that
// it shows nothing.
func Bundle(v any) map[string]any {
	data, _ := Render(v)
	return data
}

// Render returns the forms of a value as [Bundle] does, and what a front end needs to know about them, by MIME type: the
// size at which an image is shown. The metadata may be nil.
func Render(v any) (data, metadata map[string]any) {
	view := display.ValueOf(v)
	data = map[string]any{}
	if whole := byMethods(view, data); whole {
		return data, metadataOf(view)
	}
	if len(data) > 0 {
		if _, ok := data["text/plain"]; !ok {
			data["text/plain"] = fallbackText(v, view)
		}
		return data, metadataOf(view)
	}
	switch v := v.(type) {
	case *plot.Plot:
		if v != nil {
			return plotting.Forms(v)
		}
	case []*plotting.Figure:
		if len(v) > 0 {
			p := plotting.Panels(min(2, len(v)), v...)
			return p.MIMEBundle(), p.MIMEMetadata()
		}
	case image.Image:
		if !view.IsNil() {
			return imageBundle(v), nil
		}
	case mat.Matrix:
		if !view.IsNil() {
			return matrixBundle(v), nil
		}
	case mat.CMatrix:
		if !view.IsNil() {
			return complexBundle(v), nil
		}
	}
	if f, ok := view.Method("Error").(func() string); ok && !view.IsNil() {
		return words.Failure(f(), typeName(view)), nil
	}
	table, ok := tabulate(view)
	if ok {
		data["text/html"] = table.html()
	}
	if ok && table.head != nil {
		data["text/plain"] = table.plain()
		return data, nil
	}
	text, many := manyNumbers(view)
	if !many {
		text = Literal(view)
	}
	if ok && (view.Kind() == reflect.Map && strings.Contains(text, "\n") || strings.Count(text, "\n") > int(rowLimit.Load())) {
		text = table.plain()
	}
	data["text/plain"] = text
	return data, nil
}

// Results returns the forms of several values that belong together, such as the results of a call: one below the other
// as text, and as HTML when one of them has more than text to show.
func Results(values ...any) (data, metadata map[string]any) {
	if len(values) == 1 {
		return Render(values[0])
	}
	var plain, page []string
	rich := false
	for _, v := range values {
		b, meta := Render(v)
		if len(b) == 0 {
			continue
		}
		text, _ := b["text/plain"].(string)
		plain = append(plain, text)
		h, ok := asHTML(b, meta)
		rich = rich || ok
		page = append(page, h)
	}
	if len(plain) == 0 {
		return map[string]any{}, nil
	}
	data = map[string]any{"text/plain": strings.Join(plain, "\n")}
	if rich {
		data["text/html"] = strings.Join(page, "\n")
	}
	return data, nil
}

// A form is a method by which values show themselves, and the MIME type of what it returns.
type form struct{ method, mime string }

var forms = []form{
	{"HTML", "text/html"}, {"Markdown", "text/markdown"}, {"LaTeX", "text/latex"}, {"SVG", "image/svg+xml"},
	{"PNG", "image/png"}, {"JPEG", "image/jpeg"}, {"GIF", "image/gif"}, {"PDF", "application/pdf"},
	{"JSON", "application/json"}, {"JavaScript", "application/javascript"},
}

// byMethods adds the forms that a value's methods offer. It reports true when the value left nothing else to say.
func byMethods(v display.Value, data map[string]any) (whole bool) {
	if v.Kind() == reflect.Invalid || v.IsNil() {
		return false
	}
	bundle, found, err := call(v.Method("MIMEBundle"))
	if err != nil {
		data["text/plain"] = "MIMEBundle: " + err.Error()
		return true
	}
	own, isMap := bundle.(map[string]any)
	if b, ok := bundle.(display.Bundle); ok {
		own, isMap = b, true
	}
	if found && isMap && len(own) == 0 {
		return true
	}
	for _, f := range forms {
		if isMap && own[f.mime] != nil {
			continue
		}
		x, ok, err := call(v.Method(f.method))
		switch {
		case !ok:
		case err != nil:
			data["text/plain"] = f.method + ": " + err.Error()
		case f.mime == "text/latex":
			if s, ok := normal(f.mime, x).(string); ok {
				data[f.mime] = display.Delimit(s)
			}
		default:
			if x = normal(f.mime, x); x != nil {
				data[f.mime] = x
			}
		}
	}
	for mime, x := range own {
		if x = sendable(mime, x); x != nil {
			data[mime] = x
		}
	}
	_, text := data["text/plain"]
	return isMap && text
}

// call calls a method that takes nothing and returns a value, or a value and an error.
func call(method any) (result any, ok bool, err error) {
	switch f := method.(type) {
	case nil:
		return nil, false, nil
	case func() string:
		return f(), true, nil
	case func() []byte:
		return f(), true, nil
	case func() map[string]any:
		return f(), true, nil
	}
	f := reflect.ValueOf(method)
	t := f.Type()
	if t.NumIn() != 0 || t.NumOut() == 0 || t.NumOut() > 2 {
		return nil, false, nil
	}
	if t.NumOut() == 2 && t.Out(1) != reflect.TypeFor[error]() {
		return nil, false, nil
	}
	out := f.Call(nil)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, true, out[1].Interface().(error)
	}
	return out[0].Interface(), true, nil
}

// normal returns what a method returned as the form needs it: a string for text, bytes for binary forms, or nil.
func normal(mime string, x any) any {
	if mime == "application/json" {
		return x
	}
	// What a method returns empty is a form that the value does not have this time.
	binary := mime != "image/svg+xml" && (strings.HasPrefix(mime, "image/") || mime == "application/pdf")
	switch v := reflect.ValueOf(x); {
	case !v.IsValid() || (v.Kind() == reflect.String || v.Kind() == reflect.Slice) && v.Len() == 0:
	case v.Kind() == reflect.String && !binary:
		return v.String()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && binary:
		return v.Bytes()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return string(v.Bytes())
	}
	return nil
}

// sendable returns what a value's own bundle has for a type as a front end takes it: the formats of notebooks and messages have text for
// all but JSON, and a client stops at anything else. It is nil for nothing.
func sendable(mime string, x any) any {
	v := reflect.ValueOf(x)
	bytes := v.IsValid() && v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
	switch isJSON := mime == "application/json" || strings.HasSuffix(mime, "+json"); {
	case !v.IsValid():
		return nil
	case isJSON && bytes && json.Valid(v.Bytes()):
		return json.RawMessage(v.Bytes())
	case isJSON:
		return x
	case bytes:
		return v.Bytes()
	case v.Kind() == reflect.String:
		return v.String()
	}
	return fmt.Sprint(x)
}

// metadataOf returns what a value's method MIMEMetadata says.
func metadataOf(v display.Value) map[string]any {
	if f, ok := v.Method("MIMEMetadata").(func() map[string]any); ok {
		return f()
	}
	return nil
}

// fallbackText is the text of a value that shows itself by other forms.
func fallbackText(v any, view display.Value) string {
	if said, ok := says(view); ok {
		return said
	}
	switch v := v.(type) {
	case image.Image:
		return imageText(v)
	case mat.Matrix:
		return matrixText(v)
	}
	return Literal(view)
}
