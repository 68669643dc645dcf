package kernel

import (
	"encoding/json"
	"errors"
	"sync"

	"gaucho/interp/api"
)

// comms knows which comms are open, whichever side opened them.
type comms struct {
	mu      sync.Mutex
	targets map[string]string // by the comm's id
}

func (c *comms) note(m api.Comm) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m.Type {
	case "open":
		if c.targets == nil {
			c.targets = map[string]string{}
		}
		c.targets[m.ID] = m.Target
	case "close":
		delete(c.targets, m.ID)
	}
}

func (c *comms) knows(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.targets[id]
	return ok
}

// commInfo answers which comms are open, all or those of one target.
func (c *channel) commInfo(r *request) (object, error) {
	var q struct {
		Target *string `json:"target_name"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	found := object{}
	open := &c.k.comms
	open.mu.Lock()
	defer open.mu.Unlock()
	for id, target := range open.targets {
		if q.Target == nil || *q.Target == "" || *q.Target == target {
			found[id] = object{"target_name": target}
		}
	}
	return object{"status": "ok", "comms": found}, nil
}

// comm hands a message of a comm to the session, between busy and idle: a front end takes the idle for the sign that
// it may send the next one, so idle is said when all that followed from the message is done, or at once while a cell runs, which
// sees what the next one says. One for a comm that is not open is dropped, as by other kernels.
func (c *channel) comm(r *request) {
	p := r.asParent(false)
	c.k.busy.begin(p, true)
	handed := false
	defer func() {
		if !handed {
			c.k.busy.end(p)
		}
	}()
	m, err := readComm(r)
	if err != nil {
		c.k.log.Warn("kernel: message dropped", "err", err)
		return
	}
	if m.Type != "open" && !c.k.comms.knows(m.ID) {
		c.k.log.Info("kernel: message of a comm that is not open", "type", r.Type)
		return
	}
	session, err := c.k.session.get()
	if err != nil {
		c.k.iopub.send(p, message{kind: "comm_close", content: object{"comm_id": m.ID, "data": object{}}})
		return
	}
	c.k.parents.comm(p)
	c.k.comms.note(m)
	handed = true
	c.k.parents.handle(p)
	session.Comm(p.id, m, func() {
		c.k.busy.end(p)
		c.k.parents.handled(p)
	})
}

func readComm(r *request) (api.Comm, error) {
	var q struct {
		ID     string         `json:"comm_id"`
		Target string         `json:"target_name"`
		Data   map[string]any `json:"data"`
	}
	if err := r.decode(&q); err != nil {
		return api.Comm{}, err
	}
	if q.ID == "" {
		return api.Comm{}, errors.New(r.Type + " without comm_id")
	}
	m := api.Comm{Type: r.Type[len("comm_"):], ID: q.ID, Target: q.Target, Data: q.Data, Buffers: r.buffers}
	return m, json.Unmarshal(r.metadata, &m.Metadata)
}
