package interp

import (
	"slices"

	"gaucho/interp/check"
	"gaucho/interp/wire"
)

// maxInputs is how many bytes of cells' texts In keeps: the newest.
const maxInputs = 1 << 20

// A history is what cells can say of earlier ones by Out and In. It is guarded by Session.front.
type history struct {
	check.History
	bytes int
	order []int // of In, the oldest first
}

// forget takes away what went with a worker.
func (h *history) forget() {
	h.Out = map[int]check.Shown{}
	if h.In == nil {
		h.In = map[int]string{}
	}
}

// keepsShown reports whether what a cell shows is kept.
func keepsShown(c Cell) bool { return c.Number > 0 && !c.Silent && !c.aside && !c.Program }

// enterInput remembers a cell's text for In.
func (s *Session) enterInput(c Cell, source string) {
	if !keepsShown(c) {
		return
	}
	s.front.Lock()
	defer s.front.Unlock()
	h := &s.history
	h.bytes += len(source) - len(h.In[c.Number])
	h.In[c.Number] = source
	h.order = append(slices.DeleteFunc(h.order, func(n int) bool { return n == c.Number }), c.Number)
	for h.bytes > maxInputs {
		h.bytes -= len(h.In[h.order[0]])
		delete(h.In, h.order[0])
		h.order = h.order[1:]
	}
}

// enterShown remembers the type of what a cell has shown for Out.
func (s *Session) enterShown(c Cell, prog *program, failed *wire.Error) {
	if !keepsShown(c) {
		return
	}
	s.front.Lock()
	defer s.front.Unlock()
	if prog.worker != s.generation {
		return
	}
	shown := check.Shown{Why: "that cell shows no value"}
	if failed != nil {
		shown.Why = "that cell failed"
	} else {
		for _, st := range prog.steps {
			if st.checked != nil {
				shown = st.checked.ShownBy()
			}
		}
	}
	s.history.Out[c.Number] = shown
}
