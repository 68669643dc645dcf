//go:build unix && !linux

package worker

type pipeCopy struct{}

func newPipeCopy() pipeCopy { return pipeCopy{} }

// peek returns what the pipe holds, which must be discarded next. Only Linux can leave it in the pipe until then.
func (p *rawPipe) peek(b []byte) int { return p.read(b) }

func (p *rawPipe) discard(int) {}
