package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"gaucho/interp/rt/run"
)

// lastOutput is how long a command that has ended is waited for by its output: a process that it left in the background may hold
// the other end, and go on printing.
const lastOutput = 100 * time.Millisecond

// shell runs a command line with the worker's environment and directory, and ends it with all processes that it has started when the
// cell is interrupted.
func shell(program, line string) error {
	args := []string{"-c", line}
	if runtime.GOOS == "windows" && program == "sh" {
		program, args = "cmd", []string{"/c", line}
	}
	cmd := exec.CommandContext(run.Ctx(), program, args...)
	cmd.Cancel = func() error { return endTree(cmd.Process) }
	printed, err := runPrinting(cmd)
	if err == nil {
		err = cmd.Wait()
		select {
		case <-printed:
		case <-time.After(lastOutput):
		}
	}
	if run.Ctx().Err() != nil {
		return run.ErrInterrupt
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return fmt.Errorf("the command ended with %v", exit)
	}
	return err
}

// runPrinting starts a command whose output is the running cell's, however late it comes. The channel is closed when there is no more.
func runPrinting(cmd *exec.Cmd) (printed <-chan struct{}, err error) {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	var copying sync.WaitGroup
	copied := func(to io.Writer) (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, w)
		copying.Go(func() {
			defer r.Close()
			io.Copy(to, r)
		})
		return w, nil
	}
	out, err := copied(run.Stdout)
	if err != nil {
		return nil, err
	}
	errors, err := copied(run.Stderr)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, errors
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		copying.Wait()
		close(done)
	}()
	return done, nil
}
