package compiled

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"gaucho/internal/buildenv"
	"gaucho/interp/kit"
)

// A compiler runs Go's compiler, one process a package. Starting a process takes as long as compiling a short cell, so the
// next one is started ahead: it has initialised itself and waits for what it reads from its standard input.
type compiler struct {
	kit   *kit.Kit
	dir   string
	flags []string // for cells

	programs programs

	mu     sync.Mutex
	next   *compilation
	closed bool
}

var (
	errEnded  = errors.New("the Go compiler was ended from outside")
	errMemory = errors.New("the Go compiler ended before the cell was compiled: there may not be enough memory for this cell")
)

// A compilation is a compiler's process.
type compilation struct {
	cmd    *exec.Cmd
	input  *os.File
	output limited
	done   chan struct{}
	err    error // once done
	// stopped says that it was ended here.
	stopped bool
}

// start starts one of the kit's programs, which has the file of the result among its arguments.
func (c *compiler) start(tool string, args ...string) (*compilation, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p := &compilation{input: w, done: make(chan struct{})}
	begin := func(file string) error {
		p.cmd = exec.Command(file, args...)
		p.cmd.Dir, p.cmd.Stdin = c.dir, r
		// It is so short that collecting its garbage is a waste of time.
		p.cmd.Env = buildenv.Environ("GOGC=off", "GOMEMLIMIT=1GiB")
		p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
		return startLimited(p.cmd)
	}
	file := c.kit.Tool(tool)
	if err = begin(file); errors.Is(err, fs.ErrPermission) { // a directory from which nothing can be executed
		if file, err = c.programs.inMemory(file); err == nil {
			err = begin(file)
		}
	}
	if err != nil {
		w.Close()
		return nil, fmt.Errorf("the Go compiler cannot be started: %w", err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// startAhead starts a compiler for a cell, with more flags if there are any.
func (c *compiler) startAhead(more ...string) (*compilation, error) {
	return c.start("compile", slices.Concat(packageFlags, c.flags, more, []string{"-"})...)
}

// prepare starts the next process, unless one waits already. What fails here fails again, with words, when a cell needs
// it.
func (c *compiler) prepare() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == nil && !c.closed {
		c.next, _ = c.startAhead()
	}
}

// packageFlags are those for every package: one object that the loader takes, without tables for debuggers, by two threads.
var packageFlags = []string{"-pack", "-linkshared", "-dwarf=0", "-c=2"}

// cell compiles the package of a cell, a file, until that is done or ctx ends. The imports are lines PATH=FILE. Where inlining makes
// far more of the text than there is, as it doubles function literals that are called at once at each level that they are nested, the
// package is compiled without.
func (c *compiler) cell(ctx context.Context, path, object, file string, imports []byte) error {
	request := fmt.Appendf(nil, "%s\n%s\n%s\n%s", path, object, file, imports)
	c.mu.Lock()
	p := c.next
	c.next = nil
	c.mu.Unlock()
	go c.prepare() // while this one compiles, which is for the most part on one core
	err := errEnded
	if p != nil {
		err = p.run(ctx, request)
		if p.ended() { // somebody ended the process while it waited
			err = errEnded
		}
	}
	if err == errEnded {
		err = c.again(ctx, request)
	}
	if err == errMemory || err == nil && bloated(object, file) {
		return c.again(ctx, request, "-l")
	}
	return err
}

// again starts a compiler with more flags and has it compile a package.
func (c *compiler) again(ctx context.Context, request []byte, more ...string) error {
	p, err := c.startAhead(more...)
	if err != nil {
		return err
	}
	return p.run(ctx, request)
}

// bloated reports whether an object is so much larger than its text that inlining must be to blame.
func bloated(object, file string) bool {
	made, err := os.Stat(object)
	text, other := os.Stat(file)
	return err == nil && other == nil && made.Size() > 8<<20 && made.Size() > 500*text.Size()
}

// run runs one of the kit's programs until it ends or ctx does.
func (c *compiler) run(ctx context.Context, tool string, args ...string) error {
	p, err := c.start(tool, args...)
	if err != nil {
		return err
	}
	return p.run(ctx, nil)
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

// run gives the process its input and waits for its end, however long that takes: whom it takes too long can interrupt it.
func (p *compilation) run(ctx context.Context, input []byte) error {
	p.input.Write(input) // where this fails, the process has ended
	p.input.Close()
	select {
	case <-p.done:
	case <-ctx.Done():
		p.end()
		return ctx.Err()
	}
	if p.err == nil {
		return nil
	}
	text := strings.TrimSpace(p.output.String())
	switch {
	case strings.Contains(text, "no space left on device"):
		return errors.New("the cell cannot be compiled: the disk is full")
	case text == "", strings.Contains(text, "out of memory"), strings.Contains(text, "cannot allocate memory"):
		return errMemory
	}
	return fmt.Errorf("the Go compiler rejected the cell's text; this is a bug in Gaucho: %s", text)
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
		p.input.Close()
		p.end()
	}
	c.programs.close()
}

// limited keeps the first part of what is written to it.
type limited struct{ bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	const most = 64 << 10
	l.Buffer.Write(p[:min(len(p), max(0, most-l.Len()))])
	return len(p), nil
}
