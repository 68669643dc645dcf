package kernel

import (
	"encoding/json"
	"errors"
	"sync"

	"gaucho/interp"
)

// comms knows which comms are open, whichever side opened them.
type comms struct {
	mu      sync.Mutex
	targets map[string]string // by the comm's id
}

func (c *comms) note(m interp.Comm) {
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

// comm hands a message of a comm to the session. One for a comm that is not open is dropped, as by other kernels.
func (c *channel) comm(r *request) (object, error) {
	var q struct {
		ID     string         `json:"comm_id"`
		Target string         `json:"target_name"`
		Data   map[string]any `json:"data"`
	}
	if err := r.decode(&q); err != nil {
		c.k.log.Warn("kernel: message dropped", "err", err)
		return nil, nil
	}
	if q.ID == "" {
		c.k.log.Warn("kernel: message dropped", "err", errors.New(r.Type+" without comm_id"))
		return nil, nil
	}
	m := interp.Comm{Type: r.Type[len("comm_"):], ID: q.ID, Target: q.Target, Data: q.Data, Buffers: r.buffers}
	if err := json.Unmarshal(r.metadata, &m.Metadata); err != nil {
		return nil, nil
	}
	if m.Type != "open" && !c.k.comms.knows(m.ID) {
		c.k.log.Info("kernel: message of a comm that is not open", "type", r.Type)
		return nil, nil
	}
	p := r.asParent(false)
	session, err := c.k.session.get()
	if t, ok := session.(commTaker); m.Type == "open" && (err != nil || !ok || !t.TakesComm(m.Target)) {
		c.k.iopub.send(p, message{kind: "comm_close", content: object{"comm_id": m.ID, "data": object{}}})
		return nil, nil
	}
	c.k.parents.comm(p)
	c.k.comms.note(m)
	session.Comm(p.id, m)
	return nil, nil
}
