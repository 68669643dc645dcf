package zmtp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

const greetingSize = 64

// Flags in the first byte of a frame.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// maxFrames bounds the frames of one message; a Jupyter message with its buffers has a few dozen.
const maxFrames = 1 << 16

// direct is the size of the largest frame for which memory is allocated before its bytes have arrived.
const direct = 1 << 16

// A stream is the net.Conn that a zmq4.Conn reads and writes. zmq4 allocates what the head of a frame claims, takes any
// number of frames for one message and commands for frames of messages, so the stream checks each head before zmq4 sees
// it, and keeps the head of a large frame back until half of the frame has arrived: at any time at most three times the
// memory of what has arrived is in use.
type stream struct {
	net.Conn
	in  *bufio.Reader
	out io.Writer // what zmq4 writes goes here

	pass   int64       // bytes to go before the next head of a frame
	ahead  net.Buffers // the first of them, where they have been read ahead of zmq4
	limit  int64       // bytes of one message
	left   int64       // bytes that the message may still have
	frames int         // that the message has so far
}

// newStream returns a stream that expects a greeting and then commands and messages of at most limit bytes.
func newStream(nc net.Conn, limit int64) *stream {
	return &stream{Conn: nc, in: bufio.NewReaderSize(nc, direct), out: nc, pass: greetingSize, limit: limit, left: limit}
}

// allow sets the limit of the messages to come. It is called between two messages.
func (s *stream) allow(limit int64) { s.limit, s.left = limit, limit }

func (s *stream) Write(p []byte) (int, error) { return s.out.Write(p) }

func (s *stream) Read(p []byte) (n int, err error) {
	if s.pass == 0 {
		if err := s.head(); err != nil {
			return 0, err
		}
	}
	p = p[:min(int64(len(p)), s.pass)]
	if len(s.ahead) > 0 {
		n, _ = s.ahead.Read(p) // reports io.EOF with its last byte
	} else {
		n, err = s.in.Read(p)
	}
	s.pass -= int64(n)
	return n, err
}

// command waits for the next frame that zmq4 has not begun to read, and reports whether it is a command.
func (s *stream) command() (bool, error) {
	b, err := s.in.Peek(1)
	return err == nil && b[0]&flagCommand != 0, err
}

// head checks the head of the next frame: flags, then the size in one byte or eight.
func (s *stream) head() error {
	b, err := s.in.Peek(1)
	if err != nil {
		return err
	}
	flags, n := b[0], 2
	switch {
	case flags&^(flagMore|flagLong|flagCommand) != 0, flags&flagCommand != 0 && flags&flagMore != 0:
		return fmt.Errorf("flags %#x are not those of a frame", flags)
	case flags&flagCommand != 0 && s.frames > 0:
		return errors.New("command inside a message")
	case flags&flagLong != 0:
		n = 9
	}
	if b, err = s.in.Peek(n); err != nil {
		return err
	}
	size := uint64(b[1])
	if n == 9 {
		size = binary.BigEndian.Uint64(b[1:])
	}
	if size > uint64(s.left) {
		return fmt.Errorf("frame of %d bytes, at most %d are left of a message", size, s.left)
	}
	s.left -= int64(size)
	s.frames++
	switch {
	case flags&flagMore == 0:
		s.left, s.frames = s.limit, 0
	case s.frames == maxFrames:
		return fmt.Errorf("message of more than %d frames", maxFrames)
	}
	s.pass = int64(n) + int64(size)
	if size > direct {
		return s.readAhead(n, int64(size))
	}
	return nil
}

// readAhead reads the head, of n bytes, and half of a frame that has size bytes.
func (s *stream) readAhead(n int, size int64) error {
	for to := int64(n) + size/2; to > 0; {
		piece := make([]byte, min(to, direct))
		if _, err := io.ReadFull(s.in, piece); err != nil {
			return err
		}
		s.ahead = append(s.ahead, piece)
		to -= int64(len(piece))
	}
	return nil
}
