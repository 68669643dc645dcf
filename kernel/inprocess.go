package kernel

import (
	"context"
	"time"

	"gaucho/kernel/zmtp"
)

// A Client is the one client of a kernel that has no sockets, as in a browser, where both are parts of one page.
// A message is a list of frames: header, parent header, metadata, and content as JSON, then buffers.
type Client interface {
	// Receive waits for the next message and the channel that it is for: shell, control, or stdin. An error ends the kernel.
	Receive() (channel string, frames [][]byte, err error)
	// Send takes a message of a channel: shell, control, stdin, or iopub. Calls may come at once.
	Send(channel string, frames [][]byte)
}

// ServeClient is Serve without sockets. Messages are not signed.
func ServeClient(ctx context.Context, client Client, o *Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &Connection{Transport: "client", SignatureScheme: "hmac-sha256"}
	return serve(ctx, c, o, func(k *kernel) (*sockets, error) {
		s := &sockets{ready: make(chan struct{})}
		s.shell, s.control, s.stdin = line{client, "shell"}, line{client, "control"}, line{client, "stdin"}
		s.iopub = line{client, "iopub"}
		k.publishTo(s.iopub)
		s.open = func() {
			close(s.ready)
			go k.take(client, cancel)
		}
		return s, nil
	})
}

// take hands on what the client sends until that is over.
func (k *kernel) take(client Client, end context.CancelFunc) {
	defer end()
	handlers := map[string]func(string, zmtp.Message){
		"shell":   k.receive("shell", k.shells.put),
		"control": k.receive("control", k.control.queue.put),
		"stdin":   k.receive("stdin", k.input.put),
	}
	for {
		channel, frames, err := client.Receive()
		if err != nil {
			return
		}
		if handle := handlers[channel]; handle != nil {
			handle("client", append(zmtp.Message{delimiter, nil}, frames...))
		}
	}
}

// A line is the client's end of one channel.
type line struct {
	client  Client
	channel string
}

// Send sends what follows identities, delimiter, and signature.
func (l line) Send(_ string, m zmtp.Message) error {
	for i, f := range m {
		if string(f) == string(delimiter) {
			l.client.Send(l.channel, m[i+2:])
			break
		}
	}
	return nil
}

func (l line) Publish(m zmtp.Message) { l.Send("", m) }

// Wait has nothing to wait for: what is sent is the client's at once.
func (line) Wait(context.Context) {}

func (line) Close(time.Duration) {}
