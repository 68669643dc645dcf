package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"gaucho/kernel/zmtp"
)

// When gathered output of a cell is sent: soon after it began, then in steady beats, at once when there is much.
const (
	firstBeat  = 2 * time.Millisecond
	beat       = 20 * time.Millisecond
	chunkBytes = 256 << 10
	// Chunks are smaller where the rate is limited, so that the limit is not passed by much.
	limitedBytes = 32 << 10
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

// A stream is text of one cell that has not gone out. name is the one of stdout and stderr that came last.
type stream struct {
	parent *parent
	name   string
	text   []byte
	sent   time.Time // when it last sent something
	timer  *time.Timer
}

// send publishes a message that belongs to a request.
func (p *iopub) send(of *parent, m message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.streams[of.id]; s != nil {
		p.flush(s, true)
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

// write takes text that a cell prints.
func (p *iopub) write(of *parent, name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.streams[of.id]
	if s == nil {
		p.sweep()
		s = &stream{parent: of}
		p.streams[of.id] = s
	}
	if s.name != name {
		p.flush(s, true)
		s.name = name
	}
	for len(text) > 0 {
		if len(s.text) == 0 && len(text) == p.chunk && utf8.ValidString(text) { // as it is
			p.publishText(s, text)
			return
		}
		n := min(len(text), p.chunk-len(s.text))
		s.text = append(s.text, text[:n]...)
		text = text[n:]
		if len(s.text) >= p.chunk {
			p.flush(s, false)
		}
	}
	if len(s.text) > 0 && s.timer == nil {
		wait := max(firstBeat, beat-time.Since(s.sent))
		s.timer = time.AfterFunc(wait, func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			s.timer = nil
			p.flush(s, false)
		})
	}
}

// flush sends what a stream has gathered; p.mu is held. Unless all is set, the bytes of an incomplete character are kept.
func (p *iopub) flush(s *stream, all bool) {
	n := len(s.text)
	if !all {
		n = wholeCharacters(s.text)
	}
	if n == 0 {
		return
	}
	p.publishText(s, string(s.text[:n]))
	s.text = append(s.text[:0], s.text[n:]...)
	if cap(s.text) > 2*chunkBytes {
		s.text = append([]byte(nil), s.text...)
	}
}

// publishText sends text of a stream; p.mu is held.
func (p *iopub) publishText(s *stream, text string) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	p.publish(message{kind: "stream", parent: s.parent.raw, content: streamContent{s.name, text}})
	s.sent = time.Now()
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

// wholeCharacters is the length of b without a character at its end that is cut off.
func wholeCharacters(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
	}
	return len(b)
}

// flushNow sends what a cell has printed.
func (p *iopub) flushNow(of *parent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.streams[of.id]; s != nil {
		p.flush(s, true)
	}
}

// sweep forgets streams of cells that ended and have nothing left to send; p.mu is held.
func (p *iopub) sweep() {
	if len(p.streams) < 64 {
		return
	}
	for id, s := range p.streams {
		if len(s.text) == 0 && time.Since(s.sent) > time.Second {
			delete(p.streams, id)
		}
	}
}

// wait holds a cell back while clients that read are behind, or a server's limits would make it drop output.
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
