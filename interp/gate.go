package interp

import "context"

// Cells of subshells run alongside the others. They see what cells have declared that have ended, and what they declare is
// there for others when they have ended.
//
// What the lowerer takes for known, the worker must have. So a cell comes to the worker part by part (execution): a part is
// lowered when those before it have run, and is under way until the worker reports that it has started. Whoever checks or
// lowers has the gate, and keeps it until the part has started, or was taken back because it did not.
//
// A cell of a subshell waits for the gate and for nothing else. Who has the gate waits for the front end's own work, for the
// worker to load what it got, for packages of modules to initialise themselves, and for the compiler;
// never for a statement of a cell, for input, or for a download. All of that ends by itself or with the worker, so the
// gate opens, whatever cells wait for. And an interrupted cell stops waiting.

// A gate lets one cell at a time be checked or lowered.
//
// Locks are taken in this order: Session.executing, the gate, Session.front, then the lock mu of a part of the session (runs,
// comms, saves, variableView, tracer). Only the part's own methods take that one, and the part knows nothing that has another
// lock, so it is always the last. A cell is never waited for with Session.front or such a lock held.
type gate chan struct{}

func newGate() gate { return make(gate, 1) }

// enter waits for the gate. It reports false when ctx has ended before.
func (g gate) enter(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case g <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (g gate) leave() { <-g }
