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
	mine, theirs, err := openPipes()
	if err == nil {
		err = c.start(mine, theirs)
	}
	closeAll(theirs)
	if err != nil {
		closeAll(mine)
		return nil, fmt.Errorf("worker: cannot start: %w", err)
	}
	return c, nil
}

// openPipes opens the pipes between the kernel and a worker and returns the ends of each, by the file's number, as far as it
// came.
func openPipes() (mine, theirs []*os.File, err error) {
	for i := range pipe.NumFiles {
		open := os.Pipe
		if i == pipe.Messages {
			open = messagePipe
		}
		r, w, err := open()
		if err != nil {
			return mine, theirs, err
		}
		if i == pipe.Requests {
			r, w = w, r
		}
		mine, theirs = append(mine, r), append(theirs, w)
	}
	return mine, theirs, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// start starts the process with its ends of the pipes.
func (c *child) start(mine, theirs []*os.File) error {
	opts := &c.p.opts
	command := opts.Command
	if len(command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		command = []string{self, "worker"}
	}
	c.conn = wire.NewConn(mine[pipe.Messages], mine[pipe.Requests])
	c.raw = [2]*os.File{mine[pipe.RawStdout], mine[pipe.RawStderr]}
	c.cmd = exec.Command(command[0], command[1:]...)
	c.cmd.Dir = opts.Dir
	if opts.Env != nil {
		c.cmd.Env = append(c.cmd.Environ(), opts.Env...)
	}
	if opts.Stdin != nil {
		c.cmd.Stdin = opts.Stdin
	}
	c.cmd.Stdout, c.cmd.Stderr = theirs[pipe.RawStdout], theirs[pipe.RawStderr]
	// The worker gets the reading ends of its own streams too.
	for _, handle := range passFiles(c.cmd, []*os.File{theirs[pipe.Requests], theirs[pipe.Messages], c.raw[0], c.raw[1]}) {
		c.cmd.Args = append(c.cmd.Args, strconv.FormatUint(uint64(handle), 10))
	}
	c.cmd.Args = append(c.cmd.Args, strconv.FormatUint(c.limit, 10))
	started := make(chan error)
	go c.live(started, mine)
	return <-started
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
	closeAll(files)
}
