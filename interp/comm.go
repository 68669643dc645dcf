package interp

import (
	"maps"
	"slices"

	"gaucho/interp/wire"
)

// comms is what a session knows of its comms.
type comms struct {
	open    map[string]bool // by the comm's id
	handled map[int]bool    // numbers of the messages that the worker has not done with
}

// note takes note of a message of either side.
func (c *comms) note(typ, id string) {
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
	for id := range c.handled {
		if cell == 0 || id < cell {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// Comm passes on a comm message from the front end. What its handlers show is addressed with cell, or with the cell that
// installed them. Comm does not wait: done is called when all that follows from the message is over, such as callbacks,
// which run between cells.
func (s *Session) Comm(cell string, c Comm, done func()) {
	s.mu.Lock()
	id := int(s.cells.Add(1))
	s.ids[id] = cell
	s.comms.note(c.Type, c.ID)
	if s.comms.handled == nil {
		s.comms.handled = map[int]bool{}
	}
	s.comms.handled[id] = true
	s.mu.Unlock()
	end, err := s.worker.SendComm(&wire.Comm{
		Cell: id, Type: c.Type, ID: c.ID, Target: c.Target, Data: c.Data, Metadata: c.Metadata, Buffers: c.Buffers,
	})
	go func() {
		if err != nil {
			s.opts.Log.Warn("a comm message was not delivered", "err", err)
		} else {
			<-end
		}
		s.variableView.change()
		s.mu.Lock()
		delete(s.comms.handled, id)
		s.mu.Unlock()
		done()
	}()
}

// closeComms tells the front end that all comms are closed, because the worker that had their other ends is gone.
func (s *Session) closeComms() {
	s.mu.Lock()
	open := slices.Sorted(maps.Keys(s.comms.open))
	s.comms.open = nil
	s.mu.Unlock()
	for _, id := range open {
		s.opts.Sink.Comm("", Comm{Type: "close", ID: id})
	}
}
