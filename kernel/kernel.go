package kernel

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"sync"
	"sync/atomic"
	"time"

	"gaucho/interp/api"
)

// Options say how a kernel runs. All but Start may be zero.
type Options struct {
	Session api.Options // how cells run; Log and Sink are the kernel's
	Version string      // of Gaucho, for clients that ask
	// Start starts a session, such as one of package interp. There is no kernel without it.
	Start func(context.Context, api.Options) (Session, error)
	// History is the file that keeps what cells were run; empty for the user's own, "off" for none.
	History string
	Log     *slog.Logger // nil for warnings on standard error
}

// Run serves the sockets that a connection file names until a client asks for shutdown, ctx ends, the process is asked
// to terminate, or the process that started it is gone. A connection file that cannot be used is an error at once.
func Run(ctx context.Context, connectionFile string, o *Options) error {
	c, err := readConnection(connectionFile)
	if err != nil {
		return err
	}
	return Serve(ctx, c, o)
}

// A kernel is one running kernel.
type kernel struct {
	options    Options
	connection *Connection
	log        *slog.Logger
	ctx        context.Context
	ident      string // of this kernel among all
	messages   atomic.Uint64
	composer   *composer
	socks      *sockets
	iopub      *iopub
	session    *starting
	parents    *parents
	late       late
	busy       busy
	comms      comms
	handlers   map[string]handler // by type of request
	input      input
	history    *history
	debug      debugState
	count      atomic.Int64 // of cells in the history: the number in In[...]
	meter      meter

	shells   shells
	control  *channel
	stop     context.CancelFunc
	stopping sync.Once
	leaving  atomic.Bool // a client asked for shutdown
}

// Serve is Run with a connection that has been read.
func Serve(ctx context.Context, c *Connection, o *Options) error {
	return serve(ctx, c, o, func(k *kernel) (*sockets, error) { return k.listen(c) })
}

// serve runs a kernel on the sockets that listen returns.
func serve(ctx context.Context, c *Connection, o *Options, listen func(*kernel) (*sockets, error)) error {
	if o == nil || o.Start == nil {
		return errors.New("kernel: Options.Start is nil, must be a function that starts a session")
	}
	k := &kernel{options: *o, connection: c, log: o.Log, ident: rand.Text(), parents: newParents(), handlers: handlers()}
	if k.log == nil {
		k.log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	ctx, k.stop = context.WithCancel(ctx)
	defer k.stop()
	k.ctx = ctx
	sign, err := newSigner(c.SignatureScheme, c.Key)
	if err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	if c.Key == "" && c.Transport == "tcp" {
		k.log.Warn("kernel: the connection file has an empty key, so messages are not signed: every user of this machine can run code here; Jupyter always writes a key")
	}
	k.composer = &composer{sign: sign, session: k.ident, user: userName(), count: func() uint64 { return k.messages.Add(1) }}
	if k.history, err = openHistory(o.History, k.log); err != nil {
		k.log.Warn("kernel: history is not kept", "err", err)
	}
	defer k.history.close()

	k.shells.init(k)
	k.control = k.newChannel("", func() router { return k.socks.control })
	if k.socks, err = listen(k); err != nil {
		return err
	}
	k.busy.iopub, k.busy.tidy = k.iopub, newTidier()
	defer k.busy.tidy.busy()
	k.iopub.status(&parent{}, "starting")
	options := o.Session
	options.Log, options.Sink = k.log, sink{k}
	k.session = startSession(ctx, options, o.Start)
	k.socks.open()
	defer k.close()

	var loops sync.WaitGroup
	loops.Go(k.shells.main.serve)
	loops.Go(k.control.serveControl)
	stopSignals := k.watchSignals()
	defer stopSignals()
	go k.watchStarter(ctx)
	<-ctx.Done()
	k.end()
	k.control.queue.close()
	waitFor(&loops, time.Second)
	return nil
}

// end ends the session and all that waits for it; it is called more than once.
func (k *kernel) end() {
	k.stopping.Do(func() {
		k.shells.close()
		k.input.cancel()
		<-k.session.ready
		if s := k.session.session; s != nil {
			if err := s.Close(); err != nil {
				k.log.Warn("kernel: closing the session failed", "err", err)
			}
		}
	})
}

// close lets the last messages go out and closes the sockets.
func (k *kernel) close() {
	k.end()
	k.shells.close()
	k.control.queue.close()
	k.socks.close(time.Second)
}

// waitFor waits for the group, but not for ever.
func waitFor(g *sync.WaitGroup, limit time.Duration) {
	done := make(chan struct{})
	go func() { g.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(limit):
	}
}

func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "gaucho"
}
