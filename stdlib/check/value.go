package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/display"
)

// A Value is what a Go value holds, apart from the program that made it.
type Value struct {
	Kind  string   `json:"k"` // nil, bool, int, float, complex, string, list, matrix, map, struct, error, opaque
	Type  string   `json:"t,omitempty"`
	Text  string   `json:"v,omitempty"` // of what has no parts: as Go writes it; of a matrix "rows×columns"; why it is opaque
	Items []*Value `json:"i,omitempty"`
	Names []string `json:"n,omitempty"` // of a map's or struct's items
}

// Limits of what is looked at: more than that is no answer to a test. encoding/json reads 10,000 levels, two for each of these.
const (
	maxItems = 1 << 21
	maxDepth = 4000
)

// Why a part is opaque, if it is not its type.
var (
	tooLong = fmt.Sprintf("the value has more than %d parts", maxItems)
	tooDeep = fmt.Sprintf("it lies more than %d levels deep", maxDepth)
)

// Encode writes what v holds, in the same bytes for the same value.
func Encode(v any) []byte {
	b, err := json.Marshal(look(v))
	if err != nil {
		panic(err) // a Value is strings and lists of them
	}
	return b
}

// Decode reads what [Encode] wrote. It trusts nothing: what cannot be such a value is an error, and one with more parts than
// Encode would look at is refused before memory is taken for them.
func Decode(b []byte) (*Value, error) {
	// A part is an object, and what it is made of is told apart by commas, some of which may be in its text.
	if bytes.Count(b, []byte("{")) > 2*maxItems || bytes.Count(b, []byte(",")) > 8*maxItems {
		return nil, fmt.Errorf("check: no value: it has more than %d parts", maxItems)
	}
	dec := json.NewDecoder(strings.NewReader(string(b)))
	dec.DisallowUnknownFields()
	var v Value
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("check: no value: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("check: text after a value")
	}
	left := 2 * maxItems
	return &v, v.valid(0, &left)
}

// valid says what is wrong with a value of which no more than left parts are looked at.
func (v *Value) valid(depth int, left *int) error {
	if *left--; *left < 0 {
		return fmt.Errorf("check: no value: it has more than %d parts", maxItems)
	}
	if v == nil || depth > maxDepth {
		return errors.New("check: no value: a part is missing, or there are too many levels")
	}
	named := v.Kind == "map" || v.Kind == "struct"
	ok := len(v.Names) == 0 && !named || named && len(v.Names) == len(v.Items)
	switch v.Kind {
	case "int", "float":
		_, isNumber := v.number()
		ok = ok && isNumber
	case "complex":
		ok = ok && len(v.Items) == 2
	case "nil", "bool", "string", "list", "matrix", "map", "struct", "error", "opaque":
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("check: no value: a %.20q is not as it must be", v.Kind)
	}
	for _, item := range v.Items {
		if err := item.valid(depth+1, left); err != nil {
			return err
		}
	}
	return nil
}

// look looks at a value.
func look(v any) *Value {
	l := &looker{}
	return l.look(v)
}

// A looker counts what it has seen, so that a value without end has one.
type looker struct{ items, depth, level int }

func (l *looker) look(v any) *Value {
	switch v := v.(type) {
	case nil:
		return &Value{Kind: "nil"}
	case error:
		if rv := reflect.ValueOf(v); rv.Kind() == reflect.Pointer && rv.IsNil() {
			return &Value{Kind: "nil", Type: rv.Type().String()}
		}
		return &Value{Kind: "error", Type: fmt.Sprintf("%T", v), Text: v.Error()}
	case mat.Matrix:
		if rv := reflect.ValueOf(v); rv.Kind() != reflect.Pointer || !rv.IsNil() {
			return l.matrix(v)
		}
	}
	return l.view(display.ValueOf(v))
}

func (l *looker) matrix(m mat.Matrix) *Value {
	r, c := m.Dims()
	out := &Value{Kind: "matrix", Type: "matrix", Text: fmt.Sprintf("%d×%d", r, c)}
	for i := range r {
		for j := range c {
			if l.items++; l.items > maxItems {
				return &Value{Kind: "opaque", Type: out.Text + " matrix", Text: tooLong}
			}
			out.Items = append(out.Items, &Value{Kind: "float", Text: floatText(m.At(i, j))})
		}
	}
	return out
}

func floatText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (l *looker) view(v display.Value) *Value {
	l.items++
	l.depth++
	level := 1
	if k := v.Kind(); k == reflect.Pointer || k == reflect.Interface {
		level = 0 // what it leads to is written in its place
	}
	l.level += level
	defer func() { l.depth, l.level = l.depth-1, l.level-level }()
	switch {
	case l.items > maxItems:
		return &Value{Kind: "opaque", Type: v.TypeName(), Text: tooLong}
	case l.depth > 2*maxDepth || l.level > maxDepth:
		return &Value{Kind: "opaque", Type: v.TypeName(), Text: tooDeep}
	}
	out := &Value{Type: v.TypeName()}
	switch k := v.Kind(); k {
	case reflect.Invalid:
		return &Value{Kind: "nil"}
	case reflect.Slice, reflect.Array:
		out.Kind = "list"
		for i := range v.Len() {
			out.Items = append(out.Items, l.view(v.Index(i)))
			if l.items > maxItems {
				return &Value{Kind: "opaque", Type: v.TypeName(), Text: tooLong}
			}
		}
	case reflect.Struct:
		out.Kind = "struct"
		for i := range v.NumField() {
			f := v.Field(i)
			out.Names, out.Items = append(out.Names, f.Name), append(out.Items, l.view(f.Value))
		}
	case reflect.Map:
		return l.viewMap(v, out)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return &Value{Kind: "nil", Type: v.TypeName()}
		}
		return l.elem(v)
	default:
		basic(out, v.Basic())
	}
	return out
}

// elem looks at what a pointer or an interface leads to: an error or a matrix is seen as one there too.
func (l *looker) elem(v display.Value) *Value {
	switch x := v.Interface().(type) {
	case error, mat.Matrix:
		return l.look(x)
	}
	return l.view(v.Elem())
}

func (l *looker) viewMap(v display.Value, out *Value) *Value {
	out.Kind = "map"
	keys := v.Keys()
	if len(keys) > maxItems {
		return &Value{Kind: "opaque", Type: v.TypeName(), Text: tooLong}
	}
	names := make(map[string]*Value, len(keys))
	for _, k := range keys {
		name := l.view(k).text(maxItems, maxDepth)
		names[name] = l.view(v.MapIndex(k))
		out.Names = append(out.Names, name)
	}
	slices.Sort(out.Names)
	for _, name := range out.Names {
		out.Items = append(out.Items, names[name])
	}
	return out
}

func basic(out *Value, x any) {
	switch x := x.(type) {
	case bool:
		out.Kind, out.Text = "bool", strconv.FormatBool(x)
	case int64:
		out.Kind, out.Text = "int", strconv.FormatInt(x, 10)
	case uint64:
		out.Kind, out.Text = "int", strconv.FormatUint(x, 10)
	case float64:
		out.Kind, out.Text = "float", floatText(x)
	case complex128:
		out.Kind = "complex"
		out.Items = []*Value{{Kind: "float", Text: floatText(real(x))}, {Kind: "float", Text: floatText(imag(x))}}
	case string:
		out.Kind, out.Text = "string", x
	default:
		out.Kind = "opaque" // a function, a channel
	}
}

// why says why a part is opaque, if it is not its type.
func (v *Value) why() string {
	if v.Text == "" {
		return ""
	}
	return ": " + v.Text
}

func (v *Value) find(name string) int { return slices.Index(v.Names, name) }

// place is how item i is reached in a list or a matrix.
func (v *Value) place(i int) string {
	var r, c int
	if n, _ := fmt.Sscanf(v.Text, "%d×%d", &r, &c); v.Kind == "matrix" && n == 2 && c > 0 {
		return fmt.Sprintf("[%d, %d]", i/c, i%c)
	}
	return fmt.Sprintf("[%d]", i)
}

func (v *Value) size() string {
	if v.Kind == "matrix" {
		return "a " + v.Text + " matrix"
	}
	return fmt.Sprintf("%d elements", len(v.Items))
}

// String is the value in a few words, for messages.
func (v *Value) String() string { return v.text(8, 8) }

// text is the value in words: of most items of each part, and so many levels deep.
func (v *Value) text(most, levels int) string {
	if levels == 0 && len(v.Items) > 0 {
		return "…"
	}
	var parts []string
	for i, item := range v.Items {
		if i == most {
			parts = append(parts, fmt.Sprintf("… %d more", len(v.Items)-most))
			break
		}
		text := item.text(most, levels-1)
		if v.Names != nil {
			text = v.Names[i] + ":" + text
		}
		parts = append(parts, text)
	}
	inside := strings.Join(parts, " ")
	switch v.Kind {
	case "nil":
		return "nil"
	case "string":
		return strconv.Quote(v.Text)
	case "error":
		return "the error " + strconv.Quote(v.Text)
	case "opaque":
		return "a " + v.Type + v.why()
	case "complex":
		return "(" + strings.Join(parts, ", ") + "i)"
	case "list":
		return "[" + inside + "]"
	case "matrix":
		return v.Text + " [" + inside + "]"
	case "map", "struct":
		return "{" + inside + "}"
	}
	return v.Text
}

// MIMEType is how a value that [Hand] hands over is called among the outputs of a cell.
const MIMEType = "application/vnd.gaucho.check+json"

// Hand hands a value over to the program that runs the cell, by a display that only such a program reads. Graders use it;
// tests have no need of it.
func Hand(v any) {
	display.ShowAll(display.Bundle{MIMEType: json.RawMessage(Encode(v))})
}
