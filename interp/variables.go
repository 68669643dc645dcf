package interp

import (
	"context"
	"go/types"
	"regexp"
	"strings"
	"time"

	"gaucho/interp/wire"
)

// Look says that somebody looks at variables, or does no longer. Then they are made known to the worker before each of the next
// cells, so that Variables sees them also while it runs. Who does not look again pays for ten cells, not for all to come.
func (s *Session) Look(on bool) {
	s.variableView.want(on)
}

// beforeCell makes variables known to the worker, so that who looks while the cell runs finds what was before it.
func (s *Session) beforeCell(ctx context.Context) {
	if s.variableView.wanted() {
		s.refresh(ctx, 0)
	}
}

// Variables lists the session's variables, sorted by name. While a cell runs, names and types are those of before it, and
// values are as of its last check, or marked as old. They are marked too where the worker does not answer within lookLimit.
func (s *Session) Variables(ctx context.Context) []Variable {
	if s.executing.TryLock() {
		fresh := s.refresh(ctx, 0)
		s.executing.Unlock()
		return s.listVariables(!fresh)
	}
	running := s.runs.current()
	fresh := s.refresh(ctx, running) && s.variableView.of(running)
	return s.listVariables(!fresh)
}

// lookLimit is how long a look at variables may take.
const lookLimit = 2 * time.Second

// refresh looks at the variables unless the last look still holds, and reports whether what is known is up to date. cell
// runs, 0 for none.
func (s *Session) refresh(ctx context.Context, cell int) bool {
	ran, ok := s.variableView.holds(cell)
	if ok {
		return true
	}
	if cell == 0 {
		s.watch(ctx)
	}
	var names []string
	for name := range s.front.variables() {
		names = append(names, name)
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	seen, err := s.worker.Look(ctx, &wire.Look{Cell: cell, Names: names})
	if err != nil || !seen.OK {
		seen = nil
	}
	s.variableView.see(seen, cell, ran)
	return seen != nil
}

// watch makes variables that are new known to the worker. No cell runs.
func (s *Session) watch(ctx context.Context) {
	vars := s.front.variables()
	names := s.variableView.unwatched(s.worker.Generation(), vars)
	if len(names) == 0 {
		return
	}
	if !s.point(ctx, names) { // one of them cannot be pointed to
		for _, n := range names {
			s.point(ctx, []string{n})
		}
	}
	if ctx.Err() != nil {
		return // they are made known another time
	}
	s.variableView.watch(names, vars)
}

// point has the worker take pointers to variables.
func (s *Session) point(ctx context.Context, names []string) bool {
	id := s.runs.number("")
	if run := s.compiledPointers(id, names); run != nil {
		done, err := s.worker.Run(ctx, run, nil)
		return err == nil && done.Error == nil
	}
	// It declares nothing, but types of pointers are known from now on.
	x := &execution{s: s, ctx: ctx, id: id}
	done := x.aside("&"+strings.Join(names, ", &"), func(r *wire.Run) { r.Watch = names })
	s.front.Lock()
	delete(s.front.places, id)
	s.front.Unlock()
	return done.Error == nil
}

// compiledPointers has the worker take the pointers that compiled cells left, without a new cell for it; nil where
// variables are interpreted.
func (s *Session) compiledPointers(id int, names []string) *wire.Run {
	vars := s.front.variables()
	var list []*types.Var
	for _, name := range names {
		list = append(list, vars[name])
	}
	s.front.Lock()
	defer s.front.Unlock()
	pointers := s.front.engine.Pointers(list)
	if pointers == nil {
		return nil
	}
	return &wire.Run{Cell: id, Watch: names, Pointers: pointers, Worker: s.front.worker}
}

// listVariables joins what the front end knows with what was seen, which may be old.
func (s *Session) listVariables(old bool) []Variable {
	return s.variableView.list(s.front.variables(), old)
}

// Parts lists the parts of a variable, or of what the path leads to in it. ok is false when the variable cannot be looked
// at now, because the cell that runs comes to no check.
func (s *Session) Parts(ctx context.Context, name string, path []Part) (parts []Variable, ok bool) {
	cell := 0
	if s.executing.TryLock() {
		defer s.executing.Unlock()
		s.watch(ctx)
	} else {
		cell = s.runs.current()
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	seen, err := s.worker.Look(ctx, &wire.Look{Cell: cell, Names: []string{name}, Path: path, Parts: true})
	if err != nil || !seen.OK {
		return nil, false
	}
	for _, it := range seen.Items {
		parts = append(parts, Variable{Name: it.Name, Type: ownTypes.ReplaceAllString(it.Type, ""), Value: it.Text, Parts: it.Parts, Part: it.Part})
	}
	return parts, true
}

// ownTypes is the package of cells in the name of a type.
var ownTypes = regexp.MustCompile(`\bmain\.`)

// Rich returns the forms in which a variable shows itself; none while a cell runs.
func (s *Session) Rich(ctx context.Context, name string) (map[string]any, bool) {
	if !s.executing.TryLock() {
		return nil, false
	}
	s.executing.Unlock()
	data, err := s.Evaluate(ctx, Cell{}, name)
	return data, err == nil
}
