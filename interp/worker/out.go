package worker

import (
	"fmt"
	"slices"

	"gaucho/interp/rt/run"
)

// maxShown is about how many bytes of values Out keeps: the newest.
const maxShown = 256 << 20

// shownValues are the sizes of what rt.Out returns, the oldest first.
type shownValues struct {
	list  []shownValue
	bytes int64
}

type shownValue struct {
	cell int
	size int64
}

// keepShown keeps what a cell has shown for Out, and lets go of what is too much by then.
func (w *server) keepShown(cell int, values []any) {
	if cell == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s := &w.shown
	s.list = slices.DeleteFunc(s.list, func(v shownValue) bool {
		if v.cell == cell {
			s.bytes -= v.size
		}
		return v.cell == cell
	})
	if len(values) != 1 || values[0] == nil {
		run.DropOut(cell, "the value was nil")
		return
	}
	size, _ := sizeOf(&values[0], true)
	if size > maxShown {
		run.DropOut(cell, fmt.Sprintf("the value takes %d MB, and at most %d MB are kept; give it a name", size>>20, maxShown>>20))
		return
	}
	run.SetOut(cell, values[0])
	s.list, s.bytes = append(s.list, shownValue{cell, size}), s.bytes+size
	for s.bytes > maxShown {
		run.DropOut(s.list[0].cell, fmt.Sprintf("of what cells have shown, the last %d MB are kept; give the value a name", maxShown>>20))
		s.bytes -= s.list[0].size
		s.list = s.list[1:]
	}
}
