package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Bundle maps MIME types to data as the Jupyter protocol has them: text as string, bytes as base64 text, JSON forms as
// values that encoding/json can write. What was sent arrives as string or, for JSON forms, as json.RawMessage.
type Bundle map[string]any

// NewBundle returns the bundle of forms as a renderer makes them, where data of binary types may be []byte. A JSON form
// that cannot be written as JSON is left out, and the error says so.
func NewBundle(forms map[string]any) (Bundle, error) {
	b := make(Bundle, len(forms))
	var failed error
	for mime, data := range forms {
		switch data := data.(type) {
		case string:
			b[mime] = strings.ToValidUTF8(data, "\uFFFD")
		case json.RawMessage:
			b[mime] = data
		case []byte:
			if textual(mime) {
				b[mime] = strings.ToValidUTF8(string(data), "\uFFFD")
			} else {
				b[mime] = base64.StdEncoding.EncodeToString(data)
			}
		default:
			js, err := json.Marshal(data)
			if err != nil {
				failed = fmt.Errorf("%s: %w", mime, err)
				continue
			}
			b[mime] = json.RawMessage(js)
		}
	}
	return b, failed
}

// textual reports whether data of the type is text in a bundle, not as base64.
func textual(mime string) bool {
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+xml") ||
		slices.Contains([]string{"application/javascript", "application/xml", "application/x-tex"}, mime)
}

// Text returns the text of the type, empty when the bundle has none.
func (b Bundle) Text(mime string) string {
	s, _ := b[mime].(string)
	return s
}

// MarshalJSON writes the types in order; the data follow the JSON of the message.
func (b Bundle) MarshalJSON() ([]byte, error) {
	return json.Marshal(b.types())
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *Bundle) UnmarshalJSON(js []byte) error {
	var types []string
	if err := json.Unmarshal(js, &types); err != nil || types == nil {
		return err
	}
	*b = make(Bundle, len(types))
	for _, t := range types {
		(*b)[t] = nil
	}
	return nil
}

func (b Bundle) types() []string {
	if b == nil {
		return nil
	}
	types := make([]string, 0, len(b))
	for t := range b {
		types = append(types, t)
	}
	slices.Sort(types)
	return types
}

// append adds the data in the order of their types: 0 and a text, or 1 and a JSON value.
func (b Bundle) append(p []byte) []byte {
	for _, t := range b.types() {
		switch data := b[t].(type) {
		case string:
			p = appendBlob(append(p, 0), data)
		case json.RawMessage:
			p = appendBlob(append(p, 1), data)
		default:
			js, err := json.Marshal(data)
			if err != nil {
				js = []byte("null")
			}
			p = appendBlob(append(p, 1), js)
		}
	}
	return p
}

func (b Bundle) parse(p []byte) error {
	for _, t := range b.types() {
		if len(p) == 0 {
			return errShort
		}
		form := p[0]
		data, rest, err := cutBlob(p[1:])
		if err != nil {
			return err
		}
		p = rest
		if form == 0 {
			b[t] = string(data)
		} else {
			b[t] = json.RawMessage(data)
		}
	}
	return nil
}
