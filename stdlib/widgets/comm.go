package widgets

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
)

// A Comm is a line to a part of the front end other than the standard widgets, such as an extension of one's own. Both
// sides send messages over it, of JSON and of binary buffers. All of its methods may be called from any goroutine.
type Comm struct {
	id, target string
	open       bool
	messages   []func(data map[string]any, buffers [][]byte)
	closes     []func()
	cell       int
}

var errNoNotebook = errors.New("widgets: there is no notebook to talk to")

// OpenComm opens a comm to what the front end has registered under a target's name.
func OpenComm(target string, data map[string]any, buffers ...[]byte) (*Comm, error) {
	hub.Lock()
	defer hub.Unlock()
	if !connect() {
		return nil, errNoNotebook
	}
	var id [16]byte
	rand.Read(id[:])
	c := &Comm{id: hex.EncodeToString(id[:]), target: target, open: true, cell: hub.host.Cell()}
	hub.comms[c.id] = c
	if err := hub.host.SendComm("open", c.id, target, orEmpty(data), nil, buffers); err != nil {
		delete(hub.comms, c.id)
		return nil, fmt.Errorf("widgets: %w", err)
	}
	return c, nil
}

// OnOpen calls f when the front end opens a comm to a target of that name; a nil f lets none be opened.
func OnOpen(target string, f func(c *Comm, data map[string]any, buffers [][]byte)) error {
	hub.Lock()
	defer hub.Unlock()
	if !connect() {
		return errNoNotebook
	}
	if hub.targets == nil {
		hub.targets = map[string]func(*Comm, map[string]any, [][]byte){}
	}
	if f == nil {
		delete(hub.targets, target)
		return nil
	}
	at := hub.host.Cell()
	hub.targets[target] = func(c *Comm, data map[string]any, buffers [][]byte) {
		hub.host.Callback(at, func() { f(c, data, buffers) })
	}
	return nil
}

// Target returns the name under which the comm was opened.
func (c *Comm) Target() string { return c.target }

// Send sends a message, of values that encoding/json can write, and binary data.
func (c *Comm) Send(data map[string]any, buffers ...[]byte) error {
	hub.Lock()
	defer hub.Unlock()
	if !c.open {
		return fmt.Errorf("widgets: the comm to %s is closed", c.target)
	}
	return hub.host.SendComm("msg", c.id, "", orEmpty(data), nil, buffers)
}

// OnMessage calls f with each message of the front end.
func (c *Comm) OnMessage(f func(data map[string]any, buffers [][]byte)) {
	hub.Lock()
	defer hub.Unlock()
	c.cell = cell()
	c.messages = append(c.messages, f)
}

// OnClose calls f when the front end closes the comm.
func (c *Comm) OnClose(f func()) {
	hub.Lock()
	defer hub.Unlock()
	c.closes = append(c.closes, f)
}

// Close closes the comm.
func (c *Comm) Close() {
	hub.Lock()
	defer hub.Unlock()
	if c.open {
		hub.host.SendComm("close", c.id, "", map[string]any{}, nil, nil)
		delete(hub.comms, c.id)
	}
	c.open = false
}

// acceptComm takes a comm that the front end opens. The lock is held.
func acceptComm(id, target string, data map[string]any, buffers [][]byte) []call {
	c := &Comm{id: id, target: target, open: true}
	hub.comms[id] = c
	f := hub.targets[target]
	return []call{{f: func() { f(c, data, buffers) }}}
}

// receive takes a message of the front end. The lock is held.
func (c *Comm) receive(typ string, data map[string]any, buffers [][]byte) (calls []call) {
	if typ == "close" {
		c.open = false
		delete(hub.comms, c.id)
		for _, f := range c.closes {
			calls = append(calls, call{cell: c.cell, f: f})
		}
		return calls
	}
	// What is installed by now is called, also by a callback that is still to come: the one that accepts the comm.
	return []call{{cell: c.cell, f: func() {
		hub.Lock()
		list := c.messages
		hub.Unlock()
		for _, f := range list {
			f(data, buffers)
		}
	}}}
}

func orEmpty(data map[string]any) map[string]any {
	if data == nil {
		return map[string]any{}
	}
	return data
}
