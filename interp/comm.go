package interp

import (
	"maps"
	"slices"
	"sync"

	"gaucho/interp/wire"
)

// comms is what a session knows of its comms.
type comms struct {
	mu      sync.Mutex
	open    map[string]bool // by the comm's id
	handled map[int]bool    // numbers of the messages that the worker has not done with
}

// note takes note of a message of either side.
func (c *comms) note(typ, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch typ {
	case "open":
		if c.open == nil {
			c.open = map[string]bool{}
		}
		c.open[id] = true
	case "close":
		delete(c.open, id)
	}
}

// before returns the numbers of the messages that come before a cell: those that run, or for which it waits. For 0 these
// are all.
func (c *comms) before(cell int) (ids []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range c.handled {
		if cell == 0 || id < cell {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// handle notes that the worker has a message to handle, until end is called.
func (c *comms) handle(n int) (end func()) {
	return hold(&c.mu, &c.handled, n, true)
}

// close forgets all comms, and returns which were open.
func (c *comms) close() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := slices.Sorted(maps.Keys(c.open))
	c.open = nil
	return open
}

// Comm passes on a comm message from the front end. What its handlers show is addressed with cell, or with the cell that
// installed them. Comm does not wait: done is called when all that follows from the message is over, such as callbacks,
// which run between cells. While a cell or another callback runs, done is called as soon as the message is taken: the front end
// may then send the next one, and the running code sees what it says.
func (s *Session) Comm(cell string, c Comm, done func()) {
	id := s.runs.number(cell)
	s.comms.note(c.Type, c.ID)
	handled := s.comms.handle(id)
	waits, end, err := s.worker.SendComm(&wire.Comm{
		Cell: id, Type: c.Type, ID: c.ID, Target: c.Target, Data: c.Data, Metadata: c.Metadata, Buffers: c.Buffers,
	})
	go func() {
		done := sync.OnceFunc(done)
		if err != nil {
			s.opts.Log.Warn("a comm message was not delivered", "err", err)
		} else {
			select {
			case <-waits:
				done()
				<-end
			case <-end:
			}
		}
		s.variableView.change()
		handled()
		done()
	}()
}

// closeComms closes all comms of the front end, because the worker that had their other ends is gone.
func (s *Session) closeComms() {
	for _, id := range s.comms.close() {
		s.opts.Sink.Comm("", Comm{Type: "close", ID: id})
	}
}
