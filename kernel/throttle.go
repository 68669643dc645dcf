package kernel

import (
	"context"
	"sync"
	"time"

	"gaucho/kernel/zmtp"
)

// A throttle keeps the kernel's output within what a Jupyter server lets pass before it drops messages: by default
// 1000 messages and 1,000,000 bytes of stream messages a second, both as the mean over three seconds, counted anew
// whenever the kernel becomes idle. The server counts by its own clock and may get late what it gets at once, so we
// take a steady pace after a short burst, which keeps the limits in any three seconds and when half a second of
// messages came late. A nil throttle lets everything pass.
//
// The budget of each kind grows with time up to its burst; a message may take it below zero, and is then waited for.
type throttle struct {
	mu       sync.Mutex
	at       time.Time // when the budgets were last brought up to date
	messages float64
	bytes    float64
}

const (
	burstMessages, paceMessages = 600.0, 650.0
	burstBytes, paceBytes       = 600e3, 650e3 // of which one chunk more may be sent
)

func newThrottle() *throttle {
	return &throttle{at: time.Now(), messages: burstMessages, bytes: burstBytes}
}

// note counts a message that went out.
func (t *throttle) note(kind string, frames zmtp.Message) {
	if t == nil || kind == "status" || kind == "comm_open" || kind == "execute_input" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.grow()
	t.messages--
	if kind == "stream" {
		for _, f := range frames {
			t.bytes -= float64(len(f))
		}
	}
}

// grow brings the budgets up to date; t.mu is held.
func (t *throttle) grow() {
	now := time.Now()
	passed := now.Sub(t.at).Seconds()
	t.at = now
	t.messages = min(burstMessages, t.messages+passed*paceMessages)
	t.bytes = min(burstBytes, t.bytes+passed*paceBytes)
}

// reset forgets what was counted, as the server does when it sees the kernel idle.
func (t *throttle) reset() {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.at, t.messages, t.bytes = time.Now(), burstMessages, burstBytes
	t.mu.Unlock()
}

// over says in how long there is room again; zero for now.
func (t *throttle) over() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.grow()
	seconds := max((1-t.messages)/paceMessages, (1-t.bytes)/paceBytes, 0)
	return time.Duration(seconds * float64(time.Second))
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
		case <-time.After(max(in, time.Millisecond)):
		}
	}
}
