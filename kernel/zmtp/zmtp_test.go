package zmtp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gaucho/kernel/zmtp"
	"gaucho/kernel/zmtp/zmtptest"
)

func listen(t *testing.T) (net.Listener, string) {
	t.Helper()
	l, err := zmtp.Listen("tcp://127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l, "tcp://" + l.Addr().String()
}

func dial(t *testing.T, address, kind, identity string, minor byte) *zmtptest.Client {
	t.Helper()
	c, err := zmtptest.Dial(address, kind, identity, minor)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

func receive(t *testing.T, c *zmtptest.Client) string {
	t.Helper()
	m, err := c.Receive()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.Join(m, []byte("|")))
}

// newEchoRouter answers every message to where it came from, with the sender's name in front.
func newEchoRouter(t *testing.T) string {
	l, address := listen(t)
	var r *zmtp.Router
	ready := make(chan struct{})
	r = zmtp.NewRouter(l, func(peer string, m zmtp.Message) {
		<-ready
		if err := r.Send(peer, append(zmtp.Message{[]byte(peer)}, m...)); err != nil {
			t.Error(err)
		}
	}, nil)
	close(ready)
	t.Cleanup(func() { r.Close(time.Second) })
	return address
}

func TestRouterAnswersByIdentity(t *testing.T) {
	address := newEchoRouter(t)
	a, b := dial(t, address, "DEALER", "a", 1), dial(t, address, "DEALER", "b", 0)
	long := bytes.Repeat([]byte("x"), 70000)
	a.Send([]byte("1"), long)
	b.Send([]byte(""), []byte("2"))
	if got, want := receive(t, a), "a|1|"+string(long); got != want {
		t.Errorf("a got %.20q (%d bytes), must be %.20q (%d bytes)", got, len(got), want, len(want))
	}
	if got := receive(t, b); got != "b||2" {
		t.Errorf("b got %q", got)
	}
}

func TestRouterNamesTheNameless(t *testing.T) {
	address := newEchoRouter(t)
	for i, identity := range []string{"", "\x00taken"} {
		c := dial(t, address, "REQ", identity, 1)
		c.Send([]byte(""), []byte("x"))
		name, _, _ := strings.Cut(receive(t, c), "|")
		if want := string(binary.BigEndian.AppendUint32([]byte{0}, uint32(i+1))); name != want {
			t.Errorf("name is %q, must be %q", name, want)
		}
	}
}

func TestRouterHandsOver(t *testing.T) {
	address := newEchoRouter(t)
	old := dial(t, address, "DEALER", "same", 1)
	old.Send([]byte("1"))
	receive(t, old)
	heir := dial(t, address, "DEALER", "same", 1)
	heir.Send([]byte("2"))
	if got := receive(t, heir); got != "same|2" {
		t.Errorf("got %q", got)
	}
	if _, err := old.Receive(); err == nil {
		t.Error("the old connection lives")
	}
}

func TestRouterKnowsWhoIsGone(t *testing.T) {
	l, address := listen(t)
	heard := make(chan string, 1)
	r := zmtp.NewRouter(l, func(peer string, m zmtp.Message) { heard <- peer }, nil)
	defer r.Close(0)
	c := dial(t, address, "DEALER", "a", 1)
	c.Send([]byte("x"))
	<-heard
	c.Close()
	for r.Send("a", zmtp.Message{[]byte("y")}) != zmtp.ErrNoPeer {
		time.Sleep(time.Millisecond)
	}
}

func TestEcho(t *testing.T) {
	l, address := listen(t)
	e := zmtp.NewEcho(l, nil)
	defer e.Close(0)
	c := dial(t, address, "REQ", "", 1)
	c.Send([]byte(""), []byte("ping"))
	if got := receive(t, c); got != "|ping" {
		t.Errorf("got %q", got)
	}
}

func TestPingIsAnswered(t *testing.T) {
	l, address := listen(t)
	e := zmtp.NewEcho(l, nil)
	defer e.Close(0)
	c := dial(t, address, "REQ", "", 1)
	c.WriteFrame(4, []byte("\x04PING\x00\x0acontext"))
	body, flags, err := c.ReadFrame()
	if err != nil || flags != 4 || string(body) != "\x04PONGcontext" {
		t.Errorf("got %q, flags %d, %v", body, flags, err)
	}
}

func TestPublisherTopics(t *testing.T) {
	l, address := listen(t)
	welcomed := make(chan string, 10)
	p := zmtp.NewPublisher(l, func(topic string) zmtp.Message {
		welcomed <- topic
		return zmtp.Message{[]byte("welcome to " + topic)}
	}, nil)
	defer p.Close(0)
	a := dial(t, address, "SUB", "", 1)
	a.Subscribe("abc")
	b := dial(t, address, "SUB", "", 0)
	b.Send([]byte("\x01abd")) // as ZMTP 3.0 subscribes
	for _, c := range []*zmtptest.Client{a, b} {
		if got, want := receive(t, c), "welcome to "+<-welcomed; len(got) != len(want) {
			t.Errorf("got %q, must be %q", got, want)
		}
	}
	a.Subscribe("abc") // again: no second welcome
	a.Subscribe("x")
	if got := receive(t, a); got != "welcome to x" {
		t.Errorf("got %q", got)
	}
	p.Publish(zmtp.Message{[]byte("abc1"), []byte("for a")})
	p.Publish(zmtp.Message{[]byte("abd2"), []byte("for b")})
	p.Publish(zmtp.Message{[]byte("ab"), []byte("for nobody")})
	p.Publish(zmtp.Message{[]byte("x"), []byte("for a")})
	for _, want := range []string{"abc1|for a", "x|for a"} {
		if got := receive(t, a); got != want {
			t.Errorf("a got %q, must be %q", got, want)
		}
	}
	if got := receive(t, b); got != "abd2|for b" {
		t.Errorf("b got %q", got)
	}
	b.Send([]byte("\x00abd"))
	b.Send([]byte("\x01last"))
	receive(t, b)
	p.Publish(zmtp.Message{[]byte("abd2"), []byte("for nobody")})
	p.Publish(zmtp.Message{[]byte("last")})
	if got := receive(t, b); got != "last" {
		t.Errorf("b got %q after it cancelled", got)
	}
}

// A subscriber that never reads must not cost the others a message, nor the publisher more than its queue.
func TestFrozenSubscriber(t *testing.T) {
	l, address := listen(t)
	set := zmtp.DefaultSettings()
	set.Queue = 1 << 20
	p := zmtp.NewPublisher(l, nil, set)
	defer p.Close(0)
	frozen, healthy := dial(t, address, "SUB", "", 1), dial(t, address, "SUB", "", 1)
	frozen.Subscribe("")
	healthy.Subscribe("")
	for p.Subscribers() < 2 {
		time.Sleep(time.Millisecond)
	}
	const n = 10000
	body := bytes.Repeat([]byte("m"), 400)
	go func() {
		for i := range n {
			p.Wait(context.Background())
			p.Publish(zmtp.Message{fmt.Append(nil, i), body})
		}
	}()
	for i := range n {
		if got, want := receive(t, healthy), fmt.Sprint(i, "|", string(body)); got != want {
			t.Fatalf("got %.10q, must be %.10q", got, want)
		}
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	l, address := listen(t)
	set := zmtp.DefaultSettings()
	set.Queue = 1 << 24
	p := zmtp.NewPublisher(l, nil, set)
	defer p.Close(0)
	c := dial(t, address, "SUB", "", 1)
	c.Subscribe("")
	for p.Subscribers() < 1 {
		time.Sleep(time.Millisecond)
	}
	big := make([]byte, 1<<24) // more than the system takes for a peer that does not read
	for range 4 {
		p.Publish(zmtp.Message{big})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Wait(ctx)
}

func TestBigMessage(t *testing.T) {
	address := newEchoRouter(t)
	c := dial(t, address, "DEALER", "big", 1)
	body := make([]byte, 20<<20)
	body[len(body)-1] = 1
	go c.Send(body)
	m, err := c.Receive()
	if err != nil || !bytes.Equal(m[1], body) {
		t.Errorf("got %d frames, %v", len(m), err)
	}
}

// Peers that do not speak ZMTP as we do are dropped, and the socket lives.
func TestStrangers(t *testing.T) {
	l, address := listen(t)
	set := zmtp.DefaultSettings()
	set.Handshake, set.MaxMessage = 200*time.Millisecond, 1<<20
	var got atomic.Int32
	r := zmtp.NewRouter(l, func(string, zmtp.Message) { got.Add(1) }, set)
	defer r.Close(0)
	greeting := make([]byte, 64)
	greeting[0], greeting[9], greeting[10], greeting[11] = 0xff, 0x7f, 3, 1
	copy(greeting[12:], "NULL")
	with := func(at int, b ...byte) string {
		g := bytes.Clone(greeting)
		copy(g[at:], b)
		return string(g)
	}
	ready := "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
	g := string(greeting)
	for name, text := range map[string]string{
		"nothing":             "",
		"HTTP":                "GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser that came to a wrong place\r\n\r\n",
		"old ZMTP":            with(10, 1, 0),
		"CURVE":               with(12, []byte("CURVE")...),
		"garbage handshake":   g + strings.Repeat("\xfe", 100),
		"message first":       g + "\x00\x01x",
		"wrong socket type":   g + "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB",
		"metadata cut off":    g + "\x04\x0a\x05READY\x0bSoc",
		"metadata size":       g + "\x04\x16\x05READY\x0bSocket-Type\xff\xff\xff\xff",
		"bad flags":           g + ready + "\xff\x01x",
		"huge frame":          g + ready + "\x02\xff\xff\xff\xff\xff\xff\xff\xff",
		"large frame":         g + ready + "\x02\x00\x00\x00\x00\x7f\xff\xff\xff",
		"command in message":  g + ready + "\x01\x01x\x04\x05\x04PING",
		"nameless command":    g + ready + "\x04\x00",
		"short PING":          g + ready + "\x04\x05\x04PING",
		"half a message":      g + ready + "\x01\x01x",
		"too large a message": g + ready + strings.Repeat("\x03\x00\x00\x00\x00\x00\x06\x00\x00"+strings.Repeat("x", 6<<16), 3),
	} {
		nc, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(10 * time.Second))
		go io.WriteString(nc, text)
		if name == "half a message" {
			time.Sleep(50 * time.Millisecond)
			nc.Close()
			continue
		}
		if _, err := io.Copy(io.Discard, nc); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: the connection lives: %v", name, err)
		}
		nc.Close()
	}
	if got.Load() != 0 {
		t.Errorf("%d messages of strangers were handled", got.Load())
	}
	c := dial(t, address, "DEALER", "friend", 1)
	c.Send([]byte("x"))
	for got.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestCloseSendsWhatIsQueued(t *testing.T) {
	l, address := listen(t)
	var r *zmtp.Router
	heard := make(chan bool)
	r = zmtp.NewRouter(l, func(peer string, m zmtp.Message) { close(heard) }, nil)
	c := dial(t, address, "DEALER", "a", 1)
	c.Send([]byte("x"))
	<-heard
	for i := range 1000 {
		r.Send("a", zmtp.Message{fmt.Append(nil, i), make([]byte, 10000)})
	}
	go r.Close(5 * time.Second)
	for i := range 1000 {
		if m, err := c.Receive(); err != nil || string(m[0]) != fmt.Sprint(i) {
			t.Fatal(i, err)
		}
	}
}

func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket-1")
	stale, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	stale.Close()
	l, err := zmtp.Listen("ipc://" + path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zmtp.Listen("ipc://" + path); err == nil {
		t.Error("a socket in use was taken over")
	}
	e := zmtp.NewEcho(l, nil)
	c := dial(t, "ipc://"+path, "REQ", "", 1)
	c.Send([]byte(""), []byte("x"))
	if got := receive(t, c); got != "|x" {
		t.Errorf("got %q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	e.Close(0)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the socket's file is left behind")
	}
}

func TestBadAddress(t *testing.T) {
	for _, a := range []string{"", "127.0.0.1:1", "udp://127.0.0.1:1", "tcp://nowhere.invalid:1"} {
		if l, err := zmtp.Listen(a); err == nil {
			l.Close()
			t.Errorf("%q was taken", a)
		}
	}
}

// What is written is what is read, whatever the sizes.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x00\x01x"))
	f.Add([]byte("\x01\x00\x02\x00\x00\x00\x00\x00\x00\x01\x00"))
	f.Add([]byte("\x04\x05\x04PING"))
	f.Fuzz(func(t *testing.T, wire []byte) {
		if err := zmtp.CheckRoundTrip(wire, 1<<16); err != nil {
			t.Error(err)
		}
	})
}

// Metadata of a handshake may hold anything.
func FuzzProperties(f *testing.F) {
	f.Add([]byte("\x0bSocket-Type\x00\x00\x00\x06DEALER"))
	f.Fuzz(func(t *testing.T, b []byte) { zmtp.ParseProperties(b) })
}
