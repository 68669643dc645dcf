package widgets

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// try returns what f returns, or what it panics with.
func try(f func() any) (v any, refused string) {
	defer func() {
		if r := recover(); r != nil {
			refused = fmt.Sprint(r)
		}
	}()
	return f(), ""
}

func utc(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// chosenAnew returns a choice's index and what OnValue was told, after new options.
func chosenAnew[T any, W interface {
	SetOptions([]string) W
	OnValue(func(T)) W
}](w W, index func() any, options ...string) any {
	told := []any{}
	w.OnValue(func(v T) { told = append(told, v) })
	w.SetOptions(options)
	return []any{index(), told}
}

// What ipywidgets' models refuse is refused, and what they accept is the same here, but where a reason is given.
func TestLimitsAsIpywidgets(t *testing.T) {
	var reference struct{ Cases map[string]any }
	raw, err := os.ReadFile("testdata/limits.json")
	if err == nil {
		err = json.Unmarshal(raw, &reference)
	}
	if err != nil {
		t.Fatal(err)
	}
	dd, sel, rb, tb := NewDropdown("", "a", "b"), NewSelect("", "a", "b").SetIndex(1), NewRadioButtons("", "a", "b").SetIndex(1), NewToggleButtons("")
	ss, srs := NewSelectionSlider("", "a", "b").SetIndex(1), NewSelectionRangeSlider("", "a", "b", "c").SetIndex([2]int{1, 2})
	const constructor = "a constructor refuses what ipywidgets brings between the bounds"
	const order = "ipywidgets looks at the tags before it has the bounds or options"
	for _, c := range []struct {
		name string
		f    func() any
		want string // what the panic says
		why  string // it is not as in ipywidgets
	}{
		{"IntSlider(value=50, min=0, max=10).value", func() any { return NewIntSlider("n", 0, 10, 50).Value() }, `IntSlider "n": value is 50, must be within 0 and 10`, constructor},
		{"IntSlider(min=10, max=1).value", func() any { return NewIntSlider("n", 10, 1, 5) }, `IntSlider "n": min is 10, must not be above max, 1`, ""},
		{"FloatSlider(value=50, min=0, max=10).value", func() any { return NewFloatSlider("", 0, 10, 50) }, "FloatSlider: value is 50", constructor},
		{"FloatSlider(min=10, max=1).value", func() any { return NewFloatSlider("", 10, 1, 5) }, "min is 10", ""},
		{"FloatLogSlider(value=0.5, min=0, max=2).value", func() any { return NewFloatLogSlider("", 0, 2, .5) }, "value is 0.5, must be within 1 and 100", constructor},
		{"FloatLogSlider(min=3, max=2).value", func() any { return NewFloatLogSlider("", 3, 2, 5) }, "min is 3", ""},
		{"IntRangeSlider(min=10, max=1).value", func() any { return NewIntRangeSlider("", 10, 1) }, "min is 10", ""},
		{"FloatRangeSlider(min=10, max=1).value", func() any { return NewFloatRangeSlider("", 10, 1) }, "min is 10", ""},
		{"IntRangeSlider(value=[3, 20], max=10).value", func() any { return NewIntRangeSlider("", 0, 10).SetValue([2]int{3, 20}).Value() }, "", ""},
		{"IntRangeSlider(value=[7, 3], max=10).value", func() any { return NewIntRangeSlider("", 0, 10).SetValue([2]int{7, 3}).Value() }, "", "the ends of an interval are put in order"},
		{"BoundedIntText(value=5, min=0, max=3).value", func() any { return NewBoundedIntText("", 0, 3, 5) }, "value is 5", constructor},
		{"BoundedIntText(min=10, max=1).value", func() any { return NewBoundedIntText("", 10, 1, 5) }, "min is 10", ""},
		{"BoundedFloatText(min=10, max=1).value", func() any { return NewBoundedFloatText("", 10, 1, 5) }, "min is 10", ""},
		{"IntProgress(min=10, max=1).value", func() any { return NewIntProgress("", 10, 1, 5) }, "min is 10", ""},
		{"FloatProgress(min=10, max=1).value", func() any { return NewFloatProgress("", 10, 1, 5) }, "min is 10", ""},
		{"Play(value=200, max=100).value", func() any { return NewPlay(0, 100, 50).SetValue(200).Value() }, "", ""},
		{"Play(min=10, max=1).value", func() any { return NewPlay(10, 1, 5) }, "min is 10", ""},
		{"DatePicker(value=d.date(2020, 1, 1), min=d.date(2021, 1, 1)).value", func() any {
			return NewDatePicker("", utc(2020, 1, 1)).SetMin(utc(2021, 1, 1)).Value().Format(time.DateOnly)
		}, "", ""},
		{"DatePicker(min=d.date(2022, 1, 1), max=d.date(2021, 1, 1)).value", func() any {
			return NewDatePicker("", time.Time{}).SetMin(utc(2022, 1, 1)).SetMax(utc(2021, 1, 1))
		}, "must not be above max", ""},
		{"TimePicker(value=d.time(9), min=d.time(10)).value", func() any {
			return utc(1, 1, 1).Add(NewTimePicker("", 9*time.Hour).SetMin(10 * time.Hour).Value()).Format(time.TimeOnly)
		}, "", ""},
		{"TimePicker(min=d.time(11), max=d.time(10)).value", func() any {
			return NewTimePicker("", -1).SetMin(11 * time.Hour).SetMax(10 * time.Hour)
		}, "min is 11h0m0s", ""},
		{"NaiveDatetimePicker(min=d.datetime(2022, 1, 1), max=d.datetime(2021, 1, 1)).value", func() any {
			return NewNaiveDatetimePicker("", time.Time{}).SetMin(utc(2022, 1, 1)).SetMax(utc(2021, 1, 1))
		}, "must not be above max", ""},
		{"DatetimePicker(min=d.datetime(2022, 1, 1, tzinfo=d.timezone.utc), max=d.datetime(2021, 1, 1, tzinfo=d.timezone.utc)).value", func() any {
			return NewDatetimePicker("", time.Time{}).SetMin(utc(2022, 1, 1)).SetMax(utc(2021, 1, 1))
		}, "must not be above max", ""},
		{"ColorPicker(value='nonsense').value", func() any { return NewColorPicker("ink", "nonsense") }, `ColorPicker "ink": value is "nonsense", must be a colour`, ""},
		{"ColorPicker(value='#12g').value", func() any { return NewColorPicker("", "#12g") }, "must be a colour", ""},
		{"ColorPicker(value='transparent').value", func() any { return NewColorPicker("", "transparent").Value() }, "", ""},
		{"ColorPicker(value='#A80f').value", func() any { return NewColorPicker("", "#A80f").Value() }, "", ""},
		{"ColorPicker(value='rgba(1, 2, 3, .5)').value", func() any { return NewColorPicker("", "rgba(1, 2, 3, .5)").Value() }, "", ""},
		{"ColorPicker(value='var(--accent)').value", func() any { return NewColorPicker("", "var(--accent)").Value() }, "", ""},
		{"ColorsInput(value=['nonsense']).value", func() any { return NewColorsInput("red", "nonsense") }, `value holds "nonsense", must hold colours`, ""},
		{"ButtonStyle(button_color='nonsense').button_color", func() any { return NewButtonStyle().SetButtonColor("nonsense") }, `ButtonStyle: button_color is "nonsense"`, ""},
		{"SliderStyle(handle_color='nonsense').handle_color", func() any { return NewSliderStyle().SetHandleColor("nonsense") }, "must be a colour", ""},
		{"ProgressStyle(bar_color='nonsense').bar_color", func() any { return NewProgressStyle().SetBarColor("nonsense") }, "must be a colour", ""},
		{"Tab([Label('a')], selected_index=1).selected_index", func() any { return NewTab(NewLabel("a")).SetSelectedIndex(1) }, "Tab: selected_index is 1, must be below the number of children, 1", ""},
		{"Accordion([Label('a')], selected_index=1).selected_index", func() any { return NewAccordion(NewLabel("a")).SetSelectedIndex(1) }, "selected_index is 1", ""},
		{"Stack([Label('a')], selected_index=1).selected_index", func() any { return NewStack(NewLabel("a")).SetSelectedIndex(1) }, "selected_index is 1", ""},
		{"SelectionSlider(options=[]).index", func() any { return NewSelectionSlider("day") }, `SelectionSlider "day": there are no options`, ""},
		{"SelectionRangeSlider(options=[]).index", func() any { return NewSelectionRangeSlider("") }, "there are no options", ""},
		{"Dropdown(options=['a', 'b']).index", func() any { return NewDropdown("", "a", "b").Index() }, "", ""},
		{"Dropdown(options=['a', 'a']).index", func() any { return NewDropdown("", "a", "a").Index() }, "", ""},
		{"options(Dropdown, ['a', 'b'], 0, ['c', 'd'])", func() any {
			return chosenAnew(dd, func() any { return dd.Index() }, "c", "d")
		}, "", ""},
		{"options(Select, ['a', 'b'], 1, ['c', 'd'])", func() any {
			return chosenAnew(sel, func() any { return sel.Index() }, "c", "d")
		}, "", ""},
		{"options(RadioButtons, ['a', 'b'], 1, ['c'])", func() any {
			return chosenAnew(rb, func() any { return rb.Index() }, "c")
		}, "", ""},
		{"options(ToggleButtons, [], None, ['c', 'd'])", func() any {
			return chosenAnew(tb, func() any { return noneBelow0(tb.Index()) }, "c", "d")
		}, "", ""},
		{"options(SelectionSlider, ['a', 'b'], 1, ['c', 'd'])", func() any {
			return chosenAnew(ss, func() any { return ss.Index() }, "c", "d")
		}, "", ""},
		{"options(SelectionRangeSlider, ['a', 'b', 'c'], (1, 2), ['d', 'e'])", func() any {
			return chosenAnew(srs, func() any { return srs.Index() }, "d", "e")
		}, "", ""},
		{"TagsInput(value=['a'], allowed_tags=['b']).value", func() any { return NewTagsInput().SetAllowedTags([]string{"b"}).SetValue([]string{"a"}) }, `value holds "a", which is not allowed`, ""},
		{"TagsInput(value=['']).value", func() any { return NewTagsInput("") }, `value holds "", which is not allowed`, ""},
		{"IntsInput(value=[5], min=6).value", func() any { return NewIntsInput().SetMin(6).SetValue([]int{5}) }, "value holds 5, which is not allowed", order},
		{"FloatsInput(value=[5.5], max=5).value", func() any { return NewFloatsInput().SetMax(5).SetValue([]float64{5.5}) }, "value holds 5.5, which is not allowed", order},
		{"Combobox(value='x', options=['a'], ensure_option=True).value", func() any { return NewCombobox("", "a").SetEnsureOption(true).SetValue("x") }, `value is "x", must be one of ["a"]`, order},
		{"ToggleButton(button_style='nonsense').button_style", func() any { return NewToggleButton("t", false).SetButtonStyle("nonsense") }, `ToggleButton "t": button_style is "nonsense", must be one of`, ""},
	} {
		theirs, known := reference.Cases[c.name]
		delete(reference.Cases, c.name)
		got, refused := try(c.f)
		said, _ := theirs.(string)
		switch as := strings.HasPrefix(said, "refused"); {
		case !known:
			t.Errorf("%s is not in limits.json", c.name)
		case (c.want == "") != (refused == "") || !strings.Contains(refused, c.want):
			t.Errorf("%s: %v, panics with %q, want %q", c.name, got, refused, c.want)
		case c.why == "" && as != (refused != ""):
			t.Errorf("%s: refused with %q, ipywidgets has %v", c.name, refused, theirs)
		case c.why == "" && !as && !reflect.DeepEqual(plain(got), theirs):
			t.Errorf("%s: %v, ipywidgets has %v", c.name, plain(got), theirs)
		}
	}
	for name := range reference.Cases {
		t.Errorf("%s is not tried", name)
	}
}

// plain returns what JSON makes of a value.
func plain(v any) any { return through(map[string]any{"v": v})["v"] }

// A mirror is a page that keeps the state of a widget.
type mirror struct {
	f     *fake
	w     Widget
	state map[string]any
}

func newMirror(f *fake, w Widget) *mirror {
	m := &mirror{f, w, map[string]any{}}
	hub.Lock()
	w.model().open, w.model().closed = false, false
	w.model().reveal()
	hub.Unlock()
	m.read()
	return m
}

// read takes what the program says, in its order.
func (m *mirror) read() {
	for _, msg := range m.f.sent() {
		if state, ok := msg.Data["state"].(map[string]any); ok && msg.ID == m.w.ID() {
			for k, v := range state {
				m.state[k] = v
			}
		}
	}
}

// differs says where the page shows another value than the program has, or a value that its model cannot hold.
func (m *mirror) differs() string {
	hub.Lock()
	defer hub.Unlock()
	mod := m.w.model()
	state, _, _ := mod.state(nil)
	state = through(state)
	for i, a := range mod.class.attrs {
		if what := mod.fault(i); what != "" && a.name != "value" { // tags may be older than what is allowed of them
			return what
		}
		if a.kind == "bytes" || a.kind == "files" || a.kind == "child" {
			continue
		}
		if got := m.state[a.name]; !reflect.DeepEqual(got, state[a.name]) {
			return fmt.Sprintf("%s is %v, the page shows %v", a.name, state[a.name], got)
		}
		if m.state[a.name] == nil && !a.null && a.kind != "source" && a.kind != "target" {
			return a.name + " is null in the page"
		}
	}
	return ""
}

// fresh makes a widget of each type anew.
func fresh(w Widget) Widget {
	m := w.model()
	again := &Model{id: m.id, class: m.class, values: slices.Clone(m.values)}
	v := reflect.New(reflect.TypeOf(w).Elem())
	v.Elem().FieldByName("Model").Set(reflect.ValueOf(again))
	return v.Interface().(Widget)
}

// Whatever a page says of any attribute of any widget, page and program have the same value afterwards, and it is one that
// the widget can have.
func TestPageAndProgramAgree(t *testing.T) {
	f := open(t)
	day := func(y, m, d any) map[string]any { return map[string]any{"year": y, "month": m, "date": d} }
	values := []any{nil, true, "", "nonsense", "red", "#fff", 0, 1, -1, 2, 2.5, -0.5, 255, 1 << 53, 1<<53 - 1, 1e19, -1e19, 1e300, []any{}, []any{1, 2}, []any{2, 1},
		[]any{-5, 1e19}, []any{"a", "a"}, []any{"a", 1}, []any{nil}, []any{2.5}, map[string]any{}, day(2024, 1, 29), day(2023, 1, 29), day(2024, 12, 1), day(1e300, 0, 1), day("x", 0, 1),
		map[string]any{"hours": 25}, map[string]any{"hours": 23, "minutes": 59, "seconds": 59, "milliseconds": 999}, map[string]any{"hours": 1.5}}
	pages := NewTab(NewLabel("a"), NewLabel("b"))
	some := append(slices.Clone(every), NewDropdown("", "a", "b"), NewSelectMultiple("", "a", "b"), NewSelect("", "a", "b"), NewSelectionRangeSlider("", "a", "b", "c"), pages,
		NewTagsInput("a").SetAllowDuplicates(false), NewIntsInput(1).SetMin(0).SetMax(9), NewColorsInput("red"), NewCombobox("", "a").SetEnsureOption(true),
		NewDatePicker("", utc(2024, 1, 1)).SetMin(utc(2023, 1, 1)), NewTimePicker("", time.Hour).SetMax(2*time.Hour))
	tried := 0
	for _, w := range some {
		w := fresh(w)
		m := newMirror(f, w)
		for _, a := range w.model().class.attrs {
			if a.kind == "outputs" || a.name == "_options_labels" || a.name == "min" || a.name == "max" || a.name == "base" || a.name == "step" || a.own() {
				continue // the page has no way to set them
			}
			for i, v := range values {
				if testing.Short() && i%5 > 0 {
					continue
				}
				m.state[a.name] = plain(v)
				_, failed := try(func() any { f.update(w, map[string]any{a.name: v}); return nil })
				m.read()
				if what := m.differs(); failed != "" || what != "" {
					t.Errorf("%s: %s is %v in the page: %s %s", w.model().class.name, a.name, v, failed, what)
				}
				tried++
			}
			if _, failed := try(func() any { return readAll(w) }); failed != "" {
				t.Errorf("%s: after values for %s reading panics: %s", w.model().class.name, a.name, failed)
			}
		}
	}
	if tried < 10_000 && !testing.Short() {
		t.Errorf("%d values are tried", tried)
	}
}

// readAll calls all getters of a widget.
func readAll(w Widget) (all []any) {
	v := reflect.ValueOf(w)
	for i := range v.NumMethod() {
		if m := v.Type().Method(i); m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && m.Name != "Click" {
			all = append(all, v.Method(i).Call(nil)[0].Interface())
		}
	}
	return append(all, fmt.Sprint(w))
}

// Whatever a program sets any attribute of any widget to is what the widget has and what the page shows, or is refused by a panic that
// names the widget and changes nothing.
func TestSettersHoldOrRefuse(t *testing.T) {
	f := open(t)
	inf, east := math.Inf(1), time.FixedZone("east", 2*3600)
	values := map[reflect.Type][]any{}
	for _, v := range []any{0, 1, -1, 50, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 - 1, 0., -1., 2.5, math.NaN(), inf, -inf, math.MaxFloat64, 5e-324,
		"", "nonsense", "red", true, false, []string(nil), []string{"a"}, []string{"a", "a"}, []string{""}, []int(nil), []int{1, 1}, []int{math.MinInt64}, []float64{math.NaN()}, []float64{1, 2},
		[2]int{1, 2}, [2]int{-1, 1 << 60}, [2]float64{0, 1}, [2]float64{math.NaN(), 1}, [2]float64{-inf, inf},
		time.Time{}, utc(2024, 2, 29), time.Date(2024, 1, 1, 0, 30, 0, 0, east), utc(10000, 1, 1), utc(0, 1, 1), time.Duration(-1), time.Duration(0), 23*time.Hour + 59*time.Minute, 24 * time.Hour} {
		values[reflect.TypeOf(v)] = append(values[reflect.TypeOf(v)], v)
	}
	// What is documented to be another value: numbers are brought between bounds, and what is none of the options, or below 0, is none.
	other := func(class, attr string, set any) bool {
		if at, is := set.(time.Time); is { // a picker of days, or of times in no zone
			return at.Location() == east
		}
		switch attr {
		case "Index", "Value":
			return true
		case "SelectedIndex", "Min", "Max", "Rows":
			return reflect.ValueOf(set).CanInt() && reflect.ValueOf(set).Int() < 0
		}
		return false
	}
	tried := 0
	for _, w := range every {
		typ := reflect.TypeOf(w)
		for i := range typ.NumMethod() {
			name, setter := strings.CutPrefix(typ.Method(i).Name, "Set")
			get, ok := typ.MethodByName(name)
			if !setter || !ok || typ.Method(i).Type.NumIn() != 2 {
				continue
			}
			for _, v := range values[typ.Method(i).Type.In(1)] {
				w := fresh(w)
				m := newMirror(f, w)
				before := plain(m.state)
				class := w.model().class.name
				_, refused := try(func() any { reflect.ValueOf(w).Method(i).Call([]reflect.Value{reflect.ValueOf(v)}); return nil })
				m.read()
				got := get.Func.Call([]reflect.Value{reflect.ValueOf(w)})[0].Interface()
				switch what := m.differs(); {
				case what != "":
					t.Errorf("%s.Set%s(%v): %s", class, name, v, what)
				case refused != "" && !strings.HasPrefix(refused, "widgets: "+class):
					t.Errorf("%s.Set%s(%v) panics with %q", class, name, v, refused)
				case refused != "" && !reflect.DeepEqual(plain(m.state), before):
					t.Errorf("%s.Set%s(%v) panics and changes the state", class, name, v)
				case refused == "" && !other(class, name, v) && !reflect.DeepEqual(own(got), own(v)):
					t.Errorf("%s.Set%s(%v) sets %v", class, name, v, got)
				}
				tried++
			}
		}
	}
	if tried < 1500 {
		t.Errorf("%d values are tried", tried)
	}
	// Bounded numbers: what they become.
	if got := NewIntSlider("", 0, 10, 5).SetValue(11).Value(); got != 10 {
		t.Errorf("11 of 0 to 10 is %d", got)
	}
	if _, refused := try(func() any { return NewIntText("n", 1<<60) }); !strings.Contains(refused, `IntText "n": value is 1152921504606846976, must be within ±9007199254740991`) {
		t.Errorf("2^60: %q", refused)
	}
	if _, refused := try(func() any { return NewFloatSlider("x", 0, 10, math.NaN()) }); !strings.Contains(refused, `FloatSlider "x": value is NaN`) {
		t.Errorf("NaN: %q", refused)
	}
	if _, refused := try(func() any { return NewIntSlider("n", 0, 10, 5).SetStep(0) }); !strings.Contains(refused, `IntSlider "n": step is 0, must be at least 1`) {
		t.Errorf("step 0: %q", refused)
	}
}

// A day is that of its own zone, as a picker without a zone has the clock's time of it.
func TestDaysEastOfGreenwich(t *testing.T) {
	f := open(t)
	for _, hours := range []int{-11, 0, 2, 14} {
		zone := time.FixedZone("somewhere", hours*3600)
		d := NewDatePicker("", time.Date(2024, 1, 1, 0, 0, 0, 0, zone)).SetMin(time.Date(2023, 12, 31, 23, 59, 0, 0, zone))
		n := NewNaiveDatetimePicker("", time.Date(2024, 1, 1, 9, 30, 0, 0, zone))
		for _, c := range []struct {
			w    Widget
			attr string
			want map[string]any
		}{
			{d, "value", map[string]any{"year": 2024., "month": 0., "date": 1.}},
			{d, "min", map[string]any{"year": 2023., "month": 11., "date": 31.}},
			{n, "value", map[string]any{"year": 2024., "month": 0., "date": 1., "hours": 9., "minutes": 30., "seconds": 0., "milliseconds": 0.}},
		} {
			if got := newMirror(f, c.w).state[c.attr]; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%d hours east, %s: %s is %v, want %v", hours, c.w.model().class.name, c.attr, got, c.want)
			}
		}
		if got := d.Value(); !got.Equal(utc(2024, 1, 1)) {
			t.Errorf("%d hours east the day is %v", hours, got)
		}
	}
}

// Chosen texts stay chosen among new options, and OnValue is called when they do not.
func TestNewOptions(t *testing.T) {
	open(t)
	dd := NewDropdown("city", "Bern", "Basel").SetValue("Basel")
	told := []string{}
	dd.OnValue(func(v string) { told = append(told, v) })
	iv := Interact(func(city string) any { return "shown: " + city }, dd)
	dd.SetOptions([]string{"Chur", "Genf", "Basel"})
	if dd.Index() != 2 || len(told) != 0 {
		t.Errorf("the same text has index %d, told %q", dd.Index(), told)
	}
	dd.SetOptions([]string{"Chur", "Genf", "Oslo"})
	if got := texts(iv.Output()); dd.Value() != "Chur" || !slices.Equal(told, []string{"Chur"}) || !slices.Equal(got, []string{"shown: Chur"}) {
		t.Errorf("chosen %q, told %q, Interact shows %q", dd.Value(), told, got)
	}
	dd.SetOptions([]string{"Zug"})
	if got := texts(iv.Output()); !slices.Equal(got, []string{"shown: Zug"}) || dd.Index() != 0 {
		t.Errorf("index 0 has another text, Interact shows %q", got)
	}
	many := NewSelectMultiple("", "a", "b", "c").SetValue([]string{"a", "c"}).SetOptions([]string{"c", "x"})
	if got := many.Value(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("of several %q remain", got)
	}
}
