package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"gaucho/kernel/zmtp"
)

// protocolVersion is the version of the messaging protocol that the kernel keeps.
const protocolVersion = "5.5"

const executeRequest = "execute_request"

// A header says what a message is and who sent it.
type header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
	Subshell string `json:"subshell_id,omitempty"`
}

// A request is a message that has come in, checked and taken apart as far as every handler needs it.
type request struct {
	header
	peer     string          // identity of the connection it came by
	idents   zmtp.Message    // identities in front of the delimiter, beyond the peer's
	raw      json.RawMessage // its header, byte for byte, for the answers' parent_header
	parent   json.RawMessage // header of what it answers, if anything
	metadata json.RawMessage
	content  json.RawMessage
	buffers  [][]byte
	arrived  time.Time
}

var delimiter = []byte("<IDS|MSG>")

var (
	errUnsigned = errors.New("signature is wrong")
	errReplayed = errors.New("signature was seen before: the message is a copy of an earlier one")
)

// parseRequest takes a message's frames apart: identities, delimiter, signature, header, parent header, metadata,
// content, buffers. The signature is checked before anything else is looked at, and must not have come before.
func parseRequest(peer string, frames zmtp.Message, s *signer) (*request, error) {
	at := -1
	for i, f := range frames {
		if bytes.Equal(f, delimiter) {
			at = i
			break
		}
	}
	if at < 0 {
		return nil, errors.New("no <IDS|MSG> in it")
	}
	parts := frames[at+1:]
	if len(parts) < 5 {
		return nil, fmt.Errorf("%d frames after <IDS|MSG>, must be at least 5", len(parts))
	}
	if !s.check(parts[0], parts[1:5]...) {
		return nil, errUnsigned
	}
	if !s.fresh(parts[0]) {
		return nil, errReplayed
	}
	// What outlives the request is kept by itself, lest it keep the content.
	r := &request{peer: peer, idents: slices.Clone(frames[:at]), raw: parts[1], parent: parts[2], metadata: parts[3], content: parts[4], buffers: parts[5:], arrived: time.Now()}
	for i, name := range []string{"header", "parent header", "metadata", "content"} {
		if err := checkObject(parts[1+i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := json.Unmarshal(r.raw, &r.header); err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if r.ID == "" || r.Type == "" {
		return nil, errors.New("header without msg_id or msg_type")
	}
	return r, nil
}

// checkObject says whether b is one JSON object in valid UTF-8.
func checkObject(b []byte) error {
	t := bytes.TrimLeft(b, " \t\r\n")
	switch {
	case len(t) == 0 || t[0] != '{':
		return errors.New("not a JSON object")
	case !json.Valid(b):
		return errors.New("not valid JSON")
	case !utf8.Valid(b):
		return errors.New("not valid UTF-8")
	}
	return nil
}

// decode reads the content of a request. Fields that are absent or null keep what v has.
func (r *request) decode(v any) error {
	if err := json.Unmarshal(r.content, v); err != nil {
		return fmt.Errorf("%s: %w", r.Type, err)
	}
	return nil
}

// A message is one that goes out.
type message struct {
	kind     string          // msg_type
	id       string          // msg_id; empty for a new one
	parent   json.RawMessage // header of the request it belongs to; nil for none
	metadata any             // nil for {}
	content  any
	buffers  [][]byte
}

// A composer writes messages out in the name of one kernel.
type composer struct {
	sign    *signer
	session string
	user    string
	count   func() uint64
}

// now is a time as the headers write it: ISO 8601 in UTC with microseconds.
func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z") }

// newID returns the id of a new message.
func (c *composer) newID() string { return c.session + "_" + strconv.FormatUint(c.count(), 10) }

var empty = []byte("{}")

// compose returns the frames of a message after the given identities or topic.
func (c *composer) compose(prefix zmtp.Message, m message) zmtp.Message {
	if m.id == "" {
		m.id = c.newID()
	}
	head := marshal(header{
		ID: m.id, Session: c.session, Username: c.user,
		Date: now(), Type: m.kind, Version: protocolVersion,
	})
	parent, metadata := []byte(m.parent), empty
	if parent == nil {
		parent = empty
	}
	if m.metadata != nil {
		metadata = marshal(m.metadata)
	}
	content := marshal(m.content)
	frames := make(zmtp.Message, 0, len(prefix)+6+len(m.buffers))
	frames = append(frames, prefix...)
	frames = append(frames, delimiter, c.sign.sign(head, parent, metadata, content), head, parent, metadata, content)
	return append(frames, m.buffers...)
}
