package kernel

import (
	"slices"
	"time"
	"unicode/utf8"
)

// How text that cells print is gathered. A client needs milliseconds for a message, so a cell sends few: it may send manyMessages
// at once and one more every beat. What cannot be sent yet keeps its order up to manyMessages pieces, which is how often its stream
// changes; more of it is put together by stream. When there is much text it goes out at once.
const (
	firstBeat    = 2 * time.Millisecond
	beat         = 50 * time.Millisecond
	manyMessages = 50
	chunkBytes   = 256 << 10
	// Chunks are smaller where the rate is limited, so that the limit is not passed by much.
	limitedBytes = 32 << 10
)

// A stream is text of one cell that has not gone out.
type stream struct {
	parent *parent
	pieces []piece
	joined bool          // one piece a stream
	size   int           // of all pieces
	room   time.Duration // what may be sent at once, a message a beat, at the time sent
	sent   time.Time     // when it last sent something
	timer  *time.Timer
}

// A piece is text of stdout or stderr.
type piece struct {
	name string
	text []byte
}

// write takes text that a cell prints.
func (p *iopub) write(of *parent, name, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.streams[of.id]
	if s == nil {
		p.sweep()
		s = &stream{parent: of, room: manyMessages * beat, sent: time.Now().Add(-beat)}
		p.streams[of.id] = s
	}
	if text == "" {
		return
	}
	if s.size == 0 && len(text) == p.chunk && utf8.ValidString(text) { // as it is
		p.publishText(s, name, text)
		return
	}
	to := s.piece(name)
	to.text = append(to.text, text...)
	s.size += len(text)
	if s.size >= p.chunk {
		p.flushPieces(s, len(s.pieces), false)
	}
	p.flushLater(s)
}

// piece is where text of a stream goes: the last piece, or a new one.
func (s *stream) piece(name string) *piece {
	n := len(s.pieces)
	if n > 0 && s.pieces[n-1].name == name {
		return &s.pieces[n-1]
	}
	if n >= manyMessages {
		s.pieces, s.joined = byStream(s.pieces), true
	}
	if s.joined {
		if i := slices.IndexFunc(s.pieces, func(q piece) bool { return q.name == name }); i >= 0 {
			return &s.pieces[i]
		}
	}
	s.pieces = append(s.pieces, piece{name: name})
	return &s.pieces[len(s.pieces)-1]
}

// byStream puts pieces of the same stream together.
func byStream(pieces []piece) (joined []piece) {
	for _, p := range pieces {
		i := slices.IndexFunc(joined, func(q piece) bool { return q.name == p.name })
		if i < 0 {
			joined = append(joined, piece{name: p.name})
			i = len(joined) - 1
		}
		joined[i].text = append(joined[i].text, p.text...)
	}
	return joined
}

// flushLater sends what a stream has gathered when it may; p.mu is held.
func (p *iopub) flushLater(s *stream) {
	if s.size == 0 || s.timer != nil {
		return
	}
	s.timer = time.AfterFunc(max(firstBeat, beat-time.Since(s.sent)), func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		s.timer = nil
		n := min(len(s.pieces), int((s.room+time.Since(s.sent))/beat))
		p.flushPieces(s, n, false)
		if len(s.pieces) > 1 || len(s.pieces) == 1 && wholeCharacters(s.pieces[0].text) > 0 {
			p.flushLater(s)
		}
	})
}

// flush sends all that a stream has gathered; p.mu is held.
func (p *iopub) flush(s *stream) { p.flushPieces(s, len(s.pieces), true) }

// flushPieces sends the first n pieces of a stream; p.mu is held. Unless all is set, the bytes of an incomplete character at the end
// are kept.
func (p *iopub) flushPieces(s *stream, n int, all bool) {
	var rest []piece
	for i, q := range s.pieces[:n] {
		end := len(q.text)
		if !all && i == len(s.pieces)-1 {
			end = wholeCharacters(q.text)
		}
		if end > 0 {
			p.publishText(s, q.name, string(q.text[:end]))
			s.size -= end
		}
		if end < len(q.text) {
			rest = append(rest, piece{q.name, slices.Clone(q.text[end:])})
		}
	}
	s.pieces = append(rest, s.pieces[n:]...)
	s.joined = s.joined && len(s.pieces) > 0
}

// publishText sends text of a stream; p.mu is held.
func (p *iopub) publishText(s *stream, name, text string) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	p.publish(message{kind: "stream", parent: s.parent.raw, content: streamContent{name, text}})
	now := time.Now()
	s.room = max(0, min(s.room+now.Sub(s.sent), manyMessages*beat)-beat)
	s.sent = now
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
		p.flush(s)
	}
}

// sweep forgets streams of cells that ended and have nothing left to send; p.mu is held.
func (p *iopub) sweep() {
	if len(p.streams) < 64 {
		return
	}
	for id, s := range p.streams {
		if s.size == 0 && time.Since(s.sent) > time.Second {
			delete(p.streams, id)
		}
	}
}
