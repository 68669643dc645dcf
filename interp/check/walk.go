package check

import "gaucho/interp/cell"

// A Walk is what is done with the parts of a cell, in the order in which they run. Magic and Plan may be nil.
type Walk struct {
	// Magic is called with each magic.
	Magic func(*cell.Piece)
	// Plan is called with the stages between two magics, before the first of them is checked.
	Plan func([]*cell.Stage)
	// Stage checks a stage. It returns what the stage declares, nil to end the walk, or why the stage is refused.
	Stage func(*cell.Stage) (*Checked, []cell.Problem)
}

// Through takes w through a cell. Each stage is planned and checked with what those before it declared, which work takes
// over. It returns the problems of the stage that was refused; work then has what came before.
func (w Walk) Through(parsed *cell.Cell, work *Scope) []cell.Problem {
	for _, segment := range cell.Segments(parsed) {
		if m := segment.Magic; m != nil {
			if w.Magic != nil {
				w.Magic(m)
			}
			continue
		}
		stages := cell.Plan(segment.Cell, work.Live)
		if w.Plan != nil {
			w.Plan(stages)
		}
		for _, st := range stages {
			ch, problems := w.Stage(st)
			if ch == nil || problems != nil {
				return problems
			}
			work.Apply(ch.Start)
			for _, u := range ch.Steps {
				work.Apply(u)
			}
		}
	}
	return nil
}
