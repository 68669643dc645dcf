package widgets

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/stdlib/display"
)

// texts returns what an Output shows.
func texts(o *Output) (list []string) {
	for _, item := range o.get("outputs").([]any) {
		switch o := item.(map[string]any); o["output_type"] {
		case "display_data":
			list = append(list, o["data"].(map[string]any)["text/plain"].(string))
		case "error":
			list = append(list, "error "+o["evalue"].(string))
		default:
			list = append(list, o["text"].(string))
		}
	}
	return list
}

func TestInteract(t *testing.T) {
	f := open(t)
	calls := 0
	iv := Interact(func(width float64, n int, on bool, name string) (any, error) {
		calls++
		if n == 13 {
			return nil, errors.New("not 13")
		}
		return fmt.Sprintf("%v %v %v%s", width, n, on, name), nil
	}, nil, 12, Names("width", "n", "on", "name"))
	iv.MIMEBundle()
	c := iv.Controls()
	if got := texts(iv.Output()); !slices.Equal(got, []string{"1 12 false"}) || calls != 1 {
		t.Fatalf("at first %q, %d calls", got, calls)
	}
	if got := c[0].(*FloatSlider).Description(); got != "width" {
		t.Errorf("label %q", got)
	}
	f.update(c[0], map[string]any{"value": 2.5})
	f.update(c[2], map[string]any{"value": true})
	if got := texts(iv.Output()); !slices.Equal(got, []string{"2.5 12 true"}) || calls != 3 {
		t.Errorf("moved %q, %d calls", got, calls)
	}
	f.update(c[1], map[string]any{"value": 13})
	if got := texts(iv.Output()); !slices.Equal(got, []string{"error not 13"}) {
		t.Errorf("failed %q", got)
	}
	// Values that come while it runs are drawn once, by the newest.
	var later []func()
	for _, v := range []float64{3, 4, 5} {
		later = append(later, f.receive("msg", c[0].ID(), "", map[string]any{"method": "update", "state": map[string]any{"value": v}}, nil, nil))
	}
	calls = 0
	iv.Controls()[1].(*IntSlider).SetValue(1)
	for _, run := range later {
		if run != nil {
			run()
		}
	}
	if got := texts(iv.Output()); !slices.Equal(got, []string{"5 1 true"}) || calls != 1 {
		t.Errorf("many moves %q, %d calls", got, calls)
	}
}

func TestInteractControls(t *testing.T) {
	shared := NewDropdown("method", "a", "b")
	iv := Interact(func(a, b float64, n uint8, s string, i int, d []string) {}, Range(-1, 1), LogRange(.01, 100), Steps(0, 9, 3),
		[]string{"x", "y"}, shared, NewTagsInput("t"), Names("A", "B"))
	var got []string
	for _, c := range iv.Controls() {
		got = append(got, c.model().String())
	}
	want := []string{
		`FloatSlider{Description: "A", Min: -1, Max: 1, Step: 0.02}`,
		`FloatLogSlider{Description: "B", Min: -2, Max: 2, Step: 0.05}`,
		`IntSlider{Max: 9, Value: 5, Step: 3}`,
		`Dropdown{Options: ["x" "y"], Index: 0}`,
		`Dropdown{Description: "method", Options: ["a" "b"], Index: 0}`,
		`TagsInput{Value: ["t"]}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("controls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for what, f := range map[string]func(){
		"got a int, must be a function":                               func() { Interact(3) },
		"2 controls for 1 parameters":                                 func() { Interact(func(int) {}, 1, 2) },
		"control 1 is a string, which does not go with":               func() { Interact(func(float64) {}, "x") },
		"control 1 is a *widgets.Text, which does not go with":        func() { Interact(func(float64) {}, NewText("", "")) },
		"control 1 is a *widgets.Button, which does not go with":      func() { Interact(func(float64) {}, NewButton("")) },
		"parameter 1 has type []int, for which a widget must":         func() { Interact(func([]int) {}) },
		"control 1 has an interval from 2 to 1 by 0, must rise":       func() { Interact(func(float64) {}, Range(2, 1)) },
		"control 1 is a []string, which does not go with":             func() { Interact(func(bool) {}, []string{"a"}) },
		"has an interval from 0 to 1 by 0, must rise, be finite, and": func() { Interact(func(float64) {}, LogRange(0, 1)) },
	} {
		func() {
			defer func() {
				if r := fmt.Sprint(recover()); !strings.Contains(r, what) {
					t.Errorf("%q, want %q", r, what)
				}
			}()
			f()
		}()
	}
}

// No number becomes another one for a parameter: sliders go as far as its type, and what that cannot hold is refused.
func TestInteractKeepsNumbers(t *testing.T) {
	f := open(t)
	iv := Interact(func(b uint8, c int8, n int, u uint, x float32, k int) any { return fmt.Sprint(b, c, n, u, x, k) },
		200, -100, 1<<51, 0, 0.5, LogRange(1, 1000).At(10))
	for i, want := range []string{"IntSlider{Max: 255, Value: 200}", "IntSlider{Min: -128, Max: 127, Value: -100}", "IntSlider{Max: 6755399441055744, Value: 2251799813685248}",
		"IntSlider{Max: 1}", "FloatSlider{Max: 1.5, Value: 0.5, Step: 0.02}", "FloatLogSlider{Value: 10, Max: 3, Step: 0.05, ReadoutFormat: \"d\"}"} {
		if got := iv.Controls()[i].model().String(); got != want {
			t.Errorf("control %d is %s, want %s", i+1, got, want)
		}
	}
	iv.MIMEBundle()
	f.update(iv.Controls()[5], map[string]any{"value": 10.7})
	if got := texts(iv.Output()); !slices.Equal(got, []string{"200 -100 2251799813685248 0 0.5 11"}) {
		t.Errorf("where the slider shows 11 the function gets %q", got)
	}
	n := NewIntText("n", 7)
	iv = Interact(func(b uint8) any { return b }, n)
	n.SetValue(300)
	if got := texts(iv.Output()); !slices.Equal(got, []string{`error widgets: IntText "n" is 300, which a parameter of type uint8 cannot hold`}) {
		t.Errorf("300 as a uint8 shows %q", got)
	}
	for what, g := range map[string]func(){
		"control 1 (b) is 300, which a parameter of type uint8 cannot hold":                                           func() { Interact(func(uint8) {}, 300, Names("b")) },
		"control 1 is 2.7, which a parameter of type int cannot hold":                                                 func() { Interact(func(int) {}, 2.7) },
		"control 1 is NaN, which a parameter of type float64 cannot hold":                                             func() { Interact(func(float64) {}, math.NaN()) },
		"control 1 is -1, which a parameter of type uint64 cannot hold":                                               func() { Interact(func(uint64) {}, -1) },
		"control 1 is 9.007199254740992e+15, which a parameter of type int cannot hold":                               func() { Interact(func(int) {}, float64(1<<53)) },
		"control 1 has an interval from -5 to 5, must be within 0 and 9.007199254740991e+15":                          func() { Interact(func(uint) {}, Range(-5, 5)) },
		"control 1 goes up to 1000, which a parameter of type int8 cannot hold":                                       func() { Interact(func(int8) {}, NewIntSlider("x", 0, 1000, 100)) },
		"control 1 is a *widgets.FloatSlider, which does not go with a parameter of type int":                         func() { Interact(func(int) {}, NewFloatSlider("x", 0, 10, 3.9)) },
		"control 1 has an interval from 0 to 10 by 2.5 that begins at 5, must be of whole numbers for a parameter of": func() { Interact(func(int) {}, Steps(0, 10, 2.5)) },
		"must be of whole numbers for a parameter of type int":                                                        func() { Interact(func(int) {}, Range(0.2, 0.4)) },
		"control 1 begins at 11, must be within the interval from 0 to 10":                                            func() { Interact(func(int) {}, Range(0, 10).At(11)) },
		"Steps from 0 to 1: step is 0, must be above 0":                                                               func() { Steps(0, 1, 0) },
		"must rise, be finite": func() { Interact(func(float64) {}, Range(0, math.Inf(1))) },
	} {
		if _, refused := try(func() any { g(); return nil }); !strings.Contains(refused, what) {
			t.Errorf("%q, want %q", refused, what)
		}
	}
	for _, x := range []any{math.MaxFloat64 / 2, 5e-324, -1e-300, float32(math.MaxFloat32), int64(-1<<53 + 1), uint64(1<<53 - 1)} {
		f := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.TypeOf(x)}, nil, false), func([]reflect.Value) []reflect.Value { return nil })
		iv := Interact(f.Interface(), x)
		if got := argument(iv.Controls()[0], reflect.TypeOf(x)); got != x {
			t.Errorf("%v begins as %v", x, got)
		}
	}
}

// What Interact shows is in the forms for viewers that know no widgets.
func TestFormsWithoutWidgets(t *testing.T) {
	open(t)
	text := func(s string) map[string]any {
		return map[string]any{"output_type": "stream", "name": "stdout", "text": s}
	}
	shown := func(data map[string]any) map[string]any {
		return map[string]any{"output_type": "display_data", "data": data}
	}
	table := shown(map[string]any{"text/plain": "a  b", "text/html": "<table></table>"})
	figure := shown(map[string]any{"text/plain": "a figure", "image/png": "iVBO"})
	failed := map[string]any{"output_type": "error", "ename": "panic", "evalue": "no", "traceback": []string{"\x1b[31mpanic\x1b[0m: no", "  line 3"}}
	for _, c := range []struct {
		outputs []any
		want    map[string]any
	}{
		{nil, map[string]any{}},
		{[]any{text("n is 10\n"), text("<b>")}, map[string]any{"text/plain": "n is 10\n<b>"}},
		{[]any{failed}, map[string]any{"text/plain": "panic: no\n  line 3"}},
		{[]any{table}, map[string]any{"text/plain": "a  b", "text/html": "<div><table></table></div>"}},
		{[]any{figure}, map[string]any{"text/plain": "a figure", "image/png": "iVBO"}},
		{[]any{text("<b>\n"), figure, table}, map[string]any{"text/plain": "<b>\na figure\na  b", "image/png": "iVBO",
			"text/html": "<pre>&lt;b&gt;</pre>\n<div><img src=\"data:image/png;base64,iVBO\"></div>\n<div><table></table></div>"}},
	} {
		if got := forms(c.outputs); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v are\n%q, want\n%q", c.outputs, got, c.want)
		}
	}
	iv := Interact(func(n int) any { return fmt.Sprint("n is ", n) })
	if got := NewVBox(NewLabel("x"), iv).MIMEBundle()["text/plain"]; got != "n is 10" {
		t.Errorf("in a box it is %q", got)
	}
	if got := NewVBox(NewLabel("x")).MIMEBundle()["text/plain"]; !strings.HasPrefix(got.(string), "VBox{1 children}: a widget") {
		t.Errorf("a box without outputs is %q", got)
	}
}

// What an Output sends grows with its text, not with the square of it. Time runs a thousand times as fast as it does for people.
func TestOutputIsLinear(t *testing.T) {
	pause, rate, burst := outputPause, outputRate, outputBurst
	outputPause, outputRate, outputBurst = pause/1000, rate*1000, burst/1000
	defer func() { outputPause, outputRate, outputBurst = pause, rate, burst }()
	line := strings.Repeat("x", 69) + "\n"
	text := strings.Repeat(line, 20_000)
	for _, captures := range []int{1, 2000} {
		f := &counter{fake: open(t)}
		display.SetSink(f)
		o := NewOutput()
		o.MIMEBundle()
		began := time.Now()
		for range captures {
			o.Capture(func() {
				for i := range 20_000 / captures {
					f.take(map[string]any{"output_type": "stream", "name": "stdout", "text": line})
					if i%100 == 99 {
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		for _, end := range f.ends {
			end()
		}
		took := time.Since(began)
		o.list.show()
		if got := texts(o); len(got) != 1 || got[0] != text {
			t.Errorf("%d captures: not all of the text is shown", captures)
		}
		// What went out at the rate, ahead of it, and twice at the end.
		if most := int(took.Seconds()*outputRate) + int(burst.Seconds()*rate) + 3*len(text); f.bytes > most {
			t.Errorf("%d captures: %d bytes are sent of %d, at most %d are expected", captures, f.bytes, len(text), most)
		}
	}
}

// counter counts the bytes of messages.
type counter struct {
	*fake
	mu    sync.Mutex
	bytes int
}

func (c *counter) SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	state, _ := data["state"].(map[string]any)
	outputs, _ := state["outputs"].([]any)
	for _, o := range outputs {
		c.bytes += sizeOf(o.(map[string]any))
	}
	return nil
}

func TestOutput(t *testing.T) {
	open(t)
	o := NewOutput()
	var h *display.Handle
	o.Capture(func() {
		display.ShowAll("one")
		h = display.Show("two")
		panic("three")
	})
	o.Show("four")
	if got := texts(o); !slices.Equal(got, []string{"one", "two", "error three", "four"}) {
		t.Errorf("shows %q", got)
	}
	o.Capture(func() { h.Update("2") })
	o.Clear(true)
	if got := texts(o); !slices.Equal(got, []string{"one", "2", "error three", "four"}) {
		t.Errorf("before the next output %q", got)
	}
	o.list.take(map[string]any{"output_type": "stream", "name": "stdout", "text": "a"})
	o.list.take(map[string]any{"output_type": "stream", "name": "stdout", "text": "b"})
	o.list.take(map[string]any{"output_type": "stream", "name": "stderr", "text": "c"})
	o.list.show()
	if got := texts(o); !slices.Equal(got, []string{"ab", "c"}) {
		t.Errorf("after it %q", got)
	}
	o.list.take(map[string]any{"output_type": "stream", "name": "stderr", "text": "d"})
	o.Show("five")
	o.list.take(map[string]any{"output_type": "stream", "name": "stderr", "text": "e"})
	o.list.take(map[string]any{"output_type": "stream", "name": "stderr", "text": "f"})
	o.list.show()
	if got := texts(o); !slices.Equal(got, []string{"ab", "cd", "five", "ef"}) {
		t.Errorf("text, a value and text %q", got)
	}
	o.Clear(false)
	if got := texts(o); len(got) != 0 {
		t.Errorf("cleared %q", got)
	}
}
