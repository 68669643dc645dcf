package zmtp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Message is a list of frames.
type Message [][]byte

// Flags in the first byte of a frame.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// maxFrames bounds the frames of one message; a Jupyter message with its buffers has a few dozen.
const maxFrames = 1 << 16

// appendFrame appends one frame: flags, size in one or eight bytes, body.
func appendFrame(dst, body []byte, flags byte) []byte {
	if len(body) > 255 {
		dst = append(dst, flags|flagLong)
		dst = binary.BigEndian.AppendUint64(dst, uint64(len(body)))
	} else {
		dst = append(dst, flags, byte(len(body)))
	}
	return append(dst, body...)
}

// encode returns the bytes of a message on the wire.
func encode(m Message) []byte {
	n := 0
	for _, f := range m {
		n += len(f) + 9
	}
	b := make([]byte, 0, n)
	for i, f := range m {
		var flags byte
		if i < len(m)-1 {
			flags = flagMore
		}
		b = appendFrame(b, f, flags)
	}
	return b
}

// encodeCommand returns the bytes of a command on the wire.
func encodeCommand(name string, data []byte) []byte {
	body := append([]byte{byte(len(name))}, name...)
	return appendFrame(nil, append(body, data...), flagCommand)
}

// splitCommand takes the body of a command frame apart.
func splitCommand(body []byte) (name string, data []byte, err error) {
	if len(body) == 0 || len(body) < 1+int(body[0]) {
		return "", nil, errors.New("command without a name")
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], nil
}

// readFrame reads one frame of at most limit bytes. Memory is allocated as the bytes arrive, not as the size claims.
func readFrame(r *bufio.Reader, limit int64) (flags byte, body []byte, err error) {
	flags, err = r.ReadByte()
	if err != nil {
		return 0, nil, err
	}
	if flags&^(flagMore|flagLong|flagCommand) != 0 || flags&flagCommand != 0 && flags&flagMore != 0 {
		return 0, nil, fmt.Errorf("flags %#x are not those of a frame", flags)
	}
	var head [8]byte
	var size uint64
	if flags&flagLong != 0 {
		if _, err = io.ReadFull(r, head[:]); err != nil {
			return 0, nil, unexpected(err)
		}
		size = binary.BigEndian.Uint64(head[:])
	} else {
		b, err := r.ReadByte()
		if err != nil {
			return 0, nil, unexpected(err)
		}
		size = uint64(b)
	}
	if size > uint64(limit) {
		return 0, nil, fmt.Errorf("frame of %d bytes, at most %d are left of a message", size, limit)
	}
	body, err = readBody(r, int(size))
	return flags, body, unexpected(err)
}

// readBody reads size bytes into memory that at most doubles what has arrived.
func readBody(r io.Reader, size int) ([]byte, error) {
	const first = 1 << 16
	b := make([]byte, min(size, first))
	got := 0
	for {
		n, err := io.ReadFull(r, b[got:])
		got += n
		if err != nil || got == size {
			return b[:got], err
		}
		next := make([]byte, min(size, 2*got))
		copy(next, b)
		b = next
	}
}

// unexpected turns an end of file inside a frame into the error that says so.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readMessage reads one message, or one command (name is then not empty). The sizes of its frames add up to at most limit.
func readMessage(r *bufio.Reader, limit int64) (m Message, name string, data []byte, err error) {
	for {
		flags, body, err := readFrame(r, limit)
		if err != nil {
			return nil, "", nil, err
		}
		if flags&flagCommand != 0 {
			if len(m) > 0 {
				return nil, "", nil, errors.New("command inside a message")
			}
			name, data, err = splitCommand(body)
			return nil, name, data, err
		}
		m = append(m, body)
		if flags&flagMore == 0 {
			return m, "", nil, nil
		}
		limit -= int64(len(body))
		if len(m) == maxFrames {
			return nil, "", nil, fmt.Errorf("message of more than %d frames", maxFrames)
		}
	}
}
