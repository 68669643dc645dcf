package worker

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
)

// A server answers the kernel's requests.
type server struct {
	conn       *wire.Conn
	out        output
	engine     *yaegiEngine
	native     *natives
	runs       queue
	comms      comms
	ends       ends
	watch      watched
	benchmarks map[string]series         // by name
	divert     atomic.Pointer[diversion] // of output, while tests run

	mu      sync.Mutex
	numbers map[int]int // what the user calls a cell, by its number
	input   map[int]chan *wire.InputReply
	parts   map[int]chan *wire.Part // by the number of the cell that waits for its next part
	inputs  int
	shown   shownValues
	over    sync.Once
	task    func(task []byte, news func([]byte)) // takes what is asked of studies; may be nil
}

func newServer(conn *wire.Conn) *server {
	w := &server{conn: conn, numbers: map[int]int{}, input: map[int]chan *wire.InputReply{}, parts: map[int]chan *wire.Part{}}
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
			r := task{Run: m, cell: run.NewCell(m.Cell)}
			if m.Subshell || m.Shared {
				run.MayWake()
			}
			if m.Subshell {
				r.cell.Concurrent = true
				go w.runCell(r)
			} else {
				w.runs.add(r)
			}
		case *wire.Part:
			w.takePart(m)
		case *wire.Comm:
			w.comms.put(task{comm: m, cell: run.NewCell(m.Cell)})
		case *wire.Interrupt:
			run.Interrupt(m.Cell)
		case *wire.Look:
			if m.Keep != "" && m.Cell != 0 {
				go func() { w.out.send(w.watch.look(m)) }()
			} else if m.Cell != 0 {
				go w.lookWithin(m)
			} else {
				w.runs.add(task{look: m})
			}
		case *wire.InputReply:
			w.answer(m)
		case *wire.Task:
			if w.task != nil {
				w.task(m.Data, func(news []byte) { w.out.send(&wire.News{Data: news}) })
			}
		case *wire.UsageRequest:
			go w.conn.Send(usage())
		case *wire.Shutdown:
			return
		}
	}
}

// A task is a cell to run, a comm message and what follows from it, or a look at variables.
type task struct {
	*wire.Run
	comm   *wire.Comm
	follow func()
	look   *wire.Look
	cell   *run.Cell
}

// A queue holds what waits to be run. It has no bound, so that adding never waits.
type queue struct {
	mu    sync.Mutex
	some  sync.Cond
	items []task
	taken bool // a task that was taken runs
}

// add adds a task and reports whether another comes before it.
func (q *queue) add(r task) (busy bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	busy = q.taken || len(q.items) > 0
	q.items = append(q.items, r)
	q.some.Signal()
	return busy
}

// take returns the next task. The one before has been run.
func (q *queue) take() task {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken = false
	defer func() { q.taken = true }()
	for len(q.items) == 0 {
		q.some.Wait()
	}
	r := q.items[0]
	q.items = q.items[1:]
	return r
}

// runCells runs one cell after the other; those of subshells run concurrently.
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

// runCell runs a cell and reports how it ended.
func (w *server) runCell(r task) {
	done := w.run(r)
	if err := w.out.send(done); err != nil {
		done.Result, done.Metadata = nil, nil
		done.Error = &wire.Error{Name: "error", Value: fmt.Sprintf("the result cannot be sent: %v", err)}
		w.out.send(done)
	}
}

// Output, GoroutineFailed and Input make the server rt's host.

func (w *server) Output(cell, stream int, p []byte) {
	if d := w.divert.Load(); d != nil && d.cell == cell {
		d.to.Write(p)
		return
	}
	w.out.write(cell, stream, p)
}

func (w *server) GoroutineFailed(cell int, end run.Ending) {
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
	done := run.Done()
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
