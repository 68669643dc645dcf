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
			calls = append(calls, call{cell: c.cell, f: c.f, of: w.Model})
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
	if texts := m.chosenAll(); len(texts) > 0 {
		return texts[0]
	}
	return ""
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
	return m.texts(m.values)
}

// texts returns the chosen texts where the widget's attributes have certain values; nil if it is no choice.
func (m *Model) texts(values []any) []string {
	o := m.class.attr("_options_labels")
	if o < 0 {
		return nil
	}
	options, texts := values[o].([]string), []string{}
	index, _ := values[m.class.attr("index")].([]int)
	if i, one := values[m.class.attr("index")].(int); one {
		index = []int{i}
	}
	for _, i := range index {
		if i >= 0 && i < len(options) {
			texts = append(texts, options[i])
		}
	}
	return texts
}

// rechoose has the chosen texts chosen again among new options. Where one is not among them, it is the first option that is
// chosen, of several none instead of it.
func (m *Model) rechoose(before []any) {
	o := m.class.attr("_options_labels")
	if o < 0 || same(before[o], m.values[o]) {
		return
	}
	i, old, options := m.class.attr("index"), before[o].([]string), m.values[o].([]string)
	place := func(k int) int {
		if k >= 0 && k < min(len(old), len(options)) && old[k] == options[k] {
			return k
		}
		if k < 0 || k >= len(old) {
			return -1
		}
		return slices.Index(options, old[k])
	}
	switch index := before[i].(type) {
	case int:
		m.values[i] = max(place(index), 0) // none if there are no options
	case []int:
		index = slices.Clone(index)
		for k := range index {
			index[k] = place(index[k])
		}
		switch pair := m.class.attrs[i].kind == "pair"; {
		case pair && (index[0] < 0 || index[1] < index[0]):
			index = []int{0, 0}
		case !pair:
			slices.Sort(index)
		}
		m.values[i] = index
	}
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
