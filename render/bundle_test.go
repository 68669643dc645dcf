package render

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"gaucho/plotting"
	"gaucho/stdlib/display"
)

type station struct {
	Name   string
	Height float64
	secret int
}

type celsius float64

func (c celsius) String() string { return fmt.Sprintf("%.1f °C", float64(c)) }

func TestLiteral(t *testing.T) {
	n := 7
	for _, c := range []struct {
		v    any
		want string
	}{
		{nil, "nil"},
		{3, "3"},
		{2.5, "2.5"},
		{float32(.1), "0.1"},
		{1e-7, "1e-07"},
		{1 + 2i, "(1+2i)"},
		{true, "true"},
		{"say \"hi\"", `"say \"hi\""`},
		{"two\nlines", "`two\nlines`"},
		{"a `tick`\nb", "\"a `tick`\\nb\""},
		{celsius(21), "21.0 °C"},
		{90 * time.Second, "1m30s"},
		{errors.New("no"), "no"},
		{[]int{1, 2}, "[]int{1, 2}"},
		{[]any{1, "a", nil, []string{"b"}}, `[]any{1, "a", nil, []string{"b"}}`},
		{[]int(nil), "[]int(nil)"},
		{[2]bool{true}, "[2]bool{true, false}"},
		{map[string]int{"b": 2, "a": 1}, `map[string]int{"a": 1, "b": 2}`},
		{map[any]int{2: 1, "a": 2, 1: 3}, `map[any]int{1: 3, 2: 1, "a": 2}`},
		{map[string]int(nil), "map[string]int(nil)"},
		{station{"Bern", 540, 1}, `render.station{Name: "Bern", Height: 540, …}`},
		{&station{}, `&render.station{Name: "", Height: 0, …}`},
		{(*station)(nil), "(*render.station)(nil)"},
		{[]*int{&n, nil}, "[]*int{&7, nil}"},
		{[]byte("text"), `[]byte("text")`},
		{[]byte{0, 255}, "[]byte{0x00, 0xff}"},
		{struct{}{}, "struct {}{}"},
		{strings.ToUpper, "func(string) string"},
		{make(chan int, 1), "chan int (0 waiting)"},
		{time.UTC, "UTC"},
		{strings.Builder{}, "strings.Builder{…}"},
		{struct {
			X *mat.Dense
			I image.Image
			F *plotting.Figure
		}{mat.NewDense(2, 3, nil), image.NewGray(image.Rect(0, 0, 4, 5)), plotting.New("", "", "")},
			"struct { X *mat.Dense; I image.Image; F *plotting.Figure }{\n    X: 2×3 mat.Dense,\n    I: *image.Gray 4×5,\n    F: *plotting.Figure,\n}"},
		{strings.Repeat("é", 6000), `"` + strings.Repeat("é", 5000) + `" + … 2000 more bytes`},
		{map[float64]string{math.NaN(): "x"}, `map[float64]string{NaN: "x"}`},
		{map[any]int{[2]float64{1, math.NaN()}: 3}, `map[any]int{[2]float64{1, NaN}: 3}`},
	} {
		if got := Literal(c.v); got != c.want {
			t.Errorf("Literal(%T)\n got %s\nwant %s", c.v, got, c.want)
		}
	}
}

func TestLiteralLayout(t *testing.T) {
	xs := make([]int, 250)
	for i := range xs {
		xs[i] = i
	}
	lines := strings.Split(Literal(xs), "\n")
	for _, l := range lines {
		if runes(l) > lineWidth {
			t.Errorf("a line of %d columns: %s", runes(l), l)
		}
	}
	if len(lines) > 15 || lines[len(lines)-2] != "    … 50 more" {
		t.Errorf("%d lines, last but one %q", len(lines), lines[len(lines)-2])
	}
	type nested struct {
		Name string
		In   *nested
	}
	v := &nested{Name: "x"}
	v.In = v
	if got := Literal(v); !strings.Contains(got, "…") || len(got) > 2000 {
		t.Errorf("a cycle shows as %s", got)
	}
	want := "render.nested{\n" + `    Name: "` + strings.Repeat("n", 90) + "\",\n    In: (*render.nested)(nil),\n}"
	if got := Literal(nested{Name: strings.Repeat("n", 90)}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What shows itself.
type page struct{}

func (page) HTML() string           { return "<h1>x</h1>" }
func (page) LaTeX() (string, error) { return `\mu`, nil }
func (page) PNG() []byte            { return []byte("png") }
func (page) JSON() any              { return []int{1} }
func (page) String() string         { return "a page" }
func (page) SVG(width int) string   { return "not this" }

type failing struct{}

func (failing) Markdown() (string, error) { return "", errors.New("no disk") }

type whole struct{ empty bool }

func (w whole) MIMEBundle() map[string]any {
	if w.empty {
		return nil
	}
	return map[string]any{"text/plain": "p", "application/x-own": 5}
}

func (whole) HTML() string                 { return "also" }
func (whole) MIMEMetadata() map[string]any { return map[string]any{"application/x-own": 1} }

// TestOwnBundle: the forms of a bundle that are not JSON are text, whatever they are given as; for nothing there is no form.
func TestOwnBundle(t *testing.T) {
	var b strings.Builder
	b.WriteString("<b>x</b>")
	got := Bundle(display.Bundle{
		"text/html": &b, "text/markdown": 5, "text/latex": nil, "text/plain": errors.New("q"), "image/png": []byte("png"), "image/svg+xml": display.SVG("<svg/>"),
		"application/json": []byte(`{"a":1}`), "application/geo+json": map[string]int{"a": 1},
	})
	want := map[string]any{
		"text/html": "<b>x</b>", "text/markdown": "5", "text/plain": "q", "image/png": []byte("png"), "image/svg+xml": "<svg/>",
		"application/json": json.RawMessage(`{"a":1}`), "application/geo+json": map[string]int{"a": 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the bundle is %#v, expected %#v", got, want)
	}
}

// sometimes has no picture this time.
type sometimes struct{}

func (sometimes) PNG() []byte   { return nil }
func (sometimes) HTML() string  { return "" }
func (sometimes) LaTeX() string { return "" }

type byPointer struct{}

func (*byPointer) HTML() string { return "pointer" }

func TestMethods(t *testing.T) {
	check := func(v any, want map[string]any) {
		t.Helper()
		if got := Bundle(v); !reflect.DeepEqual(got, want) {
			t.Errorf("Bundle(%T) = %v\nwant %v", v, got, want)
		}
	}
	check(page{}, map[string]any{"text/html": "<h1>x</h1>", "text/latex": `$$\mu$$`, "image/png": []byte("png"),
		"application/json": []int{1}, "text/plain": "a page"})
	check(failing{}, map[string]any{"text/plain": "Markdown: no disk"})
	check(whole{}, map[string]any{"text/plain": "p", "application/x-own": "5", "text/html": "also"})
	check(whole{empty: true}, map[string]any{})
	check(sometimes{}, map[string]any{"text/plain": "render.sometimes{}"})
	check(&byPointer{}, map[string]any{"text/html": "pointer", "text/plain": "&render.byPointer{}"})
	check(byPointer{}, map[string]any{"text/plain": "render.byPointer{}"})
	check((*byPointer)(nil), map[string]any{"text/plain": "(*render.byPointer)(nil)"})
	check(display.HTML("<b>"), map[string]any{"text/html": "<b>", "text/plain": "<b>"})
	check(display.Bundle{"text/plain": "x"}, map[string]any{"text/plain": "x"})
	check(display.Show("x"), map[string]any{})
	if _, meta := Render(whole{}); meta["application/x-own"] != 1 {
		t.Errorf("metadata %v", meta)
	}
}

// cellValue is a value of a type that reflection does not see, as the worker makes them.
type cellValue struct{ display.Value }

func (cellValue) TypeName() string { return "main.Rate" }

func (cellValue) Method(name string) any {
	if name == "HTML" {
		return func() string { return "<i>rate</i>" }
	}
	return nil
}

type boxed struct{ v any }

func (b boxed) DisplayValue() display.Value { return cellValue{display.ValueOf(b.v)} }

func TestValuesOfCellTypes(t *testing.T) {
	b := Bundle(boxed{struct{ Slope float64 }{-.5}})
	if b["text/html"] != "<i>rate</i>" || b["text/plain"] != "Rate{Slope: -0.5}" {
		t.Errorf("%v", b)
	}
	if got := Literal([]any{boxed{[]int{1}}}); got != "[]any{Rate{1}}" {
		t.Errorf("%s", got)
	}
}

func TestTables(t *testing.T) {
	b := Bundle([]station{{"Bern", 540, 0}, {"Zürich", 408.25, 0}})
	want := "   Name    Height\n0  Bern    540\n1  Zürich  408.25\n[]render.station, 2 rows"
	if b["text/plain"] != want {
		t.Errorf("got\n%s\nwant\n%s", b["text/plain"], want)
	}
	h := b["text/html"].(string)
	for _, s := range []string{"<th", ">Height<", ">Zürich<", "540\u2008\u2007\u2007<"} {
		if !strings.Contains(h, s) {
			t.Errorf("HTML lacks %q: %s", s, h)
		}
	}
	b = Bundle(make([]station, 56))
	if p := b["text/plain"].(string); !strings.Contains(p, "… 31 more · []render.station, 56 rows") || strings.Count(p, "\n") != 26 {
		t.Errorf("56 rows show as\n%s", p)
	}
	b = Bundle(map[string]station{"b": {"Bern", 540, 0}, "a": {"Aarau", 384, 0}})
	if p := b["text/plain"].(string); !strings.HasPrefix(p, "   Name   Height\na  Aarau     384\nb  Bern      540\n") {
		t.Errorf("a map of structs shows as\n%s", p)
	}
	b = Bundle([]*station{{"<b>", 1, 2}, nil})
	if h := b["text/html"].(string); !strings.Contains(h, "&lt;b&gt;") {
		t.Errorf("names are not escaped: %s", h)
	}
	b = Bundle([][]float64{{1, 2}, {3.5}})
	if h := b["text/html"].(string); !strings.Contains(h, "3.5") || b["text/plain"] != "[][]float64{{1, 2}, {3.5}}" {
		t.Errorf("%v", b)
	}
	for _, v := range []any{[]station{}, map[string]int{}, []int{1}, time.Now(), []time.Duration{1}} {
		if h, ok := Bundle(v)["text/html"]; ok {
			t.Errorf("%T has a table: %s", v, h)
		}
	}
}

func TestLargeMap(t *testing.T) {
	m := map[int]int{}
	for i := range 100_000 {
		m[(i*7919)%100_000] = i
	}
	b := Bundle(m)
	if p := b["text/plain"].(string); !strings.HasPrefix(p, " 0  ") || !strings.Contains(p, "\n24  ") || !strings.HasSuffix(p, "… 99975 more · map[int]int, 100000 keys") {
		t.Errorf("%s", p)
	}
	if p := Literal(m); !strings.Contains(p, "199: ") || !strings.HasSuffix(p, "… 99800 more\n}") {
		t.Errorf("%.300s", p)
	}
}

func TestFailingString(t *testing.T) {
	if got := Literal(struct{ error }{}); got != "struct { error }{error: nil}" {
		t.Errorf("%s", got)
	}
}

func TestSetLimits(t *testing.T) {
	SetLimits(4, 3)
	defer SetLimits(25, 16)
	if p := Bundle(make([]station, 9))["text/plain"].(string); !strings.Contains(p, "5 more") {
		t.Errorf("%s", p)
	}
	m := mat.NewDense(9, 5, nil)
	m.Set(8, 4, 7)
	want := "9×5 mat.Dense\n⎡0  0  …  0⎤\n⎢0  0  …  0⎥\n⎢⋮  ⋮  ⋱  ⋮⎥\n⎢0  0  …  0⎥\n⎣0  0  …  7⎦"
	if got := Bundle(m)["text/plain"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMatrices(t *testing.T) {
	m := mat.NewDense(2, 3, []float64{1, 2.25, -3, 1e-7, 12345.678, math.Inf(-1)})
	b := Bundle(m)
	if want := "⎡1         2.25  -3⎤\n⎣1e-7  12345.7   -∞⎦"; b["text/plain"] != want {
		t.Errorf("got\n%s\nwant\n%s", b["text/plain"], want)
	}
	want := "$$\\begin{bmatrix}\n1 & 2.25 & -3 \\\\\n1 \\times 10^{-7} & 12345.7 & -\\infty \\\\\n\\end{bmatrix}$$"
	if b["text/latex"] != want {
		t.Errorf("got\n%s\nwant\n%s", b["text/latex"], want)
	}
	if h := b["text/html"].(string); !strings.Contains(h, "2×3 mat.Dense") {
		t.Errorf("HTML lacks its title: %s", h)
	}
	if got := Bundle(mat.NewVecDense(3, nil))["text/html"].(string); !strings.Contains(got, "mat.VecDense of length 3") {
		t.Errorf("vector: %s", got)
	}
	if got := Bundle(&mat.Dense{})["text/plain"]; got != "0×0 mat.Dense" {
		t.Errorf("empty matrix: %s", got)
	}
	if got := Bundle((*mat.Dense)(nil))["text/plain"]; got != "(*mat.Dense)(nil)" {
		t.Errorf("nil matrix: %s", got)
	}
	if got := Bundle(mat.NewCDense(1, 2, []complex128{1i, -2}))["text/plain"]; got != "[0+1i  -2+0i]" {
		t.Errorf("complex matrix: %s", got)
	}
	// What is large is cut before it is rendered.
	huge := &counted{}
	Bundle(huge)
	if huge.calls > 2000 {
		t.Errorf("%d entries of a large matrix were read", huge.calls)
	}
}

type counted struct{ calls int }

func (c *counted) Dims() (int, int)    { return 1 << 20, 1 << 20 }
func (c *counted) At(i, j int) float64 { c.calls++; return 1 }
func (c *counted) T() mat.Matrix       { return mat.Transpose{Matrix: c} }

func pixelsOf(b map[string]any) (int, int) { return sizeOf(b["image/png"].([]byte)) }

func sizeOf(b []byte) (int, int) {
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0
	}
	return c.Width, c.Height
}

func TestImagesAndErrors(t *testing.T) {
	b := Bundle(image.NewGray(image.Rect(0, 0, 20, 10)))
	if w, h := pixelsOf(b); w != 20 || h != 10 || b["text/plain"] != "*image.Gray 20×10" {
		t.Errorf("%d×%d, %s", w, h, b["text/plain"])
	}
	if b := Bundle(image.NewGray(image.Rectangle{})); len(b) != 1 {
		t.Errorf("an empty image has forms %v", b)
	}
	b = Bundle(fmt.Errorf("reading: %w", os.ErrNotExist))
	if b["text/plain"] != "reading: file does not exist" || !strings.Contains(b["text/html"].(string), "*fmt.wrapError") {
		t.Errorf("error: %v", b)
	}
}

func TestFiguresInSlices(t *testing.T) {
	f := plotting.New("", "", "").Line("a", nil, []float64{1, 2})
	if b := Bundle([]*plotting.Figure{f, f}); b["image/png"] == nil {
		t.Errorf("figures show as %v", b["text/plain"])
	}
	rows := Bundle([]struct {
		M *mat.VecDense
		F *plotting.Figure
	}{{mat.NewVecDense(3, nil), f}})
	if p := rows["text/plain"].(string); !strings.Contains(p, "mat.VecDense of length 3  *plotting.Figure") {
		t.Errorf("%s", p)
	}
}

func TestResults(t *testing.T) {
	data, _ := Results(1, "a")
	if !reflect.DeepEqual(data, map[string]any{"text/plain": "1\n\"a\""}) {
		t.Errorf("%v", data)
	}
	data, _ = Results(1, station{"Bern", 1, 2}, display.Show(1))
	if h := data["text/html"].(string); !strings.Contains(h, "<pre") || !strings.Contains(h, "Bern") {
		t.Errorf("%v", data)
	}
	if data, _ := Results(); len(data) != 0 {
		t.Errorf("%v", data)
	}
}
