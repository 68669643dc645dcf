package interp

import (
	"slices"

	"gaucho/interp/check"
)

// maxInputs is how many bytes of cells' texts In keeps: the newest.
const maxInputs = 1 << 20

// A history is what cells can say of earlier ones by Out and In. A front has one.
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
func keepsShown(c Cell) bool { return c.Number > 0 && !c.Silent && !c.Aside && !c.Program }

// enterInput remembers a cell's text for In.
func (h *history) enterInput(number int, source string) {
	h.bytes += len(source) - len(h.In[number])
	h.In[number] = source
	h.order = append(slices.DeleteFunc(h.order, func(n int) bool { return n == number }), number)
	for h.bytes > maxInputs {
		h.bytes -= len(h.In[h.order[0]])
		delete(h.In, h.order[0])
		h.order = h.order[1:]
	}
}

// enterShown remembers the type of what a cell has shown for Out.
func (h *history) enterShown(number int, stages []*check.Checked, failed bool) {
	shown := check.Shown{Why: "that cell shows no value"}
	if failed {
		shown.Why = "that cell failed"
	} else if n := len(stages); n > 0 {
		shown = stages[n-1].ShownBy()
	}
	h.Out[number] = shown
}
