//go:build !js

package supervisor

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"gaucho/interp/wire"
	"gaucho/interp/wire/pipe"
)

// startChild starts a worker process.
func startChild(p *Process) (*child, error) {
	c := &child{p: p, dead: make(chan struct{}), others: map[int]*running{}}
	c.limit, c.whose = memoryLimit(p.opts.MemoryLimit)
	var mine, theirs []*os.File // reading or writing ends, by the file's number
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	join := func(read bool) (*os.File, error) {
		open := os.Pipe
		if read {
			open = messagePipe
		}
		r, w, err := open()
		if err != nil {
			return nil, err
		}
		if read {
			r, w = w, r
		}
		mine, theirs = append(mine, w), append(theirs, r)
		return w, nil
	}
	fail := func(err error) (*child, error) {
		for _, f := range mine {
			f.Close()
		}
		return nil, fmt.Errorf("worker: cannot start: %w", err)
	}
	var files [pipe.NumFiles]*os.File
	for i := range files {
		var err error
		if i == pipe.RawStdout || i == pipe.RawStderr {
			// The kernel and the worker have the reading end, the worker's stream is the writing end.
			r, w, err := os.Pipe()
			if err != nil {
				return fail(err)
			}
			mine, theirs = append(mine, r), append(theirs, w)
			files[i] = r
			c.raw[i-pipe.RawStdout] = r
			continue
		}
		if files[i], err = join(i != pipe.Requests); err != nil {
			return fail(err)
		}
	}
	c.conn = wire.NewConn(mine[pipe.Messages], mine[pipe.Requests])

	shared := append([]*os.File(nil), theirs...)
	shared[pipe.RawStdout], shared[pipe.RawStderr] = c.raw[0], c.raw[1]
	command := p.opts.Command
	if len(command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return fail(err)
		}
		command = []string{self, "worker"}
	}
	c.cmd = exec.Command(command[0], command[1:]...)
	c.cmd.Dir = p.opts.Dir
	if p.opts.Stdin != nil {
		c.cmd.Stdin = p.opts.Stdin
	}
	c.cmd.Stdout, c.cmd.Stderr = theirs[pipe.RawStdout], theirs[pipe.RawStderr]
	for _, handle := range passFiles(c.cmd, shared) {
		c.cmd.Args = append(c.cmd.Args, strconv.FormatUint(uint64(handle), 10))
	}
	c.cmd.Args = append(c.cmd.Args, strconv.FormatUint(c.limit, 10))
	started := make(chan error)
	go c.live(started, mine)
	if err := <-started; err != nil {
		return fail(err)
	}
	return c, nil
}

// live starts the process and waits for its end, on one thread, because on Linux the process is killed when the thread
// that started it ends.
func (c *child) live(started chan<- error, files []*os.File) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	group, err := startGroup(c.cmd)
	if err != nil {
		started <- err
		return
	}
	c.group = group
	started <- nil
	received := make(chan struct{})
	go c.receive(received)
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		c.watch(ended)
		close(watched)
	}()

	err = c.cmd.Wait()
	close(ended)
	<-watched
	c.group.end()
	<-received
	c.reap(err)
	for _, f := range files {
		f.Close()
	}
}
