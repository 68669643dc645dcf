//go:build unix && !linux

package pipe

type copies struct{}

func newCopy() copies { return copies{} }

// Peek returns what the pipe holds, which must be discarded next. Only Linux can leave it in the pipe until then.
func (p *Raw) Peek(b []byte) int { return p.Read(b) }

// Discard does nothing: Peek has taken the bytes.
func (p *Raw) Discard(int) {}
