package compiled

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// A compiler runs Go's compiler, one process a package. Starting a process takes as long as compiling a short cell, so the
// next one is started ahead: it has initialised itself and waits for its arguments, which it reads from its standard
// input.
type compiler struct {
	file string
	dir  string

	mu     sync.Mutex
	next   *compilation
	closed bool
}

// A compilation is a compiler's process.
type compilation struct {
	cmd    *exec.Cmd
	args   *os.File
	output limited
	done   chan struct{}
	err    error // once done
	// stopped says that it was ended here.
	stopped bool
}

// patience is what one cell may take to compile.
const patience = time.Minute

// start starts a process that waits for its arguments.
func (c *compiler) start() (*compilation, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p := &compilation{args: w, done: make(chan struct{})}
	p.cmd = exec.Command(c.file, "@/dev/stdin")
	p.cmd.Dir, p.cmd.Stdin = c.dir, r
	// It is so short that collecting its garbage is a waste of time.
	p.cmd.Env = append(os.Environ(), "GOGC=off", "GOMEMLIMIT=1GiB")
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	if err := startLimited(p.cmd); err != nil {
		w.Close()
		return nil, fmt.Errorf("the Go compiler cannot be started: %w", err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// prepare starts the next process, unless one waits already. What fails here fails again, with words, when a cell needs
// it.
func (c *compiler) prepare() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil && !c.closed {
		c.next, _ = c.start()
	}
}

// packageFlags are those for every package: one object that the loader takes, without tables for debuggers, by two threads.
var packageFlags = []string{"-pack", "-linkshared", "-dwarf=0", "-c=2"}

// compile runs the compiler with the arguments, until it ends or ctx does.
func (c *compiler) compile(ctx context.Context, args ...string) error {
	defer func() { go c.prepare() }()
	args = slices.Concat(packageFlags, args)
	c.mu.Lock()
	p := c.next
	c.next = nil
	c.mu.Unlock()
	if p != nil {
		if err := p.run(ctx, args); !p.ended() {
			return err
		}
		// Somebody ended the process while it waited.
	}
	p, err := c.start()
	if err != nil {
		return err
	}
	return p.run(ctx, args)
}

// ended reports whether a signal that is not ours ended the process.
func (p *compilation) ended() bool {
	select {
	case <-p.done:
		return p.err != nil && !p.cmd.ProcessState.Exited() && !p.stopped
	default:
		return false
	}
}

// run has the compiler compile by the arguments.
func (p *compilation) run(ctx context.Context, args []string) error {
	lines := make([]string, len(args))
	for i, a := range args {
		lines[i] = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(a)
	}
	p.args.WriteString(strings.Join(lines, "\n")) // where this fails, the process has ended
	p.args.Close()
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.end()
		return ctx.Err()
	case <-late.C:
		p.end()
		return fmt.Errorf("the Go compiler takes more than %v for this cell, and was stopped", patience)
	}
	if p.err == nil {
		return nil
	}
	text := strings.TrimSpace(p.output.String())
	switch {
	case strings.Contains(text, "no space left on device"):
		return errors.New("the cell cannot be compiled: the disk is full")
	case text == "":
		return fmt.Errorf("the Go compiler ended with %v: the cell may need more memory than there is", p.err)
	}
	return fmt.Errorf("the Go compiler does not take the cell's text; this is a bug in Gaucho: %s", text)
}

// end kills the process.
func (p *compilation) end() {
	p.stopped = true
	p.cmd.Process.Kill()
	<-p.done
}

func (c *compiler) close() {
	c.mu.Lock()
	p := c.next
	c.next, c.closed = nil, true
	c.mu.Unlock()
	if p != nil {
		p.args.Close()
		p.end()
	}
}

// limited keeps the first part of what is written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	const most = 64 << 10
	l.Buffer.Write(p[:min(len(p), max(0, most-l.Len()))])
	return len(p), nil
}
