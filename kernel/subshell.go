package kernel

import (
	"crypto/rand"
	"fmt"
	"sync"
)

// shells routes requests of the shell socket to the main shell or a subshell. Each answers its requests in order;
// different ones do not wait for each other, save where cells take turns.
type shells struct {
	k    *kernel
	main *channel

	mu   sync.Mutex
	subs map[string]*channel
	ids  []string // in order of creation
}

func (s *shells) init(k *kernel) {
	s.k, s.subs = k, map[string]*channel{}
	s.main = k.newChannel("", s.router)
}

func (s *shells) router() router { return s.k.socks.shell }

// put queues a request where its header says. One for a subshell that is not there is answered at once.
func (s *shells) put(r *request) {
	c := s.main
	if r.Subshell != "" {
		s.mu.Lock()
		c = s.subs[r.Subshell]
		s.mu.Unlock()
	}
	if c == nil {
		p := r.asParent(false)
		s.k.busy.begin(p, false)
		s.main.reply(r, nil, failure("UnknownSubshell", fmt.Sprintf("there is no subshell %q", r.Subshell)))
		s.k.busy.end(p)
		return
	}
	c.queue.put(r)
}

// any reports whether there are subshells.
func (s *shells) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.subs) > 0
}

// close ends all shells once their running requests are answered.
func (s *shells) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.main.queue.close()
	for _, c := range s.subs {
		c.queue.close()
	}
}

// maxSubshells bounds what one client can ask for.
const maxSubshells = 1000

func (c *channel) createSubshell(*request) (object, error) {
	s := &c.k.shells
	id := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.subs) >= maxSubshells {
		return failure("TooManySubshells", fmt.Sprintf("there are %d subshells", len(s.subs))), nil
	}
	sub := c.k.newChannel(id, s.router)
	s.subs[id] = sub
	s.ids = append(s.ids, id)
	go sub.serve()
	return object{"status": "ok", "subshell_id": id}, nil
}

func (c *channel) deleteSubshell(r *request) (object, error) {
	var q struct {
		ID string `json:"subshell_id"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	s := &c.k.shells
	s.mu.Lock()
	defer s.mu.Unlock()
	sub := s.subs[q.ID]
	if sub == nil {
		return failure("UnknownSubshell", fmt.Sprintf("there is no subshell %q", q.ID)), nil
	}
	sub.queue.close()
	delete(s.subs, q.ID)
	for i, id := range s.ids {
		if id == q.ID {
			s.ids = append(s.ids[:i:i], s.ids[i+1:]...)
			break
		}
	}
	return object{"status": "ok"}, nil
}

func (c *channel) listSubshells(*request) (object, error) {
	s := &c.k.shells
	s.mu.Lock()
	defer s.mu.Unlock()
	return object{"status": "ok", "subshell_id": append([]string{}, s.ids...)}, nil
}
