package zmtp

import (
	"bytes"
	"context"
	"net"
	"sync"
	"time"

	"github.com/go-zeromq/zmq4"
)

// A Publisher sends every message to the peers that subscribed to a prefix of its first frame.
type Publisher struct {
	server
	guard sync.Mutex // of subs and what it holds
	subs  map[*conn]*subscriber
}

type subscriber struct {
	topics  map[string]int // how often it subscribed to each
	lagging bool           // its queue was full; said once
}

// NewPublisher serves a listener. welcome, which may be nil, is called when a peer subscribes to a topic that it had
// not; the message it returns, if any, goes to that peer alone, before any that is published later.
func NewPublisher(l net.Listener, welcome func(topic string) Message, set *Settings) *Publisher {
	p := &Publisher{subs: map[*conn]*subscriber{}}
	p.kind = zmq4.XPub
	p.joined = func(c *conn) {
		p.guard.Lock()
		p.subs[c] = &subscriber{topics: map[string]int{}}
		p.guard.Unlock()
	}
	p.left = func(c *conn) {
		p.guard.Lock()
		delete(p.subs, c)
		p.guard.Unlock()
	}
	p.command = func(c *conn, command zmq4.Cmd) { // ZMTP 3.1
		switch command.Name {
		case zmq4.CmdSubscribe:
			p.subscribe(c, string(command.Body), welcome)
		case zmq4.CmdCancel:
			p.cancel(c, string(command.Body))
		}
	}
	p.message = func(c *conn, m Message) { // ZMTP 3.0
		if len(m) != 1 || len(m[0]) == 0 {
			return
		}
		switch m[0][0] {
		case 1:
			p.subscribe(c, string(m[0][1:]), welcome)
		case 0:
			p.cancel(c, string(m[0][1:]))
		}
	}
	p.start(l, set)
	return p
}

// maxTopics bounds the subscriptions of one peer.
const maxTopics = 1000

func (p *Publisher) subscribe(c *conn, topic string, welcome func(string) Message) {
	var hello Message
	if welcome != nil {
		hello = welcome(topic)
	}
	p.guard.Lock()
	defer p.guard.Unlock()
	s := p.subs[c]
	if s == nil || s.topics[topic] == 0 && len(s.topics) >= maxTopics {
		return
	}
	s.topics[topic]++
	if s.topics[topic] == 1 && hello != nil {
		c.out.push(item{frames: hello})
	}
}

func (p *Publisher) cancel(c *conn, topic string) {
	p.guard.Lock()
	defer p.guard.Unlock()
	if s := p.subs[c]; s != nil && s.topics[topic] > 0 {
		if s.topics[topic]--; s.topics[topic] == 0 {
			delete(s.topics, topic)
		}
	}
}

func (s *subscriber) wants(topic []byte) bool {
	for t := range s.topics {
		if bytes.HasPrefix(topic, []byte(t)) {
			return true
		}
	}
	return false
}

// Publish queues a message, whose frames must not change from then on, for every peer that wants it; it waits for none.
// A peer whose queue is full misses it.
func (p *Publisher) Publish(m Message) {
	if len(m) == 0 {
		return
	}
	p.guard.Lock()
	defer p.guard.Unlock()
	for c, s := range p.subs {
		if !s.wants(m[0]) {
			continue
		}
		taken := c.out.push(item{frames: m})
		if !taken && !s.lagging {
			p.set.Log.Warn("zmtp: a subscriber does not read and misses messages", "queued", p.set.Queue)
		}
		s.lagging = !taken
	}
}

// stalled is how long a subscriber may take nothing before Wait no longer waits for it.
const stalled = time.Second

// Wait returns when every subscriber has at most a quarter of its queue filled, apart from those that have taken
// nothing for a second, or when ctx ends.
func (p *Publisher) Wait(ctx context.Context) {
	for pause := 500 * time.Microsecond; p.behind(); pause = min(2*pause, 20*time.Millisecond) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (p *Publisher) behind() bool {
	p.guard.Lock()
	defer p.guard.Unlock()
	for c := range p.subs {
		if size, since := c.out.backlog(); size > p.set.Queue/4 && time.Since(since) < stalled {
			return true
		}
	}
	return false
}

// Subscribers is the number of peers that have subscribed to something.
func (p *Publisher) Subscribers() int {
	p.guard.Lock()
	defer p.guard.Unlock()
	n := 0
	for _, s := range p.subs {
		if len(s.topics) > 0 {
			n++
		}
	}
	return n
}
