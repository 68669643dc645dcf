package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// A frame is four bytes of length (little endian, of what follows), one byte for the message's type, the same
// with all bits turned over, by which garbage in the stream shows, and the message: Output in a binary form of its own,
// every other one as JSON with its long texts and bytes after it.
//
//	length | kind | ^kind | uvarint len(json) | json | uvarint len(blob) | blob ...
const headerSize = 6

// maxFrame bounds a frame, so that a broken stream does not become a huge allocation.
const maxFrame = 1 << 31

// A Message is a pointer to one of this package's message types.
type Message interface{ kind() byte }

func (*Run) kind() byte          { return 1 }
func (*Done) kind() byte         { return 2 }
func (*Output) kind() byte       { return 3 }
func (*Display) kind() byte      { return 4 }
func (*Clear) kind() byte        { return 5 }
func (*InputRequest) kind() byte { return 6 }
func (*InputReply) kind() byte   { return 7 }
func (*Comm) kind() byte         { return 8 }
func (*Interrupt) kind() byte    { return 9 }
func (*UsageRequest) kind() byte { return 10 }
func (*Usage) kind() byte        { return 11 }
func (*Ready) kind() byte        { return 12 }
func (*OverMemory) kind() byte   { return 13 }
func (*Shutdown) kind() byte     { return 14 }
func (*Started) kind() byte      { return 15 }
func (*More) kind() byte         { return 16 }
func (*Part) kind() byte         { return 17 }
func (*Task) kind() byte         { return 18 }
func (*News) kind() byte         { return 19 }

func (*Look) kind() byte { return 30 }
func (*Seen) kind() byte { return 31 }

func newMessage(kind byte) Message {
	switch kind {
	case 1:
		return new(Run)
	case 2:
		return new(Done)
	case 3:
		return new(Output)
	case 4:
		return new(Display)
	case 5:
		return new(Clear)
	case 6:
		return new(InputRequest)
	case 7:
		return new(InputReply)
	case 8:
		return new(Comm)
	case 9:
		return new(Interrupt)
	case 10:
		return new(UsageRequest)
	case 11:
		return new(Usage)
	case 12:
		return new(Ready)
	case 13:
		return new(OverMemory)
	case 14:
		return new(Shutdown)
	case 15:
		return new(Started)
	case 16:
		return new(More)
	case 17:
		return new(Part)
	case 18:
		return new(Task)
	case 19:
		return new(News)
	case 30:
		return new(Look)
	case 31:
		return new(Seen)
	}
	return nil
}

// A Conn carries messages over a stream each way. Send may be called from many goroutines, Receive from one at a time.
type Conn struct {
	r *bufio.Reader

	mu  sync.Mutex
	w   io.Writer
	buf []byte
	enc *json.Encoder
	js  bytes.Buffer
}

// NewConn returns a connection that receives from r and sends to w.
func NewConn(r io.Reader, w io.Writer) *Conn {
	c := &Conn{r: bufio.NewReaderSize(r, 64<<10), w: w}
	c.enc = json.NewEncoder(&c.js)
	c.enc.SetEscapeHTML(false)
	return c
}

// Send writes one message, in a single write. A message that cannot be encoded, such as one that holds NaN in a JSON
// form, is an [EncodeError] and leaves the connection usable; any other error means that the other side is gone.
func (c *Conn) Send(m Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := append(c.buf[:0], 0, 0, 0, 0, m.kind(), ^m.kind())
	var err error
	if o, ok := m.(*Output); ok {
		b = appendOutput(b, o)
	} else if b, err = c.appendMessage(b, m); err != nil {
		return &EncodeError{err}
	}
	if len(b)-4 >= maxFrame {
		return &EncodeError{fmt.Errorf("message of %d bytes", len(b))}
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	_, err = c.w.Write(b)
	if cap(b) <= 1<<20 {
		c.buf = b
	}
	return err
}

// An EncodeError says that a message could not be put in a frame. Nothing was sent.
type EncodeError struct{ Err error }

func (e *EncodeError) Error() string { return "wire: " + e.Err.Error() }
func (e *EncodeError) Unwrap() error { return e.Err }

// Receive reads the next message. It returns io.EOF when the other side closed the stream between two frames.
func (c *Conn) Receive() (Message, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return nil, err
	}
	n, m := binary.LittleEndian.Uint32(head[:]), newMessage(head[4])
	if n < 2 || n >= maxFrame || m == nil || head[5] != ^head[4] {
		return nil, fmt.Errorf("wire: % x is no head of a frame", head)
	}
	body, err := c.read(int(n) - 2)
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if o, ok := m.(*Output); ok {
		return o, parseOutput(body, o)
	}
	return m, parseMessage(body, m)
}

// Buffered is the number of bytes that have come and are not received.
func (c *Conn) Buffered() int { return c.r.Buffered() }

// read returns the next n bytes. It allocates as they come, not ahead of a length that may be wrong.
func (c *Conn) read(n int) ([]byte, error) {
	if n <= 1<<20 {
		b := make([]byte, n)
		_, err := io.ReadFull(c.r, b)
		return b, err
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, c.r, int64(n))
	return b.Bytes(), err
}

func appendOutput(b []byte, o *Output) []byte {
	b = binary.AppendUvarint(b, uint64(o.Cell))
	b = append(b, byte(o.Stream))
	return append(b, o.Data...)
}

func parseOutput(b []byte, o *Output) error {
	cell, n := binary.Uvarint(b)
	if n <= 0 || n >= len(b) {
		return errShort
	}
	o.Cell, o.Stream, o.Data = int(cell), int(b[n]), b[n+1:]
	return nil
}

var errShort = errors.New("wire: message is cut short")

func (c *Conn) appendMessage(b []byte, m Message) ([]byte, error) {
	c.js.Reset()
	if err := c.enc.Encode(m); err != nil {
		return b, err
	}
	b = appendBlob(b, c.js.Bytes())
	if c.js.Cap() > 1<<20 {
		c.js = bytes.Buffer{}
	}
	switch m := m.(type) {
	case *Run:
		b = appendTexts(b, m.Units)
	case *Part:
		b = appendTexts(b, m.Units)
	case *Comm:
		for _, p := range m.Buffers {
			b = appendBlob(b, p)
		}
	case *Done:
		b = m.Result.append(b)
	case *Display:
		b = m.Data.append(b)
	}
	return b, nil
}

func parseMessage(b []byte, m Message) error {
	js, b, err := cutBlob(b)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(js, m); err != nil {
		return err
	}
	switch m := m.(type) {
	case *Run:
		return parseTexts(b, m.Units)
	case *Part:
		return parseTexts(b, m.Units)
	case *Comm:
		for len(b) > 0 {
			var p []byte
			if p, b, err = cutBlob(b); err != nil {
				return err
			}
			m.Buffers = append(m.Buffers, p)
		}
	case *Done:
		return m.Result.parse(b)
	case *Display:
		return m.Data.parse(b)
	}
	return nil
}

func appendTexts(b []byte, units []Unit) []byte {
	for i := range units {
		b = appendBlob(appendBlob(b, units[i].Text), units[i].Object)
	}
	return b
}

func parseTexts(b []byte, units []Unit) error {
	for i := range units {
		text, rest, err := cutBlob(b)
		if err != nil {
			return err
		}
		object, rest, err := cutBlob(rest)
		if err != nil {
			return err
		}
		units[i].Text, b = string(text), rest
		if len(object) > 0 {
			units[i].Object = bytes.Clone(object)
		}
	}
	return nil
}

func appendBlob[T ~[]byte | string](b []byte, p T) []byte {
	b = binary.AppendUvarint(b, uint64(len(p)))
	return append(b, p...)
}

func cutBlob(b []byte) (blob, rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, errShort
	}
	end := k + int(n)
	return b[k:end:end], b[end:], nil
}
