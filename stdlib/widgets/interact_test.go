package widgets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

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
		run()
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
		"got a int, must be a function":                              func() { Interact(3) },
		"2 controls for 1 parameters":                                func() { Interact(func(int) {}, 1, 2) },
		"control 1 is a string, which does not go with":              func() { Interact(func(float64) {}, "x") },
		"control 1 is a *widgets.Text, which does not go with":       func() { Interact(func(float64) {}, NewText("", "")) },
		"control 1 is a *widgets.Button, which does not go with":     func() { Interact(func(float64) {}, NewButton("")) },
		"parameter 1 has type []int, for which a widget must":        func() { Interact(func([]int) {}) },
		"an interval goes from 2 to 1 by 0, must rise":               func() { Interact(func(float64) {}, Range(2, 1)) },
		"control 1 is a []string, which does not go with":            func() { Interact(func(bool) {}, []string{"a"}) },
		"an interval goes from 0 to 1 by 0, must rise, be finite, a": func() { Interact(func(float64) {}, LogRange(0, 1)) },
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
	o.Clear(false)
	if got := texts(o); len(got) != 0 {
		t.Errorf("cleared %q", got)
	}
}
