package kernel

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"gaucho/interp/api"
)

// fake is a session with a language of one command a line, enough to make a kernel do all it can.
type fake struct {
	sink api.Sink
	now  chan struct{} // lets what is to come later go on

	mu      sync.Mutex
	stopped chan struct{} // closed by an interrupt
}

func startFake(_ context.Context, o api.Options) (Session, error) {
	return &fake{sink: o.Sink, now: make(chan struct{}), stopped: make(chan struct{})}, nil
}

func (f *fake) Execute(ctx context.Context, c api.Cell) (r api.Result) {
	f.mu.Lock()
	f.stopped = make(chan struct{})
	stopped := f.stopped
	f.mu.Unlock()
	for _, line := range strings.Split(c.Source, "\n") {
		if r.Err = f.command(ctx, c, line, stopped, &r); r.Err != nil {
			return r
		}
	}
	return r
}

func (f *fake) command(ctx context.Context, c api.Cell, line string, stopped chan struct{}, r *api.Result) *api.Error {
	word, rest, _ := strings.Cut(line, " ")
	n, _ := strconv.Atoi(rest)
	switch word {
	case "print":
		f.sink.Stream(c.ID, "stdout", rest+"\n")
	case "stderr":
		f.sink.Stream(c.ID, "stderr", rest+"\n")
	case "bytes":
		for i := range len(rest) {
			f.sink.Stream(c.ID, "stdout", rest[i:i+1])
			time.Sleep(5 * time.Millisecond)
		}
	case "lines":
		for i := range n {
			f.sink.Stream(c.ID, "stdout", fmt.Sprintln(i))
		}
	case "turns":
		for i := range n {
			f.sink.Stream(c.ID, "stdout", fmt.Sprintln(i))
			f.sink.Stream(c.ID, "stderr", fmt.Sprintln(i))
		}
	case "bulk":
		line := strings.Repeat("x", 999) + "\n"
		for range n {
			f.sink.Stream(c.ID, "stdout", line)
		}
	case "later":
		go func() {
			<-f.now
			f.sink.Clear(c.ID, false)
			f.sink.Stream(c.ID, "stdout", "later\n")
			f.now <- struct{}{}
		}()
	case "now":
		f.now <- struct{}{}
		<-f.now
	case "value":
		r.Display = &api.Display{Data: map[string]any{"text/plain": rest}}
	case "replace":
		r.Replace = &rest
	case "show":
		f.sink.Display(c.ID, api.Display{Data: map[string]any{"text/plain": rest}, ID: "d1"})
	case "update":
		f.sink.Display(c.ID, api.Display{Data: map[string]any{"text/plain": rest}, ID: "d1", Update: true})
	case "clear":
		f.sink.Clear(c.ID, rest == "wait")
	case "comm":
		f.sink.Comm(c.ID, api.Comm{Type: "open", ID: rest, Target: "target", Buffers: [][]byte{{1, 2, 0}}})
	case "fail":
		return &api.Error{Name: "Failure", Value: rest, Traceback: []string{"Failure: " + rest}}
	case "panic":
		panic("session is broken")
	case "sleep", "loop":
		wait := make(<-chan time.Time)
		if word == "sleep" {
			wait = time.After(time.Duration(n) * time.Millisecond)
		}
		select {
		case <-wait:
		case <-stopped:
			return &api.Error{Name: "Interrupt", Value: "interrupted"}
		}
	case "ask", "secret":
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			select {
			case <-stopped:
				cancel()
			case <-ctx.Done():
			}
		}()
		line, err := f.sink.Input(ctx, c.ID, rest, word == "secret")
		if err != nil {
			return &api.Error{Name: "InputError", Value: err.Error()}
		}
		f.sink.Stream(c.ID, "stdout", "got "+line+"\n")
	}
	return nil
}

func (f *fake) Evaluate(_ context.Context, _ api.Cell, x string) (map[string]any, *api.Error) {
	if x == "bad" {
		return nil, &api.Error{Name: "CompileError", Value: "undefined: bad"}
	}
	return map[string]any{"text/plain": x}, nil
}

func (f *fake) Interrupt() {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.stopped:
	default:
		close(f.stopped)
	}
}

func (f *fake) Complete(source string, cursor int) api.Completion {
	return api.Completion{Start: strings.LastIndex(source[:cursor], " ") + 1, End: cursor, Items: []api.Item{{Text: "print", Type: "function", Signature: "(text)"}}}
}

func (f *fake) Inspect(source string, cursor, detail int) (map[string]any, bool) {
	if strings.HasPrefix(source, "nothing") || source == "exit" {
		return nil, false
	}
	return map[string]any{"text/plain": fmt.Sprint(source, " ", detail)}, true
}

func (f *fake) IsComplete(source string) (string, string) {
	if strings.HasSuffix(source, "{") {
		return "incomplete", "\t"
	}
	return "complete", ""
}

func (f *fake) Comm(cell string, c api.Comm, done func()) {
	switch at, shows := c.Data["shows in"].(string); {
	case shows:
		f.sink.Stream(at, "stdout", "called\n")
		f.sink.Display(at, api.Display{Data: map[string]any{"text/plain": "shown"}, ID: "d1"})
		f.sink.Display(at, api.Display{Data: map[string]any{"text/plain": "anew"}, ID: "d1", Update: true})
		f.sink.Clear(at, true)
	case c.Type == "msg":
		f.sink.Comm(cell, api.Comm{Type: "msg", ID: c.ID, Data: c.Data, Buffers: c.Buffers})
	case c.Target == "unknown":
		f.sink.Comm(cell, api.Comm{Type: "close", ID: c.ID})
	}
	done()
}

func (f *fake) Close() error {
	f.Interrupt()
	return nil
}
