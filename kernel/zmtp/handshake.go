package zmtp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

const greetingSize = 64

// greeting is what each side sends first: signature, version 3.1, mechanism NULL, no server role.
func greeting() []byte {
	g := make([]byte, greetingSize)
	g[0], g[9] = 0xff, 0x7f
	g[10], g[11] = 3, 1
	copy(g[12:32], "NULL")
	return g
}

// checkGreeting says whether a peer's greeting is one that we can answer.
func checkGreeting(g []byte) error {
	switch mechanism := string(bytes.TrimRight(g[12:32], "\x00")); {
	case g[0] != 0xff || g[9]&1 != 1:
		return errors.New("greeting is not ZMTP's")
	case g[10] < 3:
		return fmt.Errorf("peer speaks ZMTP %d, must be 3", g[10])
	case mechanism != "NULL":
		return fmt.Errorf("peer asks for mechanism %q, must be NULL", mechanism)
	}
	return nil
}

// encodeProperties writes the metadata of a READY command: pairs of name and value.
func encodeProperties(pairs ...string) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		b = append(b, byte(len(pairs[i])))
		b = append(b, pairs[i]...)
		b = binary.BigEndian.AppendUint32(b, uint32(len(pairs[i+1])))
		b = append(b, pairs[i+1]...)
	}
	return b
}

// parseProperties reads the metadata of a READY command. Names are put into lower case; they do not depend on case.
func parseProperties(b []byte) (map[string]string, error) {
	p := map[string]string{}
	for len(b) > 0 {
		n := 1 + int(b[0])
		if len(b) < n+4 {
			return nil, errors.New("metadata is cut off")
		}
		size := uint64(binary.BigEndian.Uint32(b[n:]))
		if uint64(len(b)-n-4) < size {
			return nil, errors.New("metadata is cut off")
		}
		end := n + 4 + int(size)
		p[strings.ToLower(string(b[1:n]))] = string(b[n+4 : end])
		b = b[end:]
	}
	return p, nil
}

// handshake exchanges greetings and READY commands and fills in what the peer said of itself. Its socket type must be
// one of peers.
func (c *conn) handshake(socketType string, peers []string) error {
	if _, err := c.nc.Write(greeting()); err != nil {
		return err
	}
	g := make([]byte, greetingSize)
	if n, err := io.ReadFull(c.r, g); err != nil {
		// Ten bytes are the signature: with them it is a peer that went away, without them somebody who only looked.
		if n < 10 {
			return errLooked
		}
		return err
	}
	if err := checkGreeting(g); err != nil {
		return err
	}
	if _, err := c.nc.Write(encodeCommand("READY", encodeProperties("Socket-Type", socketType, "Identity", ""))); err != nil {
		return err
	}
	_, name, data, err := readMessage(c.r, 1<<16)
	if err != nil {
		return err
	}
	if name != "READY" {
		return fmt.Errorf("peer begins with %q, must be READY", name)
	}
	p, err := parseProperties(data)
	if err != nil {
		return err
	}
	if peer := p["socket-type"]; !slices.Contains(peers, peer) {
		reason := fmt.Sprintf("a %s socket does not talk to a %.20q", socketType, peer)
		c.nc.Write(encodeCommand("ERROR", append([]byte{byte(len(reason))}, reason...)))
		return errors.New(reason)
	}
	c.identity = p["identity"]
	if len(c.identity) > 255 || strings.HasPrefix(c.identity, "\x00") {
		c.identity = ""
	}
	return nil
}

// errLooked is a connection that ended without a word: a port scan, or a client that checks whether the port is open.
var errLooked = errors.New("peer went away before its greeting")
