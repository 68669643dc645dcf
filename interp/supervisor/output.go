package supervisor

import (
	"bytes"
	"time"

	"gaucho/interp/wire"
)

// output takes a piece of output. What looks like the worker's last words is held until the worker has shown that it
// lives, by an answer: then it was only text.
func (c *child) output(m *wire.Output) {
	switch m.Stream {
	case wire.RawStdout:
		c.lastRaw[0] = m.Data
		m.Stream = wire.Stdout
	case wire.RawStderr:
		c.lastRaw[1] = m.Data
		m.Stream = wire.Stderr
	case wire.LastWords:
		c.lastRaw[1] = m.Data
		c.mu.Lock()
		c.words = append(c.words, m.Data...)
		c.wordsCell, c.wordsAt = m.Cell, time.Now()
		c.mu.Unlock()
		// What the runtime writes first it writes while other goroutines still run.
		time.AfterFunc(aliveAfter, func() { c.conn.Send(&wire.UsageRequest{}) })
		time.AfterFunc(lastWordsPatience, c.cutShort)
		return
	}
	c.p.out.add(m.Cell, m.Stream, m.Data)
}

// A worker that seems to say its last words is asked after aliveAfter whether it lives. lastWordsPatience is how long one
// that does not answer may take to end: it writes long traces of large stacks.
const (
	aliveAfter        = 250 * time.Millisecond
	lastWordsPatience = 4 * time.Second
)

// cutShort ends a worker that has begun its last words and not answered since.
func (c *child) cutShort() {
	c.mu.Lock()
	dying := len(c.words) > 0 && !c.ended && time.Since(c.wordsAt) >= lastWordsPatience
	c.cut = c.cut || dying
	c.mu.Unlock()
	if dying {
		c.group.kill()
	}
}

// unsent returns what was left in a raw stream's pipe without the piece that the worker had sent already, but not taken
// out, when it died.
func (c *child) unsent(stream int, rest []byte) []byte {
	if last := c.lastRaw[stream]; len(last) > 0 {
		rest = bytes.TrimPrefix(rest, last)
	}
	return rest
}

// release shows the words that were held: the worker lives.
func (c *child) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.words) > 0 && !c.ended {
		c.p.out.add(c.wordsCell, wire.Stderr, c.words)
		c.words = nil
	}
}
