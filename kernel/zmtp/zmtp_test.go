package zmtp_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
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

// greeting is that of a peer with the NULL mechanism, and introduction what a DEALER says before its messages.
var (
	greeting     = "\xff" + strings.Repeat("\x00", 8) + "\x7f\x03\x01NULL" + strings.Repeat("\x00", 48)
	introduction = greeting + "\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
)

// Peers that do not speak ZMTP as we do are dropped, each for its own reason, and the socket lives.
func TestStrangers(t *testing.T) {
	l, address := listen(t)
	set := zmtp.DefaultSettings()
	set.Handshake, set.MaxMessage = 200*time.Millisecond, 1<<20
	book := make(logbook, 1)
	set.Log = slog.New(slog.NewTextHandler(book, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var got atomic.Int32
	r := zmtp.NewRouter(l, func(string, zmtp.Message) { got.Add(1) }, set)
	defer r.Close(0)
	with := func(at int, text string) string { return greeting[:at] + text + greeting[at+len(text):] }
	for name, c := range map[string]struct{ text, why string }{
		"nothing":             {"", "i/o timeout"},
		"HTTP":                {"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: a browser that came to a wrong place\r\n\r\n", "invalid greeting"},
		"old ZMTP":            {with(10, "\x01\x00"), "invalid ZMTP version"},
		"CURVE":               {with(12, "CURVE"), "unsupported security mechanism"},
		"garbage handshake":   {greeting + strings.Repeat("\xfe", 100), "flags 0xfe"},
		"message first":       {greeting + "\x00\x01x", "invalid frame"},
		"wrong socket type":   {greeting + "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB", "not compatible"},
		"unknown socket type": {greeting + "\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03FOO", "unknown socket-type"},
		"no socket type":      {greeting + "\x04\x06\x05READY", "unknown socket-type"},
		"metadata cut off":    {greeting + "\x04\x0a\x05READY\x0bSoc", "EOF"},
		"metadata short":      {greeting + "\x04\x07\x05READY\x01", "out of range"},
		"metadata size":       {greeting + "\x04\x16\x05READY\x0bSocket-Type\xff\xff\xff\xff", "EOF"},
		"bad flags":           {introduction + "\xff\x01x", "flags 0xff"},
		"huge frame":          {introduction + "\x02\xff\xff\xff\xff\xff\xff\xff\xff", "frame of 18446744073709551615 bytes"},
		"large frame":         {introduction + "\x02\x00\x00\x00\x00\x7f\xff\xff\xff", "frame of 2147483647 bytes"},
		"command in message":  {introduction + "\x01\x01x\x04\x05\x04PING", "command inside a message"},
		"nameless command":    {introduction + "\x04\x00", "EOF"},
		"short PING":          {introduction + "\x04\x05\x04PING", "PING of a wrong size"},
		"half a message":      {introduction + "\x01\x01x", "EOF"},
		"too large a message": {introduction + strings.Repeat("\x03\x00\x00\x00\x00\x00\x06\x00\x00"+strings.Repeat("x", 6<<16), 3), "262144 are left"},
		"too many frames":     {introduction + strings.Repeat("\x01\x00", 1<<16), "more than 65536 frames"},
	} {
		nc, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		nc.SetDeadline(time.Now().Add(time.Minute))
		go func() {
			io.WriteString(nc, c.text)
			if name == "half a message" {
				nc.(*net.TCPConn).CloseWrite()
			}
		}()
		if _, err := io.Copy(io.Discard, nc); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: the connection lives: %v", name, err)
		}
		nc.Close()
		if line := book.line(t); !strings.Contains(line, c.why) {
			t.Errorf("%s: logged %q, must say %q", name, line, c.why)
		}
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

// A logbook passes on what is logged, line by line.
type logbook chan string

func (l logbook) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func (l logbook) line(t *testing.T) string {
	t.Helper()
	select {
	case line := <-l:
		return line
	case <-time.After(time.Minute):
		t.Fatal("nothing was logged in a minute")
		return ""
	}
}

// Peers that announce large frames and send little of them cost little.
func TestMemoryFollowsWhatArrives(t *testing.T) {
	l, _ := listen(t)
	set := zmtp.DefaultSettings()
	book := make(logbook, 1)
	set.Log = slog.New(slog.NewTextHandler(book, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r := zmtp.NewRouter(l, func(string, zmtp.Message) { t.Error("a message was handled") }, set)
	defer r.Close(0)
	const peers, arrives = 20, 1 << 20
	text := []byte(introduction + "\x02\x00\x00\x00\x00\x30\x00\x00\x00" + strings.Repeat("x", arrives)) // of 768 MiB
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range peers {
		nc, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		nc.Write(text)
		nc.(*net.TCPConn).CloseWrite()
		book.line(t)
		nc.Close()
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > peers*3*arrives {
		t.Errorf("%d bytes were allocated for %d that arrived", used, peers*arrives)
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
	go r.Close(time.Minute)
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

// What is sent is what was received, whatever the sizes.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("\x00\x01x"))
	f.Add([]byte("\x01\x00\x02\x00\x00\x00\x00\x00\x00\x00\x01\x00"))
	f.Add([]byte("\x04\x05\x04PING"))
	f.Add([]byte("\x02\x00\x00\x00\x00\x00\x01\x00\x01" + strings.Repeat("x", 1<<16+1)))
	f.Fuzz(func(t *testing.T, wire []byte) {
		if err := zmtp.CheckRoundTrip([]byte(introduction), wire, 1<<18); err != nil {
			t.Error(err)
		}
	})
}

// A stranger may say anything.
func FuzzStrangers(f *testing.F) {
	f.Add([]byte(introduction + "\x04\x05\x04PING"))
	f.Add([]byte(greeting + "\x04\x07\x05READY\x01"))
	f.Fuzz(func(t *testing.T, wire []byte) { zmtp.CheckStranger(wire) })
}
