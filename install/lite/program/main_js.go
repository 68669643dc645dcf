// Program is Gaucho in a browser: the kernel in one Web Worker, and what it starts in another, in which cells run. Both run
// this one program; its first argument says which it is.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"syscall/js"

	"gaucho/install"
	"gaucho/interp"
	"gaucho/interp/wire/pipe"
	"gaucho/interp/worker"
	"gaucho/kernel"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(worker.Main(os.Args[2:], nil))
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	err := kernel.ServeClient(context.Background(), newPage(), &kernel.Options{
		Start: func(ctx context.Context, o interp.Options) (kernel.Session, error) {
			s, err := interp.Start(ctx, o)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
		Session: interp.Options{Engine: "yaegi", NoShell: true, MemoryLimit: memoryLimit},
		Version: install.Version,
		History: "off",
		Log:     log,
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// memoryLimit is what cells may use: browsers give a program at most 4 GiB, and end it without a word beyond that.
const memoryLimit = 3 << 30

// A page is the kernel's client:
//
//	gaucho.send(channel, frames)       sends a message to the page
//	gaucho.receive(channel, frames)    set here, takes one of the page; frames are Uint8Arrays
type page struct {
	mu      sync.Mutex
	some    sync.Cond
	waiting []message
	post    js.Value
}

type message struct {
	channel string
	frames  [][]byte
}

func newPage() *page {
	gaucho := js.Global().Get("gaucho")
	p := &page{post: gaucho.Get("send")}
	p.some.L = &p.mu
	gaucho.Set("receive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		m := message{channel: args[0].String()}
		for i := range args[1].Length() {
			m.frames = append(m.frames, pipe.Bytes(args[1].Index(i)))
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.waiting = append(p.waiting, m)
		p.some.Signal()
		return nil
	}))
	return p
}

// Receive waits for a message of the page, which never says goodbye: it ends the Web Worker.
func (p *page) Receive() (string, [][]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.waiting) == 0 {
		p.some.Wait()
	}
	m := p.waiting[0]
	p.waiting = p.waiting[1:]
	return m.channel, m.frames, nil
}

func (p *page) Send(channel string, frames [][]byte) {
	list := make([]any, len(frames))
	for i, f := range frames {
		list[i] = pipe.Array(f)
	}
	p.post.Invoke(channel, list)
}
