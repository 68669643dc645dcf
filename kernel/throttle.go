package kernel

import (
	"context"
	"sync"
	"time"

	"gaucho/kernel/zmtp"
)

// A throttle keeps the kernel's output within what a Jupyter server lets pass before it drops messages: by default
// 1000 messages and 1,000,000 bytes of stream messages a second, both as the mean over three seconds, counted anew
// whenever the kernel becomes idle. We stay at nine and eight tenths of that, since the server counts by its own clock.
// A nil throttle lets everything pass.
type throttle struct {
	mu       sync.Mutex
	sent     []sending // oldest first
	messages int
	bytes    int
}

type sending struct {
	at    time.Time
	bytes int
}

const (
	throttleWindow   = 3 * time.Second
	throttleMessages = 2700
	throttleBytes    = 2_400_000
)

// note counts a message that went out.
func (t *throttle) note(kind string, frames zmtp.Message) {
	if t == nil || kind == "status" || kind == "comm_open" || kind == "execute_input" {
		return
	}
	n := 0
	if kind == "stream" {
		for _, f := range frames {
			n += len(f)
		}
	}
	t.mu.Lock()
	t.sent = append(t.sent, sending{time.Now(), n})
	t.messages++
	t.bytes += n
	t.mu.Unlock()
}

// reset forgets what was counted, as the server does when it sees the kernel idle.
func (t *throttle) reset() {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.sent, t.messages, t.bytes = nil, 0, 0
	t.mu.Unlock()
}

// over forgets what has left the window and says in how long there is room again; zero for now.
func (t *throttle) over() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := 0
	for i < len(t.sent) && time.Since(t.sent[i].at) >= throttleWindow {
		t.messages--
		t.bytes -= t.sent[i].bytes
		i++
	}
	t.sent = t.sent[i:]
	if t.messages < throttleMessages && t.bytes < throttleBytes {
		return 0
	}
	return throttleWindow - time.Since(t.sent[0].at)
}

// wait returns when there is room, or ctx ends.
func (t *throttle) wait(ctx context.Context) {
	if t == nil {
		return
	}
	for {
		in := t.over()
		if in <= 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(in):
		}
	}
}
