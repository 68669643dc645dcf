package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gaucho/kernel/zmtp"
	"gaucho/kernel/zmtp/zmtptest"
)

// A client talks to one kernel over its sockets.
type client struct {
	t                            testing.TB
	c                            *Connection
	compose                      *composer
	shell, control, stdin, iopub *zmtptest.Client
	messages                     int
}

// An incoming message, as far as tests look at it.
type incoming struct {
	kind, parent string
	content      map[string]any
	metadata     map[string]any
	buffers      [][]byte
	topic        string
}

func (m incoming) String() string { return fmt.Sprintf("%s%v", m.kind, m.content) }

func freePorts(t testing.TB, n int) []int {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// A logbook gathers what a kernel logs.
type logbook struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newKernel starts a kernel with a fake session and connects a client; the kernel is stopped with the test.
func newKernel(t testing.TB, change func(*Connection, *Options)) (*client, *logbook) {
	t.Helper()
	p := freePorts(t, 5)
	c := &Connection{Transport: "tcp", IP: "127.0.0.1", ShellPort: p[0], IOPubPort: p[1], StdinPort: p[2], ControlPort: p[3], HBPort: p[4], SignatureScheme: "hmac-sha256", Key: "a secret key"}
	book := &logbook{}
	o := &Options{Start: startFake, History: "off", Log: slog.New(slog.NewTextHandler(book, &slog.HandlerOptions{Level: slog.LevelInfo}))}
	if change != nil {
		change(c, o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Serve(ctx, c, o) }()
	t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Error("the kernel does not end")
		}
		if c.Key != "" && strings.Contains(book.String(), c.Key) {
			t.Error("the key is in the log")
		}
	})
	return connect(t, c, "client"), book
}

func connect(t testing.TB, c *Connection, session string) *client {
	t.Helper()
	s, err := newSigner(c.SignatureScheme, c.Key)
	if err != nil {
		t.Fatal(err)
	}
	k := &client{t: t, c: c}
	k.compose = &composer{sign: s, session: session, user: "user", count: func() uint64 { k.messages++; return uint64(k.messages) }}
	dial := func(port int, kind string) *zmtptest.Client {
		var err error
		for range 200 {
			var z *zmtptest.Client
			if z, err = zmtptest.Dial(c.address(port), kind, session, 1); err == nil {
				t.Cleanup(func() { z.Close() })
				z.SetDeadline(time.Now().Add(60 * time.Second))
				return z
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal(err)
		return nil
	}
	k.iopub = dial(c.IOPubPort, "SUB")
	k.iopub.Subscribe("")
	if m := k.next(k.iopub); m.kind != "iopub_welcome" || m.content["subscription"] != "" || m.topic != "" {
		t.Fatalf("first message is %v on topic %q, must be the welcome", m, m.topic)
	}
	k.shell, k.control, k.stdin = dial(c.ShellPort, "DEALER"), dial(c.ControlPort, "DEALER"), dial(c.StdinPort, "DEALER")
	return k
}

// send sends a request and returns its id.
func (k *client) send(to *zmtptest.Client, kind string, content any, buffers ...[]byte) string {
	return k.sendHeader(to, kind, content, nil, buffers...)
}

func (k *client) sendHeader(to *zmtptest.Client, kind string, content any, change func(*header), buffers ...[]byte) string {
	k.t.Helper()
	k.messages++
	h := header{ID: fmt.Sprint(k.compose.session, "-", k.messages), Session: k.compose.session, Username: "user", Date: now(), Type: kind, Version: "5.4"}
	if change != nil {
		change(&h)
	}
	parts := zmtp.Message{marshal(h), empty, empty, marshal(content)}
	frames := append(zmtp.Message{delimiter, k.compose.sign.sign(parts...)}, append(parts, buffers...)...)
	if err := to.Send(frames...); err != nil {
		k.t.Fatal(err)
	}
	return h.ID
}

// next reads the next message and checks its signature and shape.
func (k *client) next(from *zmtptest.Client) incoming {
	k.t.Helper()
	frames, err := from.Receive()
	if err != nil {
		k.t.Fatal(err)
	}
	r, err := parseRequest("", frames, k.compose.sign)
	if err != nil {
		k.t.Fatal(err)
	}
	at := len(r.idents)
	var parent header
	m := incoming{kind: r.Type, buffers: r.buffers}
	if at > 0 {
		m.topic = string(r.idents[0])
	}
	for i, v := range map[int]any{3: &parent, 4: &m.metadata, 5: &m.content} {
		if err := json.Unmarshal(frames[at+i], v); err != nil {
			k.t.Fatal(err)
		}
	}
	if _, err := time.Parse("2006-01-02T15:04:05.000000Z", r.Date); err != nil {
		k.t.Error(err)
	}
	m.parent = parent.ID
	return m
}

// outputs reads what is published for a request up to its idle; statuses are left out, messages of others passed over.
func (k *client) outputs(id string) []incoming {
	k.t.Helper()
	var all []incoming
	for {
		m := k.next(k.iopub)
		switch {
		case m.parent != id:
		case m.kind != "status":
			all = append(all, m)
		case m.content["execution_state"] == "idle":
			return all
		}
	}
}

// call sends a request on a socket and returns its reply and what was published.
func (k *client) call(on *zmtptest.Client, kind string, content any) (incoming, []incoming) {
	k.t.Helper()
	id := k.send(on, kind, content)
	reply := k.next(on)
	if reply.parent != id {
		k.t.Fatalf("%v has parent %q, must be %q", reply, reply.parent, id)
	}
	return reply, k.outputs(id)
}

// execute runs a cell.
func (k *client) execute(code string, more ...object) (incoming, []incoming) {
	k.t.Helper()
	return k.call(k.shell, "execute_request", cellContent(code, more...))
}

func cellContent(code string, more ...object) object {
	content := object{"code": code, "silent": false, "store_history": true, "user_expressions": object{}, "allow_stdin": true, "stop_on_error": true}
	for _, m := range more {
		maps.Copy(content, m)
	}
	return content
}

// TestMain lets the test's binary be a kernel with the fake session, for trying real clients on it.
func TestMain(m *testing.M) {
	if file := os.Getenv("GAUCHO_FAKE_KERNEL"); file != "" {
		if err := Run(context.Background(), file, &Options{Start: startFake}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
