package worker

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"

	"gaucho/interp/loader"
	"gaucho/interp/rt"
	"gaucho/interp/wire"
)

// A server answers the kernel's requests.
type server struct {
	conn       *wire.Conn
	out        output
	engine     *yaegiEngine
	native     *natives
	runs       queue
	loads      loads
	comms      comms
	watch      watched
	benchmarks map[string]series         // by name
	divert     atomic.Pointer[diversion] // of output, while tests run

	mu      sync.Mutex
	numbers map[int]int // what the user calls a cell, by its number
	input   map[int]chan *wire.InputReply
	inputs  int
	over    sync.Once
}

func newServer(conn *wire.Conn) *server {
	w := &server{conn: conn, numbers: map[int]int{}, input: map[int]chan *wire.InputReply{}}
	w.out.conn = conn
	w.runs.some.L = &w.runs.mu
	w.comms.some.L = &w.comms.mu
	w.engine = newYaegi()
	w.native = newNatives()
	tellStudies("yaegi")
	return w
}

// serve answers requests until the kernel says goodbye or is gone. It never waits for anything else, so that an
// interrupt always gets through.
func (w *server) serve() {
	w.conn.Send(&wire.Ready{PID: os.Getpid()})
	go w.runCells()
	go w.takeComms()
	for {
		m, err := w.conn.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *wire.Run:
			r := run{Run: m, cell: rt.NewCell(m.Cell), loaded: w.loads.begin()}
			if m.Beside || m.Shared {
				rt.MayWake()
			}
			if m.Beside {
				r.cell.Beside = true
				go w.runCell(r)
			} else {
				w.runs.add(r)
			}
		case *wire.Comm:
			w.comms.put(run{comm: m, cell: rt.NewCell(m.Cell)})
		case *wire.Interrupt:
			rt.Interrupt(m.Cell)
		case *wire.Look:
			switch {
			case m.Loaded:
				go func(before []chan struct{}) {
					for _, loaded := range before {
						<-loaded
					}
					w.conn.Send(&wire.Seen{ID: m.ID, OK: true})
				}(w.loads.list())
			case m.Cell != 0:
				go w.lookWithin(m)
			default:
				w.runs.add(run{look: m})
			}
		case *wire.InputReply:
			w.answer(m)
		case *wire.UsageRequest:
			go w.conn.Send(usage())
		case *wire.Shutdown:
			return
		}
	}
}

// A run is a cell to run, a comm message and what follows from it, or a look at variables.
type run struct {
	*wire.Run
	comm   *wire.Comm
	follow func()
	look   *wire.Look
	cell   *rt.Cell
	loaded func() // to be called when the last of its units is loaded; more than once is no harm
}

// loads knows the cells of which not all code is loaded.
type loads struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool // closed when it is
}

// begin notes a cell, until the function that it returns is called.
func (l *loads) begin() (loaded func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[chan struct{}]bool{}
	}
	c := make(chan struct{})
	l.waiting[c] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.waiting[c] {
			delete(l.waiting, c)
			close(c)
		}
	}
}

// list returns what is closed when the cells are loaded that came until now.
func (l *loads) list() []chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Keys(l.waiting))
}

// A queue holds what waits to be run. It has no bound, so that adding never waits.
type queue struct {
	mu    sync.Mutex
	some  sync.Cond
	items []run
}

func (q *queue) add(r run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, r)
	q.some.Signal()
}

func (q *queue) take() run {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.some.Wait()
	}
	r := q.items[0]
	q.items = q.items[1:]
	return r
}

// runCells runs one cell after the other; those of subshells run beside.
func (w *server) runCells() {
	for {
		r := w.runs.take()
		if r.look != nil {
			w.out.send(w.watch.look(r.look))
			continue
		}
		if r.comm != nil {
			w.comm(r)
			continue
		}
		w.runCell(r)
	}
}

// runCell runs a cell and tells how it ended.
func (w *server) runCell(r run) {
	done := w.run(r)
	if err := w.out.send(done); err != nil {
		done.Result, done.Metadata = nil, nil
		done.Error = &wire.Error{Name: "error", Value: fmt.Sprintf("the result cannot be sent: %v", err)}
		w.out.send(done)
	}
}

func (w *server) run(r run) *wire.Done {
	w.mu.Lock()
	w.numbers[r.Cell] = r.Number
	w.mu.Unlock()
	if r.Sources != nil {
		sources.Store(&r.Sources)
	}
	cell := r.cell
	if !r.Beside {
		w.out.setCell(r.Cell)
	}
	defer r.loaded()
	done := &wire.Done{Cell: r.Cell}
	var values []any
	var show bool
	var failed error
	var tested *wire.Error
	var prof *profile
	var capture *capturing
	cell.Program = r.Program
	end := cell.Run(func() {
		if failed = w.engine.define(r.Types); failed != nil {
			return
		}
		cell.Deferring(func() {
			for i := range r.Units {
				done.Unit = i
				cell.Steps()
				entry, err := w.load(&r.Units[i])
				if err != nil {
					failed = err
					return
				}
				if i == len(r.Units)-1 {
					r.loaded()
				}
				if prof != nil {
					prof.lines.Part(r.Units[i].Lines)
				}
				if entry != nil {
					entry()
				}
				switch u := &r.Units[i]; u.Builtin {
				case "benched":
					if err := w.benched(u.Text, values); err != nil {
						panic(err)
					}
					values, show = nil, false
				case "capture":
					capture = w.startCapture(r.Cell)
					defer func() { // of a cell that fails
						if capture != nil {
							capture.stop("")
						}
					}()
				case "captured":
					c := capture
					capture = nil
					if err := c.stop(u.Text); err != nil {
						panic(err)
					}
					values, show = nil, false
				case "prof":
					p, err := startProfile(u.Text)
					if err != nil {
						panic(err)
					}
					prof = p
					defer func() { // of a cell that fails
						if prof != nil {
							prof.stop(r.Cell)
						}
					}()
				case "profiled":
					p := prof
					prof = nil
					if err := p.stop(r.Cell); err != nil {
						panic(err)
					}
				case "ps":
					if err := w.ps(u.Text); err != nil {
						panic(err)
					}
				}
				if r.Units[i].Show {
					values, show = cell.TakeResult(), true
				}
				if n := len(values) - 1; r.Units[i].Fails && n >= 0 {
					if values[n] != nil {
						panic(values[n])
					}
					values = values[:n]
				}
			}
			done.Unit = len(r.Units)
		})
		if failed != nil || done.Unit < len(r.Units) {
			return
		}
		if r.Tests != nil {
			tested = w.test(r.Cell, r.Tests, values)
			show = false
		}
		if r.Pointers != nil {
			values = w.native.pointersTo(r.Pointers)
		}
		if r.Watch != nil {
			w.watch.add(r.Watch, values)
			show = false
		}
		if show {
			done.Result, done.Metadata = render(values)
		}
	})
	if done.Unit < len(r.Units) {
		done.Step = cell.Steps()
	}
	if failed != nil {
		done.Step = -1
	}
	done.Error = w.failure(end)
	if done.Error == nil {
		done.Error = tested
	}
	if done.Error == nil && failed != nil {
		done.Error = &wire.Error{Name: "InternalError", Value: failed.Error()}
		if missing := (*loader.MissingError)(nil); errors.As(failed, &missing) {
			done.Error.Name = "LoadError"
		}
	}
	return done
}

// load makes a unit ready to run, in the engine that it is for.
func (w *server) load(u *wire.Unit) (entry func(), err error) {
	if u.Package != "" {
		tellStudies("native")
		return w.native.load(u)
	}
	return w.engine.load(u)
}

// Output, GoroutineFailed and Input make the server rt's host.

func (w *server) Output(cell, stream int, p []byte) {
	if d := w.divert.Load(); d != nil && d.cell == cell {
		d.to.Write(p)
		return
	}
	w.out.write(cell, stream, p)
}

func (w *server) GoroutineFailed(cell int, end rt.Ending) {
	w.out.write(cell, wire.Stderr, []byte(w.failureText("a goroutine ended", w.failure(end))))
}

func (w *server) Input(cell int, prompt string, password bool) (string, error) {
	w.mu.Lock()
	w.inputs++
	id := w.inputs
	reply := make(chan *wire.InputReply, 1)
	w.input[id] = reply
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.input, id)
		w.mu.Unlock()
	}()
	done := rt.Done()
	if err := w.out.send(&wire.InputRequest{Cell: cell, ID: id, Prompt: prompt, Password: password}); err != nil {
		return "", err
	}
	select {
	case m := <-reply:
		if m.Error != "" {
			return "", fmt.Errorf("input: %s", m.Error)
		}
		return m.Text, nil
	case <-done:
		return "", io.EOF
	}
}

func (w *server) answer(m *wire.InputReply) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if reply := w.input[m.ID]; reply != nil {
		delete(w.input, m.ID)
		reply <- m
	}
}

func (w *server) overMemory(used, limit uint64) {
	w.over.Do(func() { w.conn.Send(&wire.OverMemory{Used: used, Limit: limit}) })
}

func usage() *wire.Usage {
	s := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(s)
	return &wire.Usage{
		Heap:       s[0].Value.Uint64(),
		Total:      s[1].Value.Uint64() - s[2].Value.Uint64(),
		Stacks:     s[3].Value.Uint64(),
		Goroutines: runtime.NumGoroutine(),
		GC:         uint32(s[4].Value.Uint64()),
	}
}
