package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"unicode/utf8"

	"gaucho/kernel/zmtp"
)

// iopub publishes what all clients may see. Messages with the same parent go out in the order of the calls; text
// that cells print is gathered, and goes out before anything else that has its parent.
type iopub struct {
	pub      publisher
	composer *composer
	topic    string    // of a message: topic + its type
	limit    *throttle // nil when nothing past the socket limits the rate
	chunk    int       // bytes of text in one message

	mu      sync.Mutex
	streams map[string]*stream // by the parent's id
}

// send publishes a message that belongs to a request.
func (p *iopub) send(of *parent, m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.streams[of.id]; s != nil {
		p.flush(s)
	}
	m.parent = of.raw
	p.publish(m)
}

// publish sends a message out; p.mu is held, so that the order of the calls is the order on the wire.
func (p *iopub) publish(m message) {
	frames := p.composer.compose(zmtp.Message{[]byte(p.topic + m.kind)}, m)
	p.pub.Publish(frames)
	p.limit.note(m.kind, frames)
}

// status publishes busy, idle or starting.
func (p *iopub) status(of *parent, state string) {
	p.send(of, message{kind: "status", content: object{"execution_state": state}})
	if state == "idle" {
		p.mu.Lock()
		delete(p.streams, of.id)
		p.mu.Unlock()
		p.limit.reset()
	}
}

// streamContent is the content of a stream message.
type streamContent struct{ name, text string }

// encode writes it as JSON, as package encoding/json does, but without copies of a long text.
func (c streamContent) encode() []byte {
	b := make([]byte, 0, len(c.text)+len(c.text)/16+64)
	b = append(b, `{"name":"`+c.name+`","text":"`...)
	start := 0
	for i := 0; i < len(c.text); {
		if plainBytes(c.text[i:]) {
			i += 8
			continue
		}
		r, size := rune(c.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.text[i:])
		}
		if r >= ' ' && r != '"' && r != '\\' && r != '\u2028' && r != '\u2029' && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		b = append(b, c.text[start:i]...)
		i += size
		start = i
		switch r {
		case '"', '\\':
			b = append(b, '\\', byte(r))
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(append(b, c.text[start:]...), `"}`...)
}

// plainBytes reports whether s begins with eight bytes that stand for themselves in JSON: ASCII without control characters,
// quotes and backslashes. All eight are looked at in one word: less(x, n) has a bit set if a byte of x is less than n.
func plainBytes(s string) bool {
	if len(s) < 8 {
		return false
	}
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const ones, high = 0x0101010101010101, 0x8080808080808080
	less := func(x, n uint64) uint64 { return (x - n*ones) &^ x }
	return (x|less(x, ' ')|less(x^'"'*ones, 1)|less(x^'\\'*ones, 1))&high == 0
}

// wait holds a cell back while clients that read lag, or a server's limits would make it drop output.
func (p *iopub) wait(ctx context.Context) {
	p.limit.wait(ctx)
	p.pub.Wait(ctx)
}

// welcome is the message to a subscriber that it gets everything published from now on.
func (c *composer) welcome(topic string) zmtp.Message {
	var prefix zmtp.Message
	if topic != "" {
		prefix = zmtp.Message{[]byte(topic)}
	}
	return c.compose(prefix, message{kind: "iopub_welcome", content: object{"subscription": topic}})
}

// rawObject is v as a JSON object, {} for nil.
func rawObject(v map[string]any) any {
	if v == nil {
		return json.RawMessage(empty)
	}
	return v
}
