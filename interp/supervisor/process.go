// Package supervisor is the kernel's handle on the process in which cells run. It starts, watches, interrupts and reaps that
// process, and starts another when it has died:
//
//	p, err := supervisor.Start(supervisor.Options{Sink: sink})
//	done, err := p.Run(ctx, &wire.Run{Cell: 1, Units: units}, nil)
//
// Four pipes join the two processes: two for messages (package wire), and the worker's standard output and standard error,
// whose reading ends the supervisor holds as well, to read what is left in them when the worker has died.
package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"gaucho/interp/wire"
)

// Options say how a worker is started. Only Sink is needed.
type Options struct {
	// Command is the program to run and its first arguments; empty for this program with the argument "worker".
	Command []string
	Dir     string   // working directory; empty for the current one
	Env     []string // is added to this process's environment
	// MemoryLimit is what a worker may use, in bytes: 0 for 80% of the machine's memory, the control group's or MEM_LIMIT, less
	// than 0 for no limit.
	MemoryLimit int64
	Stdin       *os.File // the worker's standard input; nil for an empty one
	Log         *slog.Logger
	Sink        Sink
	// Task, if not nil, is sent to each worker before any cell. News receives the worker's answers, between calls of the
	// sink's methods.
	Task []byte
	News func([]byte)
	// Gone, if not nil, is called when a worker has died, between calls of the sink's methods.
	Gone func()
	// Waiting, if not nil, is called when an interrupted cell goes on because it is in a call that cannot be interrupted. A second
	// interrupt waits for its end before it ends the worker, but not for long. room is how much memory the worker may still take.
	Waiting func(room uint64)
}

// A Sink receives what the cells of a worker send. Its methods are called in order, by one goroutine at a time; Input may
// be called while another method runs.
type Sink interface {
	Stream(cell int, name string, text string) // name is "stdout" or "stderr"
	Display(cell int, d *wire.Display)
	Clear(cell int, wait bool)
	Comm(c *wire.Comm)
	// Input asks the user for a line, until ctx ends. It returns an error when the cell may not ask.
	Input(ctx context.Context, cell int, prompt string, password bool) (string, error)
}

// interruptPatience is how long an interrupted cell may take to stop before something is done about it.
const interruptPatience = 2 * time.Second

// savePatience is how long a second interrupt waits for what Options.Waiting does.
const savePatience = 10 * time.Second

// ErrInterrupted is the cause of the end of a context by which a user stops a cell. The worker of a cell that does not stop is then
// ended only when the user interrupts it again; when a context ends for another reason, at once.
var ErrInterrupted = errors.New("interrupted")

// A Process is a worker process, and its successor when it dies. Its methods may be called from any goroutine; Run runs
// one cell at a time, save those that need not wait.
type Process struct {
	opts Options
	log  *slog.Logger
	out  *gather

	runMu sync.Mutex // held while a cell runs

	mu     sync.Mutex
	child  *child
	err    error       // why there is no child
	lost   *wire.Error // why the last worker ended; nil while there was one only
	gen    int
	closed bool
	failed int // workers in a row that ended as they started
}

// maxFailed is how many workers may end as they start before none is started until a cell is run.
const maxFailed = 3

// ErrClosed is what the methods of a closed Process return.
var ErrClosed = errors.New("worker: closed")

// Start starts a worker. It returns as soon as the process is on its way.
func Start(o Options) (*Process, error) {
	p := &Process{opts: o, log: o.Log}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.out = newGather(o.Sink)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spawn()
	return p, p.err
}

// spawn starts a child. The lock is held.
func (p *Process) spawn() {
	p.child, p.err = startChild(p)
	if p.err == nil {
		p.gen++
		if p.opts.Task != nil {
			p.child.conn.Send(&wire.Task{Data: p.opts.Task}) // or it is dying, and reap says so
		}
	}
}

// Generation counts the processes that have been the worker. It grows when a worker was replaced and the variables of
// its cells are gone.
func (p *Process) Generation() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gen
}

// PID returns the worker's process number, 0 if there is none.
func (p *Process) PID() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.child == nil {
		return 0
	}
	return p.child.cmd.Process.Pid
}

// A Feed follows a cell that runs, and has its further parts. Its methods are called by the goroutine that called Run.
type Feed interface {
	// Started is called when the part that the worker has got last has started.
	Started()
	// More returns the next part, or one that says why there is none. ctx ends with the cell.
	More(ctx context.Context) *wire.Part
}

// Run runs a cell and returns how it ended, after all of its output has reached the sink. The cell is interrupted when ctx
// ends. When the worker dies, the error in the answer says why, and that all variables are lost; a new worker is then
// ready. It is the same when the worker of generation r.Worker is gone already: then r was not run, for it was made for
// what is gone. feed may be nil for a cell of one part. The error is not nil if no worker can be started or p is closed.
func (p *Process) Run(ctx context.Context, r *wire.Run, feed Feed) (*wire.Done, error) {
	if !r.Subshell {
		p.runMu.Lock()
		defer p.runMu.Unlock()
	}
	if r.Program {
		p.out.bytes(r.Cell)
	}
	c, err := p.childFor(r.Worker)
	var d *wire.Done
	if err == nil {
		d, err = c.run(ctx, r, feed)
	}
	if err == errDied {
		return &wire.Done{Cell: r.Cell, Step: -1, Error: p.whyLost()}, nil
	}
	return d, err
}

// childFor returns the child of a generation, for a cell: one is started also where the last ones ended as they started. The
// error is errDied for a child that is gone.
func (p *Process) childFor(generation int) (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, err := p.anew()
	if err == nil && generation != p.gen {
		err = errDied
	}
	return c, err
}

// whyLost says why the worker before this one is gone.
func (p *Process) whyLost() *wire.Error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lost
}

// ready returns a child that takes requests. The lock is held.
func (p *Process) ready() (*child, error) {
	if p.closed {
		return nil, ErrClosed
	}
	if p.child == nil && p.failed < maxFailed {
		p.spawn()
	}
	return p.child, p.err
}

// anew returns a child as ready does, and has the next failures counted from none where there is no child. The lock is held.
func (p *Process) anew() (*child, error) {
	if p.child == nil {
		p.failed = 0
	}
	return p.ready()
}

// Interrupt stops a cell if it runs. If it does not stop, its worker is ended, with wait only by another Interrupt. Cells that
// have ended are interrupted too: the goroutines that they left behind end.
func (p *Process) Interrupt(cell int, wait bool) {
	p.mu.Lock()
	c := p.child
	p.mu.Unlock()
	if c != nil {
		c.interrupt(cell, wait)
	}
}

// SendComm sends a comm message to the worker. waits receives something if the message is taken and code that follows from it waits for
// other code, and end the end of all that followed: of that code, which runs between cells, or of the worker.
func (p *Process) SendComm(m *wire.Comm) (waits <-chan wire.Message, end <-chan *wire.Done, err error) {
	p.mu.Lock()
	c, err := p.ready()
	p.mu.Unlock()
	if err != nil {
		return nil, nil, err
	}
	return c.comm(m)
}

// Usage asks the worker what it uses. It answers also while a cell runs.
func (p *Process) Usage(ctx context.Context) (*wire.Usage, error) {
	p.mu.Lock()
	c, err := p.ready()
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.usage(ctx)
}

// Look asks the worker what variables hold. It answers also while a cell runs.
func (p *Process) Look(ctx context.Context, m *wire.Look) (*wire.Seen, error) {
	p.mu.Lock()
	c, err := p.ready()
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.look(ctx, m)
}

// Restart ends the worker and starts a new one. A cell that runs ends with an error that says so.
func (p *Process) Restart() error {
	p.mu.Lock()
	c := p.child
	p.mu.Unlock()
	if c != nil {
		c.kill("Restart", "the session was started anew")
		<-c.dead
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.anew()
	return err
}

// Become starts another program as the worker, in place of the one that runs.
func (p *Process) Become(command []string) error {
	p.mu.Lock()
	p.opts.Command = command
	p.mu.Unlock()
	return p.Restart()
}

// Close ends the worker and everything that its cells started.
func (p *Process) Close() error {
	p.mu.Lock()
	p.closed = true
	c := p.child
	p.mu.Unlock()
	if c != nil {
		c.kill("Shutdown", "the session ended")
		<-c.dead
	}
	return nil
}

// died takes note of a child's death and starts its successor, unless one after the other ended as it started: the next
// would end so too. early says that c has done so.
func (p *Process) died(c *child, why *wire.Error, running, early bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.child != c {
		return
	}
	p.child, p.err, p.lost = nil, nil, why
	if p.closed {
		return
	}
	p.log.Warn("worker died", "why", why.Value, "running", running)
	if !early {
		p.failed = 0
	} else if p.failed++; p.failed >= maxFailed {
		why.Value += fmt.Sprintf("; %d workers ended so as they started, and the next is started when a cell is run", p.failed)
		p.err = fmt.Errorf("worker: %s", why.Value)
		p.log.Error("workers end as they start", "why", why.Value)
		return
	}
	p.spawn()
}
