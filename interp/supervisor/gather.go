package supervisor

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"gaucho/interp/wire"
)

// Output that comes after a pause is shown after firstWait, more of it every nextWait, and all that there is when it
// grows to maxPending.
const (
	firstWait  = 2 * time.Millisecond
	nextWait   = 20 * time.Millisecond
	maxPending = 1 << 20
)

// A gather collects output on its way to a sink, so that a cell that prints a million lines sends some hundred messages.
// What it cannot pass on in time makes its callers wait, and through them the cell.
type gather struct {
	sink Sink

	mu      sync.Mutex
	pending []piece
	spare   []byte // memory for the next piece, while output comes
	size    int
	partial map[source][]byte // the beginning of a character whose end has not come
	binary  map[int]bool      // cells whose output is bytes, not text
	last    time.Time         // of the last flush
	timer   *time.Timer
	armed   bool
}

// A source is a stream of a cell, a piece something that came from one.
type (
	source struct{ cell, stream int }
	piece  struct {
		source
		text []byte
	}
)

func newGather(s Sink) *gather {
	g := &gather{sink: s, partial: map[source][]byte{}, binary: map[int]bool{}}
	g.timer = time.AfterFunc(time.Hour, g.flush)
	g.timer.Stop()
	return g
}

// bytes has the output of a cell pass as it is: that of a program need not be text.
func (g *gather) bytes(cell int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.binary[cell] = true
}

// add takes a piece of output.
func (g *gather) add(cell, stream int, p []byte) {
	if len(p) == 0 {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s := source{cell, stream}
	if n := len(g.pending); n > 0 && g.pending[n-1].source == s {
		g.pending[n-1].text = append(g.pending[n-1].text, p...)
	} else {
		g.pending = append(g.pending, piece{s, append(g.spare, p...)})
		g.spare = nil
	}
	g.size += len(p)
	if g.size >= maxPending {
		g.pass(false)
		return
	}
	if !g.armed {
		g.armed = true
		g.timer.Reset(max(firstWait, nextWait-time.Since(g.last)))
	}
}

// flush passes on all that there is.
func (g *gather) flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pass(false)
}

// do passes on all output and then calls f.
func (g *gather) do(f func(Sink)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pass(false)
	f(g.sink)
}

// pass gives the sink what is pending. The caller holds the lock, so writers wait. An incomplete character waits for its last
// bytes, unless all is set.
func (g *gather) pass(all bool) {
	for _, p := range g.pending {
		g.spare = p.text[:0]
		text := p.text
		if g.binary[p.cell] {
			g.sink.Stream(p.cell, streamName(p.stream), string(text))
			continue
		}
		if head := g.partial[p.source]; len(head) > 0 {
			text = append(head, text...)
			delete(g.partial, p.source)
		}
		if n := partialRune(text); n > 0 && !all {
			g.partial[p.source] = append([]byte(nil), text[len(text)-n:]...)
			text = text[:len(text)-n]
		}
		if len(text) > 0 {
			g.sink.Stream(p.cell, streamName(p.stream), validText(text))
		}
	}
	clear(g.pending)
	g.pending = g.pending[:0]
	if cap(g.pending) > 1000 {
		g.pending = nil
	}
	g.size = 0
	g.last = time.Now()
	g.armed = false
	g.timer.Stop()
}

// end passes on everything of a cell that has ended, also the beginning of a character.
func (g *gather) end(cell int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pass(false)
	g.spare = nil
	delete(g.binary, cell)
	for _, stream := range []int{wire.Stdout, wire.Stderr} {
		s := source{cell, stream}
		if head := g.partial[s]; len(head) > 0 {
			delete(g.partial, s)
			g.sink.Stream(cell, streamName(stream), validText(head))
		}
	}
}

// validText is text in which what is no UTF-8 is replaced. That there is nothing to replace is found out quickly.
func validText(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	return strings.ToValidUTF8(string(text), "\uFFFD")
}

// partialRune returns how many bytes at the end of p are the beginning of a character.
func partialRune(p []byte) int {
	for n := 1; n <= min(len(p), utf8.UTFMax-1); n++ {
		if utf8.RuneStart(p[len(p)-n]) {
			if utf8.FullRune(p[len(p)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

func streamName(stream int) string {
	if stream == wire.Stderr {
		return "stderr"
	}
	return "stdout"
}
