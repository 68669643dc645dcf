package worker

import (
	"os"
	"strings"
	"sync"

	"gaucho/interp/rt/run"
)

// A capturing keeps what a cell prints and shows from the user, for a magic. What it prints goes to a file at once, if there is one,
// so that it is there however the cell ends.
type capturing struct {
	mu      sync.Mutex
	file    *os.File
	text    strings.Builder // without a file
	failed  error
	release func()
}

// startCapture takes over what the cell prints and shows.
func (w *server) startCapture(cell int, file string) (*capturing, error) {
	c := &capturing{}
	if file != "" {
		var err error
		if c.file, err = os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600); err != nil {
			return nil, err
		}
	}
	c.release = w.out.capture(cell, func(output map[string]any) {
		if text, ok := output["text"].(string); ok && output["output_type"] == "stream" {
			c.write(text)
		}
	})
	return c, nil
}

func (c *capturing) write(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		c.text.WriteString(text)
	} else if _, err := c.file.WriteString(text); c.failed == nil {
		c.failed = err
	}
}

// stop gives the cell its output back.
func (c *capturing) stop() error {
	c.release()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file == nil {
		return nil
	}
	if err := c.file.Close(); c.failed == nil {
		c.failed = err
	}
	return c.failed
}

// fail is stop for a cell that failed. What it printed is shown if nothing else keeps it.
func (c *capturing) fail() {
	c.stop()
	run.Stdout.Write([]byte(c.text.String()))
}
