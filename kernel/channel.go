package kernel

import (
	"fmt"
	"runtime/debug"
	"strings"
	"time"
)

// A channel answers the requests of one queue: the main shell, a subshell, or the control channel.
type channel struct {
	k        *kernel
	subshell string // its id; empty for the main shell and the control channel
	queue    *queue
	router   func() router
	abort    abortion
}

func (k *kernel) newChannel(subshell string, router func() router) *channel {
	return &channel{k: k, subshell: subshell, queue: newQueue(), router: router}
}

// serve answers the requests of a shell until its queue is closed. Cells run one after the other; what else has waited
// for a moment while a cell runs is answered meanwhile.
func (c *channel) serve() {
	for {
		r, ok := c.queue.next()
		if !ok {
			return
		}
		if r.Type != executeRequest {
			c.answer(r.request)
			continue
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.run(r)
		}()
		c.answerBeside(done)
	}
}

// serveControl answers the requests of the control channel, none of which takes long.
func (c *channel) serveControl() {
	for {
		r, ok := c.queue.next()
		if !ok {
			return
		}
		c.answer(r.request)
	}
}

// answerBeside answers questions until the cell is done.
func (c *channel) answerBeside(done <-chan struct{}) {
	started := time.Now()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		select {
		case <-done:
			c.queue.signal() // the token may have been for next
			return
		case <-c.queue.changed:
		case <-timer.C:
		}
		for {
			r, ok, in := c.queue.question(started)
			if !ok {
				if in > 0 {
					timer.Reset(in)
				}
				break
			}
			c.answer(r.request)
		}
	}
}

// answer handles one request that is no cell to run, between busy and idle.
func (c *channel) answer(r *request) {
	switch r.Type {
	case "comm_open", "comm_msg", "comm_close":
		c.comm(r)
		return
	}
	p := r.asParent(false)
	c.k.busy.begin(p, false)
	h, known := c.k.handlers[r.Type]
	var content object
	if known {
		content = c.call(h, r)
	} else {
		c.k.log.Warn("kernel: unknown request", "type", r.Type)
		content = failure("NotSupported", fmt.Sprintf("%q is no request that this kernel knows", r.Type))
	}
	if content != nil && strings.HasSuffix(r.Type, "_request") {
		c.reply(r, nil, content)
	}
	c.k.busy.end(p)
	if c.k.leaving.Load() {
		c.k.stop()
	}
}

// call runs a handler. Whatever goes wrong in it, the kernel lives.
func (c *channel) call(h handler, r *request) (content object) {
	defer func() {
		if e := recover(); e != nil {
			c.k.log.Error("kernel: "+r.Type+" failed", "err", e, "stack", string(debug.Stack()))
			content = failure("KernelError", fmt.Sprint(e))
		}
	}()
	content, err := h(c, r)
	if err != nil {
		return failure("BadRequest", err.Error())
	}
	return content
}

// reply sends the answer to a request to the one who asked.
func (c *channel) reply(r *request, metadata any, content object) {
	kind := strings.TrimSuffix(r.Type, "_request") + "_reply"
	m := c.k.composer.compose(r.idents, message{kind: kind, parent: r.raw, metadata: metadata, content: content})
	if err := c.router().Send(r.peer, m); err != nil {
		c.k.log.Info("kernel: reply not delivered", "type", kind, "err", err)
	}
}

// failure is the content of a reply to a request that could not be answered.
func failure(name, value string) object {
	return object{"status": "error", "ename": name, "evalue": value, "traceback": []string{name + ": " + value}}
}
