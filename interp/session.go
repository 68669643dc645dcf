// Package interp runs Go cells: it splits, checks, completes and inspects them, keeps the names of a session, and has
// them run in a worker process. It knows nothing of Jupyter.
package interp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	"gaucho/interp/depend"
	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
)

// A Session is what cells share: names, imports, and the worker that holds their values. Execute runs one cell at a
// time, and those of subshells alongside it; everything else answers also while a cell runs.
type Session struct {
	opts   Options
	worker *supervisor.Process
	front  front
	// interprets is what Interprets returns.
	interprets string

	executing sync.Mutex // held by the cell that has its turn; guards the next two
	next      *string    // text that a magic puts into the cell
	formats   bool       // each cell as gofmt does

	gate         gate
	runs         runs
	comms        comms
	saves        saves
	variableView variableView
	ignored      sync.Once // the note on what is not used of a workspace and of vendored packages
}

// workerCommand is the program that a worker is; nil for this one. Tests under the race detector take one that was built
// without it.
var workerCommand []string

// Start starts a session and its worker.
func Start(ctx context.Context, opts Options) (*Session, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	// The compiler and the go command run in directories of their own.
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, fmt.Errorf("interp: the working directory of cells: %w", err)
	}
	opts.Dir = dir
	s := &Session{opts: opts, gate: newGate()}
	s.front.open(&s.opts)
	if opts.Worker == nil {
		opts.Worker = workerCommand
	}
	if err := s.chooseEngine(ctx); err != nil {
		return nil, err
	}
	w, err := supervisor.Start(supervisor.Options{
		Command: opts.Worker, Dir: opts.Dir, Env: opts.Env, MemoryLimit: opts.MemoryLimit, Log: opts.Log, Sink: workerSink{s}, Gone: s.closeComms, Waiting: s.saveWaiting,
		Stdin: opts.Stdin, Task: opts.Task, News: opts.News,
	})
	if err != nil {
		return nil, err
	}
	s.worker = w
	s.renew(nil)
	return s, nil
}

// Close ends the session, its worker, and everything that cells started.
func (s *Session) Close() error {
	return errors.Join(s.worker.Close(), s.front.kind.Close(), s.saves.remove())
}

// Interrupt stops the cells that run, and callbacks of comms that run, or that they wait for. Variables are kept.
func (s *Session) Interrupt() {
	s.interruptCallbacks(true)
	s.runs.interrupt()
}

// interruptCallbacks stops the callbacks that the cell that has its turn waits for. With wait, one that does not stop is waited for.
func (s *Session) interruptCallbacks(wait bool) {
	for _, id := range s.comms.before(s.runs.current()) {
		s.worker.Interrupt(id, wait)
	}
}

// renew begins anew with a worker in which no cell has run. saved is what %replay can bring back of variables.
func (s *Session) renew(saved map[string]depend.SavedValue) {
	s.front.Lock()
	defer s.front.Unlock()
	s.front.renew(s.worker.Generation(), saved)
}

// lose begins anew after the worker was lost, unless another cell that was lost with the same worker has done so.
func (s *Session) lose(e *wire.Error) {
	s.front.Lock()
	defer s.front.Unlock()
	if now := s.worker.Generation(); s.front.worker != now || e.Name == "WorkerError" {
		s.front.countFault(e)
		s.front.renew(now, s.saves.take())
	}
}
