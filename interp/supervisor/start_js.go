package supervisor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall/js"

	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// A processGroup is a Web Worker of the page.
type processGroup struct{ worker js.Value }

// kill ends the Web Worker, at once.
func (g *processGroup) kill() { g.worker.Call("kill") }

func (g *processGroup) resume() {}

// startChild has the page start a Web Worker with the same program. What it is to the page:
//
//	gaucho.spawn(args, message, words, end) → {send(bytes), kill()}
//
// where message takes bytes of messages, words those of the Go runtime's last words, end the exit status, -1 of one that was
// killed.
func startChild(p *Process) (*child, error) {
	c := &child{p: p, dead: make(chan struct{}), others: map[int]*running{}}
	c.limit, c.whose = memoryLimit(p.opts.MemoryLimit)
	c.cmd = &exec.Cmd{Process: &os.Process{}} // of which there is none
	messages, status := pipe.NewStream(), make(chan int, 1)
	var funcs []js.Func
	callback := func(f func(args []js.Value)) js.Func {
		fn := js.FuncOf(func(_ js.Value, args []js.Value) any { f(args); return nil })
		funcs = append(funcs, fn)
		return fn
	}
	worker := js.Global().Get("gaucho").Call("spawn",
		[]any{"worker", strconv.FormatUint(c.limit, 10)},
		callback(func(args []js.Value) { messages.Push(args[0]) }),
		callback(func(args []js.Value) { c.rest = append(c.rest, pipe.Bytes(args[0])...) }),
		callback(func(args []js.Value) { messages.Close(); status <- args[0].Int() }))
	c.group = &processGroup{worker}
	c.conn = wire.NewConn(messages, pipe.Writer(worker.Get("send")))
	go func() {
		received := make(chan struct{})
		go c.receive(received)
		n := <-status
		<-received
		switch c.cut = n == 2; {
		case n == 2, n < 0, c.killed != nil:
		default:
			c.killed = &wire.Error{Name: "Exit", Code: n, Value: fmt.Sprintf("the worker ended with exit status %d (os.Exit or log.Fatal in compiled code)", n)}
		}
		c.reap(errors.New("exit status " + strconv.Itoa(n)))
		for _, f := range funcs {
			f.Release()
		}
	}()
	return c, nil
}

// readRest has nothing: the worker sends all but its last words itself.
func readRest(*os.File) []byte { return nil }

// pipeHolds has nothing either.
func pipeHolds(*os.File) int { return 0 }

// residentMemory cannot tell here; the worker watches its own memory.
func residentMemory(int) uint64 { return 0 }
