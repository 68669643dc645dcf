package pipe

import (
	"io"
	"sync"
	"syscall/js"
)

// A Stream is bytes that JavaScript hands over, to be read. It has no bound, because JavaScript cannot wait.
type Stream struct {
	mu     sync.Mutex
	some   sync.Cond
	bytes  []byte
	closed bool
}

// NewStream returns an empty stream.
func NewStream() *Stream {
	s := &Stream{}
	s.some.L = &s.mu
	return s
}

// Push adds the bytes of a Uint8Array.
func (s *Stream) Push(array js.Value) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes = append(s.bytes, Bytes(array)...)
	s.some.Signal()
}

// Close ends the stream after what it has.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.some.Signal()
}

func (s *Stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.bytes) == 0 && !s.closed {
		s.some.Wait()
	}
	if len(s.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.bytes)
	if s.bytes = s.bytes[n:]; len(s.bytes) == 0 {
		s.bytes = nil
	}
	return n, nil
}

// Writer calls a function of JavaScript with each slice as a Uint8Array.
func Writer(f js.Value) io.Writer { return writer{f} }

type writer struct{ f js.Value }

func (w writer) Write(p []byte) (int, error) {
	w.f.Invoke(Array(p))
	return len(p), nil
}

// Array returns a copy of p as a Uint8Array.
func Array(p []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(p))
	js.CopyBytesToJS(a, p)
	return a
}

// Bytes returns a copy of a Uint8Array.
func Bytes(a js.Value) []byte {
	p := make([]byte, a.Length())
	js.CopyBytesToGo(p, a)
	return p
}

// A Raw is one of the process's own streams: what Go code writes there, JavaScript hands over again.
type Raw struct {
	mu    sync.Mutex
	some  sync.Cond
	bytes []byte
}

// NewRaw returns an empty stream.
func NewRaw() *Raw {
	p := &Raw{}
	p.some.L = &p.mu
	return p
}

// Push adds the bytes of a Uint8Array.
func (p *Raw) Push(array js.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = append(p.bytes, Bytes(array)...)
	p.some.Signal()
}

// Peek returns what the stream holds, which must be discarded next.
func (p *Raw) Peek(b []byte) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return copy(b, p.bytes)
}

// Discard takes out what Peek returned.
func (p *Raw) Discard(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = p.bytes[n:]
}

// Wait calls take whenever the stream has something to read. take returns false when it found nothing.
func (p *Raw) Wait(take func() bool) {
	for {
		p.mu.Lock()
		for len(p.bytes) == 0 {
			p.some.Wait()
		}
		p.mu.Unlock()
		for take() {
		}
	}
}

// AnyReadable reports whether one of the two streams has something to read.
func AnyReadable(a, b *Raw) bool { return a.holds() || b.holds() }

func (p *Raw) holds() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.bytes) > 0
}
