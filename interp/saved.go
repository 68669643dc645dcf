package interp

import (
	"context"
	"errors"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/depend"
	"gaucho/interp/wire"
)

// The kernel keeps the session's plain data as Go source, so that %replay can bring it back when a worker was lost:
// numbers, strings and bools, slices, arrays, maps and structs of them, dense matrices and vectors, up to some size. It asks the
// worker when no cell has run for a moment, and before a cell if it did not ask for long, so that cells do not wait. Between
// two interrupts, longer slices and matrices, and tables, are kept in files.

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
	files string // directory of what is kept in files, of the session
}

// soon has save called when no cell has run for a moment.
func (v *saves) soon(save func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dirty = true
	if v.timer == nil {
		v.timer = time.AfterFunc(saveIdle, save)
		return
	}
	v.timer.Reset(saveIdle)
}

// late reports whether the last save is so old that a cell must not start before the next.
func (v *saves) late() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	since := time.Since(v.at)
	return v.dirty && (since > saveLate || since > saveShare*v.took)
}

// set replaces what is kept.
func (v *saves) set(texts map[string]depend.SavedValue, took time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.dirty, v.at, v.took, v.texts = false, time.Now(), took, texts
}

// add adds to what is kept, in place of older values. Those of the variables that were left out are no longer kept.
func (v *saves) add(texts map[string]depend.SavedValue, leftOut []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	all := map[string]depend.SavedValue{}
	maps.Copy(all, v.texts)
	for _, name := range leftOut {
		delete(all, name)
	}
	maps.Copy(all, texts)
	v.texts = all
}

// take returns what was saved of variables that went with their worker.
func (v *saves) take() map[string]depend.SavedValue {
	v.mu.Lock()
	defer v.mu.Unlock()
	texts := v.texts
	v.texts, v.dirty = nil, false
	return texts
}

// newFiles returns an empty directory for variables, and removes earlier ones but those that are needed.
func (v *saves) newFiles(needed map[string]bool) (dir string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.files == "" {
		if v.files, err = os.MkdirTemp("", "gaucho-kept-"); err != nil {
			return "", err
		}
	}
	for _, d := range v.texts {
		needed[filepath.Dir(d.File)] = true
	}
	old, err := filepath.Glob(filepath.Join(v.files, "*"))
	for _, dir := range old {
		if !needed[dir] {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(v.files, "")
}

// remove removes what is kept in files.
func (v *saves) remove() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.files == "" {
		return nil
	}
	return os.RemoveAll(v.files)
}

// saveSoon saves when the session has been idle for a moment.
func (s *Session) saveSoon() {
	s.saves.soon(func() {
		if s.executing.TryLock() {
			s.save(context.Background())
			s.executing.Unlock()
		}
	})
}

// saveIfLate saves before a cell if that was not done for long.
func (s *Session) saveIfLate(ctx context.Context) {
	if s.saves.late() {
		s.save(ctx)
	}
}

// keptBytes bounds what is kept in files. So does a quarter of the memory that the worker may still take, since writing takes
// some.
const keptBytes = 256 << 20

// saveWaiting saves while a cell that was interrupted goes on in a call: plain data again, and slices, matrices and tables
// that are too long for source in files, small ones first, of all variables that no cell that runs may use.
func (s *Session) saveWaiting(room uint64) {
	vars := s.front.variables()
	used := s.touched()
	var names []string
	for name, v := range vars {
		if !used[name] && (depend.PlainType(v.Type()) || depend.FileType(v.Type())) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	dir, err := s.newFiles()
	if err != nil {
		s.opts.Log.Warn("variables cannot be kept in files", "error", err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), savePatience)
	defer cancel()
	seen, err := s.worker.Look(ctx, &wire.Look{Cell: s.runs.current(), Names: names, Source: true, Keep: dir, Limit: int64(min(keptBytes, room/4))})
	if err != nil || !seen.OK {
		return
	}
	s.saves.add(s.savedValues(vars, seen.Items))
}

// savedValues are those of the items that have a text or a file, of variables whose types are still there. The others are left out.
func (s *Session) savedValues(vars map[string]*types.Var, items []wire.Item) (values map[string]depend.SavedValue, leftOut []string) {
	s.front.Lock()
	defer s.front.Unlock()
	values = map[string]depend.SavedValue{}
	for _, it := range items {
		names := append([]string{it.Name}, it.With...)
		var source *depend.SavedSource
		if it.Text != "" {
			source = &depend.SavedSource{Names: names, Text: it.Text}
		}
		for _, name := range names {
			v, ok := depend.NewSavedValue(s.front.scope, vars[name].Type())
			v.Source, v.File = source, it.File
			if ok && (source != nil || it.File != "") {
				values[name] = v
			} else {
				leftOut = append(leftOut, name)
			}
		}
	}
	return values, leftOut
}

// savePatience is how long saving while a cell goes on may take.
const savePatience = 9 * time.Second

// touched returns the names that cells that run may use.
func (s *Session) touched() map[string]bool {
	programs := s.runs.programs()
	s.front.Lock()
	defer s.front.Unlock()
	var stages []*check.Checked
	for _, prog := range programs {
		stages = append(stages, prog.stages()...)
	}
	return s.front.depends.Touches(stages)
}

// newFiles returns an empty directory for variables, and removes earlier ones that %replay does not need.
func (s *Session) newFiles() (dir string, err error) {
	s.front.Lock()
	defer s.front.Unlock()
	needed := map[string]bool{}
	for _, d := range s.front.replay.Data {
		needed[filepath.Dir(d.File)] = true
	}
	return s.saves.newFiles(needed)
}

// save asks the worker for plain data. The caller holds s.executing.
func (s *Session) save(ctx context.Context) {
	began := time.Now()
	vars := s.front.variables()
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
		texts, _ = s.savedValues(vars, seen.Items)
	}
	s.saves.set(texts, time.Since(began))
}

// bringBack makes declarations again that the session does not have, with saved values, and takes out of d what cannot be made.
func (s *Session) bringBack(ctx context.Context, c Cell, d *depend.Declarations) *wire.Error {
	again := Cell{ID: c.ID, Number: c.Number, Source: replaySource(d), Silent: true}
	for lines := s.mistaken(ctx, again); lines != nil && d.Drop(lines); lines = s.mistaken(ctx, again) {
		again.Source = replaySource(d)
	}
	if res := s.executeSource(ctx, again); res.Err != nil {
		return &wire.Error{Name: res.Err.Name, Value: "the session's declarations and data could not be restored: " + res.Err.Value}
	}
	var names, files []string
	for _, name := range slices.Sorted(maps.Keys(d.Data)) {
		if file := d.Data[name].File; file != "" {
			names, files = append(names, name), append(files, file)
		}
	}
	if len(files) > 0 {
		s.watch(ctx)
		seen, err := s.worker.Look(ctx, &wire.Look{Names: names, Files: files})
		for _, name := range names {
			if err != nil || !slices.ContainsFunc(seen.Items, func(it wire.Item) bool { return it.Name == name }) {
				d.Lose(name)
			}
		}
	}
	s.saves.add(d.Data, nil)
	return nil
}

// replaySource is a cell that makes declarations again. What values are written with comes last, so that lines are those of the
// declarations.
func replaySource(d *depend.Declarations) string { return d.Source() + wire.SourceImports }

// mistaken returns the lines at which a cell does not check, nil if it does.
func (s *Session) mistaken(ctx context.Context, c Cell) (lines []int) {
	x := s.begin(ctx, c, s.runs.take)
	defer x.end()
	problems, _ := x.compile(cell.Read(c.Source))
	x.close()
	for _, p := range problems {
		lines = append(lines, p.Pos.Line)
	}
	return lines
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
	failed.Traceback = append(failed.Traceback[:max(len(failed.Traceback)-1, 0)], said)
}
