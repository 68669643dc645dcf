package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// A child is one worker process as the kernel sees it.
type child struct {
	p     *Process
	cmd   *exec.Cmd
	conn  *wire.Conn
	limit uint64
	whose string      // limit it is
	raw   [2]*os.File // reading ends of the worker's standard output and error
	dead  chan struct{}
	group *processGroup

	mu        sync.Mutex
	running   *running
	others    map[int]*running // comm messages that are not done with, and cells of subshells
	last      int              // the cell that runs, or else the last
	words     []byte           // what may be the worker's last words
	wordsCell int
	wordsAt   time.Time
	killed    *wire.Error // why we killed it
	muted     *wire.Error // why we killed it when its messages had ended, as they also do when it ends by itself
	usages    []chan *wire.Usage
	looks     map[int]chan *wire.Seen
	looked    int
	greeted   bool // it was ready for requests
	ended     bool
	cut       bool // killed while it said its last words

	rest    []byte    // of standard error, taken in watch's goroutine
	lastRaw [2][]byte // the last piece of each raw stream, taken in receive's goroutine
}

// running is a cell that a worker runs, or a comm message that it handles.
type running struct {
	cell     int
	subshell bool              // a cell of a subshell, which runs alongside the one that has the turn
	done     chan *wire.Done   // buffered
	asks     chan wire.Message // Started and More; buffered
	ctx      context.Context
	cancel   context.CancelFunc
	timer    *time.Timer   // of an interrupt's patience
	wait     bool          // a cell that does not stop goes on; else its worker is ended
	warned   bool          // the user knows that it goes on
	saved    chan struct{} // is closed when Options.Waiting has returned; of a cell that goes on
}

func newRunning(cell int) *running {
	// A part is followed by at most one of each, and the next comes in answer to the second.
	r := &running{cell: cell, done: make(chan *wire.Done, 1), asks: make(chan wire.Message, 2)}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// reap fails the runs that are under way and reports the cause of death, after the process has exited and its messages are
// drained.
func (c *child) reap(waitErr error) {
	c.mu.Lock()
	cell, r, killed, others := c.last, c.running, c.killed, c.others
	if killed == nil && wasKilled(c.cmd.ProcessState) {
		killed = c.muted
	}
	early := !c.greeted && killed == nil
	c.running, c.others, c.ended = nil, nil, true
	c.mu.Unlock()
	c.p.out.add(cell, wire.Stdout, c.unsent(0, readRest(c.raw[0])))
	rest := c.unsent(1, slices.Concat(c.rest, readRest(c.raw[1])))
	stderr, crash := slices.Concat(c.words, rest), []byte(nil)
	if at := pipe.LastWords(stderr); at >= 0 && (c.cut || c.cmd.ProcessState.ExitCode() == 2) {
		stderr, crash = stderr[:at], stderr[at:]
	}
	c.p.out.add(cell, wire.Stderr, stderr)
	c.p.out.end(cell)

	why := causeOfDeath(killed, crash, c.cmd.ProcessState)
	c.p.log.Debug("worker ended", "state", c.cmd.ProcessState, "err", waitErr, "crash", string(crash))
	running := r != nil
	for _, o := range others {
		running = running || o.subshell
	}
	c.p.died(c, why, running, early)
	if gone := c.p.opts.Gone; gone != nil {
		c.p.out.do(func(Sink) { gone() })
	}
	close(c.dead)
	if r != nil {
		r.finish(&wire.Done{Cell: r.cell, Error: why})
	}
	for _, r := range others {
		r.finish(&wire.Done{Cell: r.cell, Error: why})
	}
}

// errDied says that the worker died before it took the request.
var errDied = errors.New("worker: died")

// run runs a cell. It is interrupted when ctx ends.
func (c *child) run(ctx context.Context, m *wire.Run, feed Feed) (*wire.Done, error) {
	r := newRunning(m.Cell)
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		<-c.dead
		return nil, errDied
	}
	if r.subshell = m.Subshell; r.subshell {
		c.others[m.Cell] = r
	} else {
		c.running, c.last = r, m.Cell
	}
	c.mu.Unlock()
	if err := c.conn.Send(m); err != nil {
		if _, ok := err.(*wire.EncodeError); ok {
			c.take(m.Cell)
			return nil, err
		}
		// Otherwise the worker is dying, and reap answers.
	}
	defer context.AfterFunc(ctx, func() { c.interrupt(m.Cell, context.Cause(ctx) == ErrInterrupted) })()
	for {
		select {
		case d := <-r.done:
			return d, nil
		case ask := <-r.asks:
			switch _, started := ask.(*wire.Started); {
			case feed == nil:
			case started:
				feed.Started()
			default:
				c.sendPart(feed.More(r.ctx))
			}
		}
	}
}

// sendPart sends the next part of a cell. When the worker is dying, reap answers.
func (c *child) sendPart(p *wire.Part) {
	if err, ok := c.conn.Send(p).(*wire.EncodeError); ok {
		c.conn.Send(&wire.Part{Cell: p.Cell, Error: &wire.Error{Name: "InternalError", Value: err.Error()}})
	}
}

// asked takes note of what the worker says of a cell that runs, or asks for it.
func (c *child) asked(cell int, m wire.Message) {
	c.mu.Lock()
	r := c.find(cell)
	c.mu.Unlock()
	if r == nil {
		return
	}
	select {
	case r.asks <- m:
	default: // no worker of ours sends so many
	}
}

// comm sends a comm message and returns what receives that it waits, and the end of all that followed from it.
func (c *child) comm(m *wire.Comm) (waits <-chan wire.Message, end <-chan *wire.Done, err error) {
	r := newRunning(m.Cell)
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return nil, nil, errDied
	}
	c.others[m.Cell] = r
	c.mu.Unlock()
	if err := c.conn.Send(m); err != nil {
		c.mu.Lock()
		delete(c.others, m.Cell)
		c.mu.Unlock()
		return nil, nil, err
	}
	return r.asks, r.done, nil
}

// take returns the run of a cell that is over.
func (c *child) take(cell int) *running {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.find(cell)
	delete(c.others, cell)
	if c.running == r {
		c.running = nil
	}
	return r
}

// find returns the run of a cell, nil for none. The lock is held.
func (c *child) find(cell int) *running {
	if r := c.others[cell]; r != nil {
		return r
	}
	if r := c.running; r != nil && r.cell == cell {
		return r
	}
	return nil
}

// finish ends a cell's run.
func (r *running) finish(d *wire.Done) {
	r.cancel()
	if r.timer != nil {
		r.timer.Stop()
	}
	r.done <- d
}

// After aloneAtMost pieces of output that came by themselves, more is taken after a pause.
const (
	aloneAtMost  = 8
	receivePause = 50 * time.Microsecond
)

// receive takes the worker's messages until there are no more. A worker that cannot be understood any more is ended, and
// so is one that closed its end and does not end itself.
func (c *child) receive(end chan<- struct{}) {
	defer close(end)
	alone := 0 // pieces of output in a row that came by themselves
	for {
		// A cell that prints line by line is cheaper to follow by looking from time to time than by waking up for each.
		switch {
		case c.conn.Buffered() > 0:
			alone = 0
		case alone > aloneAtMost:
			time.Sleep(receivePause)
		}
		m, err := c.conn.Receive()
		if _, output := m.(*wire.Output); output {
			alone++
		} else {
			alone = 0
		}
		switch {
		case err == io.EOF, err == io.ErrUnexpectedEOF:
			time.AfterFunc(interruptPatience, func() { c.mute("were closed") })
			return
		case err != nil:
			c.p.log.Warn("worker's messages cannot be read", "err", err)
			c.mute("became unreadable")
			return
		}
		c.handle(m)
	}
}

// mute ends a worker whose messages do not come any more. One that ends by itself at that moment keeps its own cause of death:
// on a machine that stood still meanwhile, the patience of those who wait for its end is over before the end is seen.
func (c *child) mute(how string) {
	c.mu.Lock()
	ended := c.ended
	c.muted = &wire.Error{Name: "Killed", Value: "the worker's messages to the kernel " + how + ", as when a cell writes to files that it did not open or closes them, and the worker was replaced"}
	c.mu.Unlock()
	if !ended {
		c.group.kill()
	}
}

func (c *child) handle(m wire.Message) {
	out := c.p.out
	switch m := m.(type) {
	case *wire.Ready:
		c.mu.Lock()
		c.greeted = true
		c.mu.Unlock()
	case *wire.Output:
		c.output(m)
	case *wire.Display:
		out.do(func(s Sink) { s.Display(m.Cell, m) })
	case *wire.Clear:
		out.do(func(s Sink) { s.Clear(m.Cell, m.Wait) })
	case *wire.News:
		if take := c.p.opts.News; take != nil {
			out.do(func(Sink) { take(m.Data) })
		}
	case *wire.Comm:
		out.do(func(s Sink) { s.Comm(m) })
	case *wire.InputRequest:
		out.flush()
		go c.ask(m)
	case *wire.Started:
		c.asked(m.Cell, m)
	case *wire.More:
		c.asked(m.Cell, m)
	case *wire.Done:
		c.release()
		out.end(m.Cell)
		if r := c.take(m.Cell); r != nil {
			r.finish(m)
		}
	case *wire.Usage:
		c.release()
		c.mu.Lock()
		usages := c.usages
		c.usages = nil
		c.mu.Unlock()
		for _, u := range usages {
			u <- m
		}
	case *wire.Seen:
		c.mu.Lock()
		seen := c.looks[m.ID]
		delete(c.looks, m.ID)
		c.mu.Unlock()
		if seen != nil {
			seen <- m
		}
	case *wire.OverMemory:
		c.tooMuch(m.Used)
	}
}

// ask asks the user for a line and sends it to the worker.
func (c *child) ask(m *wire.InputRequest) {
	ctx := context.Background()
	c.mu.Lock()
	if r := c.others[m.Cell]; r != nil && r.subshell {
		ctx = r.ctx
	} else if c.running != nil {
		ctx = c.running.ctx
	}
	c.mu.Unlock()
	text, err := c.p.opts.Sink.Input(ctx, m.Cell, m.Prompt, m.Password)
	reply := &wire.InputReply{ID: m.ID, Text: text}
	if err != nil {
		reply.Error = err.Error()
	}
	c.conn.Send(reply)
}

func (c *child) usage(ctx context.Context) (*wire.Usage, error) {
	u := make(chan *wire.Usage, 1)
	c.mu.Lock()
	c.usages = append(c.usages, u)
	c.mu.Unlock()
	if err := c.conn.Send(&wire.UsageRequest{}); err != nil {
		return nil, err
	}
	select {
	case m := <-u:
		return m, nil
	case <-c.dead:
		return nil, errDied
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// look asks the worker what variables hold.
func (c *child) look(ctx context.Context, m *wire.Look) (*wire.Seen, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	seen := make(chan *wire.Seen, 1)
	c.mu.Lock()
	if c.looks == nil {
		c.looks = map[int]chan *wire.Seen{}
	}
	c.looked++
	m.ID = c.looked
	c.looks[m.ID] = seen
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.looks, m.ID)
		c.mu.Unlock()
	}()
	if err := c.conn.Send(m); err != nil {
		return nil, err
	}
	select {
	case s := <-seen:
		return s, nil
	case <-c.dead:
		return nil, errDied
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// interrupt asks the worker to stop a cell. If it does not stop within interruptPatience, the worker is ended, or, with wait,
// a note says that the cell goes on until its call returns, and the next interrupt ends the worker.
func (c *child) interrupt(cell int, wait bool) {
	c.mu.Lock()
	end := false
	r := c.find(cell)
	if r != nil {
		if r.timer == nil {
			r.wait = wait
			r.timer = time.AfterFunc(interruptPatience, func() { c.impatient(r) })
		} else {
			r.wait = r.wait && wait
			end = r.warned
		}
	}
	c.mu.Unlock()
	if end {
		go func() {
			select {
			case <-r.saved:
			case <-time.After(savePatience):
			}
			if c.runs(r) { // it may have ended meanwhile
				c.replaced()
			}
		}()
		return
	}
	c.group.resume()
	c.conn.Send(&wire.Interrupt{Cell: cell})
}

// room is how much memory the worker may still take, in bytes.
func (c *child) room() uint64 {
	if c.limit == 0 {
		return math.MaxUint64
	}
	return c.limit - min(residentMemory(c.cmd.Process.Pid), c.limit)
}

// runs reports whether a cell has not ended.
func (c *child) runs(r *running) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.running == r || c.others[r.cell] == r
}

// impatient ends the worker if the cell still runs, or says that it does.
func (c *child) impatient(r *running) {
	late := c.runs(r)
	c.mu.Lock()
	r.warned = late && r.wait
	wait := r.wait
	if r.warned {
		r.saved = make(chan struct{})
	}
	c.mu.Unlock()
	switch {
	case !late:
	case wait:
		go func() {
			defer close(r.saved)
			if c.p.opts.Waiting != nil {
				c.p.opts.Waiting(c.room())
			}
		}()
		c.p.out.add(r.cell, wire.Stderr, []byte("The cell is in a call that cannot be interrupted and will stop when the call returns. "+
			"Interrupt again to end its worker now: saved variables are then restored, and all others are lost.\n"))
	default:
		c.replaced()
	}
}

// replaced ends a worker whose cell does not stop.
func (c *child) replaced() {
	c.kill("Interrupt", "the cell did not stop, so its worker was replaced")
}

// kill ends the worker and says why.
func (c *child) kill(name, why string) {
	c.mu.Lock()
	if c.killed == nil {
		c.killed = &wire.Error{Name: name, Value: why}
	}
	c.mu.Unlock()
	c.group.kill()
}

// tooMuch ends a worker that uses too much memory.
func (c *child) tooMuch(used uint64) {
	c.p.log.Debug("too much memory", "used", used)
	c.kill("out of memory", fmt.Sprintf("the worker used more than its memory limit of %s (%s)", bytesText(c.limit), c.whose))
}

// watch looks at the worker's memory until it ends. It also takes from standard error when the worker does not: a
// process that crashes pauses while it writes its last words, and a pipe that is full would keep it so.
func (c *child) watch(ended <-chan struct{}) {
	t := time.NewTicker(50 * time.Millisecond)
	defer t.Stop()
	for n, full := 0, 0; ; n++ {
		select {
		case <-ended:
			return
		case <-t.C:
		}
		c.mu.Lock()
		idle := c.running == nil && len(c.others) == 0
		c.mu.Unlock()
		if idle && n%20 != 0 {
			continue
		}
		if pipeHolds(c.raw[1]) < 32<<10 {
			full = 0
		} else if full++; full > 4 {
			c.rest = append(c.rest, readRest(c.raw[1])...)
		}
		if c.limit == 0 {
			continue
		}
		if used := residentMemory(c.cmd.Process.Pid); used > c.limit {
			c.tooMuch(used)
			return
		}
	}
}
