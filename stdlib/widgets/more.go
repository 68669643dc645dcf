package widgets

import "slices"

// OnClick calls f when the button is pressed.
func (w *Button) OnClick(f func()) *Button {
	w.on("click", f)
	return w
}

// Click calls what OnClick has installed, as pressing the button does.
func (w *Button) Click() {
	hub.Lock()
	var calls []call
	for _, c := range w.custom {
		if c.event == "click" {
			calls = append(calls, call{c.cell, c.f})
		}
	}
	hub.Unlock()
	queue.run(calls)
}

// OnSubmit calls f with the text when the return key is pressed.
func (w *Text) OnSubmit(f func(v string)) *Text {
	w.on("submit", func() { f(w.Value()) })
	return w
}

// OnSubmit calls f with the text when the return key is pressed.
func (w *Password) OnSubmit(f func(v string)) *Password {
	w.on("submit", func() { f(w.Value()) })
	return w
}

// OnSubmit calls f with the text when the return key is pressed.
func (w *Combobox) OnSubmit(f func(v string)) *Combobox {
	w.on("submit", func() { f(w.Value()) })
	return w
}

// SetBorder draws a line on all four sides, such as "1px solid grey".
func (w *Layout) SetBorder(v string) *Layout {
	return w.SetBorderTop(v).SetBorderRight(v).SetBorderBottom(v).SetBorderLeft(v)
}

// SetValue chooses texts; those that are not among the options are left out.
func (w *SelectMultiple) SetValue(v []string) *SelectMultiple {
	var index []int
	for i, text := range w.Options() {
		if slices.Contains(v, text) {
			index = append(index, i)
		}
	}
	return w.SetIndex(index)
}

// chosen returns the text of an index among the options, "" for none.
func (m *Model) chosen() string {
	hub.Lock()
	defer hub.Unlock()
	i, ok := m.values[m.class.attr("index")].(int)
	if !ok {
		return ""
	}
	return m.values[m.class.attr("_options_labels")].([]string)[i]
}

// choose sets the index of a text among the options.
func (m *Model) choose(text string) {
	hub.Lock()
	options := m.values[m.class.attr("_options_labels")].([]string)
	hub.Unlock()
	m.set("index", noneBelow0(slices.Index(options, text)))
}

// chosenAll returns the texts of indices among the options.
func (m *Model) chosenAll() []string {
	hub.Lock()
	defer hub.Unlock()
	options := m.values[m.class.attr("_options_labels")].([]string)
	texts := []string{}
	for _, i := range m.values[m.class.attr("index")].([]int) {
		if i < len(options) {
			texts = append(texts, options[i])
		}
	}
	return texts
}

// JSLink keeps an attribute of one widget equal to that of another, in the front end: it works in a saved page too, where
// no program runs. Attributes are named as the front end does, such as "value". In the program the widgets follow
// when the front end says so, and outside a notebook not at all.
func JSLink(a Widget, attribute string, b Widget, other string) *Link {
	return &Link{newLink(classLink, a, attribute, b, other)}
}

// JSDirectionalLink copies an attribute of one widget to another whenever it changes, in the front end, as [JSLink] does
// in both directions.
func JSDirectionalLink(source Widget, attribute string, target Widget, other string) *DirectionalLink {
	return &DirectionalLink{newLink(classDirectionalLink, source, attribute, target, other)}
}

func newLink(c *class, a Widget, attribute string, b Widget, other string) *Model {
	m := newModel(c)
	m.start("source", endOf(a, attribute))
	m.start("target", endOf(b, other))
	hub.Lock()
	defer hub.Unlock()
	m.reveal()
	return m
}

func endOf(w Widget, attribute string) end {
	m := w.model()
	m.mustHave(attribute)
	return end{m, attribute}
}
