package interp

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gaucho/interp/check"
	"gaucho/interp/depend"
	"gaucho/interp/wire"
)

// The kernel keeps the session's plain data as Go source, so that %replay can bring it back when a worker was lost:
// numbers, strings and bools, slices, arrays and maps of them, dense matrices and vectors, up to some size. It asks the
// worker when no cell has run for a moment, and before a cell if it did not ask for long, so that cells do not wait.

// saveIdle is how long no cell must have run, and saveLate how old the last save may be when a cell starts. It may be no
// older than saveShare times as long as that save took, so that a cell that is ended by force costs only what it changed.
const (
	saveIdle  = 150 * time.Millisecond
	saveLate  = 3 * time.Second
	saveShare = 20
)

// saves is what is kept of variables.
type saves struct {
	mu    sync.Mutex
	timer *time.Timer
	dirty bool // cells ran since the last save
	at    time.Time
	took  time.Duration // the last save
	texts map[string]depend.SavedValue
}

// saveSoon saves when the session has been idle for a moment.
func (s *Session) saveSoon() {
	v := &s.saves
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dirty = true
	if v.timer == nil {
		v.timer = time.AfterFunc(saveIdle, func() {
			if s.executing.TryLock() {
				s.save(context.Background())
				s.executing.Unlock()
			}
		})
		return
	}
	v.timer.Reset(saveIdle)
}

// saveIfLate saves before a cell if that was not done for long.
func (s *Session) saveIfLate(ctx context.Context) {
	v := &s.saves
	v.mu.Lock()
	since := time.Since(v.at)
	late := v.dirty && (since > saveLate || since > saveShare*v.took)
	v.mu.Unlock()
	if late {
		s.save(ctx)
	}
}

// save asks the worker for plain data. The caller holds s.executing.
func (s *Session) save(ctx context.Context) {
	began := time.Now()
	vars := s.variables()
	var names []string
	for name, v := range vars {
		if depend.PlainType(v.Type()) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	texts := map[string]depend.SavedValue{}
	if len(names) > 0 {
		s.watch(ctx)
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		seen, err := s.worker.Look(ctx, &wire.Look{Names: names, Source: true})
		if err != nil || !seen.OK {
			return
		}
		for _, it := range seen.Items {
			if it.Text != "" {
				texts[it.Name] = depend.SavedValue{Type: check.TypeString(vars[it.Name].Type()), Text: it.Text}
			}
		}
	}
	v := &s.saves
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dirty, v.at, v.took, v.texts = false, time.Now(), time.Since(began), texts
}

// keepData takes over what was saved of variables that went with their worker. The caller holds s.front.
func (s *Session) keepData() {
	v := &s.saves
	v.mu.Lock()
	defer v.mu.Unlock()
	var lost []string
	data := map[string]depend.SavedValue{}
	for name, e := range s.scope.Names {
		if obj, ok := e.Obj.(*types.Var); ok && !check.Hidden(name) {
			if t := v.texts[name]; t.Text != "" && t.Type == check.TypeString(obj.Type()) {
				data[name] = t
			} else {
				lost = append(lost, name)
			}
		}
	}
	slices.Sort(lost)
	s.replay.Kept, s.replay.Left = data, lost
	v.texts, v.dirty = nil, false
}

// bringBack runs declarations again, and declares saved variables.
func (s *Session) bringBack(ctx context.Context, c Cell, source string, data map[string]depend.SavedValue) *wire.Error {
	var b strings.Builder
	b.WriteString(source)
	for _, name := range slices.Sorted(maps.Keys(data)) {
		fmt.Fprintf(&b, "var %s %s = %s\n", name, data[name].Type, data[name].Text)
	}
	if res := s.executeSource(ctx, Cell{ID: c.ID, Number: c.Number, Source: b.String(), Silent: true}); res.Err != nil {
		return &wire.Error{Name: res.Err.Name, Value: "the session's declarations and data could not be restored: " + res.Err.Value}
	}
	return nil
}

// afterForce brings back what can be after a cell whose worker the user has ended, and says so under the cell.
func (s *Session) afterForce(ctx context.Context, c Cell, failed *Error) {
	if ctx.Err() != nil {
		return
	}
	said := "A new worker has started. The lines above the error list what was restored and what is lost."
	if err := s.replayMagic(ctx, c, ""); err != nil {
		said = "All variables are gone: " + err.Value
	}
	failed.Traceback[len(failed.Traceback)-1] = said
}
