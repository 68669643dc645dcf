package interp

import (
	"go/types"
	"maps"
	"slices"
	"sync"
	"time"

	"gaucho/interp/api"
	"gaucho/interp/check"
	"gaucho/interp/wire"
)

// A variableView is what was last seen of the variables. Looking makes the session's variables known to the worker once; then each
// look reads them there, between cells, or while a cell runs at one of its checks, and never while its statements go on.
type variableView struct {
	mu      sync.Mutex
	watched map[string]*types.Var // which variable the worker has under a name
	worker  int                   // generation of the worker that has them
	left    int                   // cells before which variables are still made known
	looks   int                   // so far
	ran     int                   // cells so far
	seen    int                   // ran at the last look
	live    bool                  // goroutines of cells ran then
	at      time.Time             // also of a look that came to nothing
	cell    int                   // that ran at the last look
	last    map[string]wire.Item
}

// lookCells is how many cells variables are made known before after somebody has looked.
const lookCells = 10

func (l *variableView) want(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = 0
	if on {
		l.left = lookCells
	}
}

// wanted reports whether somebody looked before one of the last cells. It is asked once for each.
func (l *variableView) wanted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 {
		return false
	}
	l.left--
	return true
}

// of reports whether the last look was while the cell ran.
func (l *variableView) of(cell int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cell == cell
}

// change notes that variables may have changed since the last look.
func (l *variableView) change() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ran++
}

// holds reports whether the last look still shows what variables are while a cell runs, 0 for none, and returns what to
// give to see after the next one.
func (l *variableView) holds(cell int) (ran int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ran, l.last != nil && l.seen == l.ran && (cell == 0 && !l.live || time.Since(l.at) < api.LookPause)
}

// see notes what a look found, nil for nothing, after so many cells.
func (l *variableView) see(found *wire.Seen, cell, ran int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at = time.Now()
	l.looks++
	if found == nil {
		return
	}
	l.last = map[string]wire.Item{}
	for _, it := range found.Items {
		l.last[it.Name] = it
	}
	l.live, l.cell, l.seen = found.Live || cell != 0, cell, ran
}

// unwatched returns the names of variables that a worker does not have yet, sorted.
func (l *variableView) unwatched(worker int, vars map[string]*types.Var) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if worker != l.worker || l.watched == nil {
		l.worker, l.watched, l.last = worker, map[string]*types.Var{}, nil
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if l.watched[name] != vars[name] {
			names = append(names, name)
		}
	}
	return names
}

// watch notes that the worker has variables.
func (l *variableView) watch(names []string, vars map[string]*types.Var) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range names {
		l.watched[n] = vars[n]
	}
}

// list joins variables with what was seen of them, which may be old.
func (l *variableView) list(vars map[string]*types.Var, old bool) []Variable {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := []Variable{}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		v := Variable{Name: name, Type: check.TypeString(vars[name].Type()), Old: old}
		if it, ok := l.last[name]; ok && l.watched[name] == vars[name] {
			v.Value, v.Parts, v.Size, v.More = it.Text, it.Parts, it.Size, it.Rest
		} else {
			v.Value, v.Old = "", true
		}
		out = append(out, v)
	}
	return out
}
