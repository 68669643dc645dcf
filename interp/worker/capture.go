package worker

import (
	"os"
	"strings"
	"sync"
)

// A capturing keeps what a cell prints and shows from the user, for a magic.
type capturing struct {
	mu      sync.Mutex
	text    strings.Builder
	release func()
}

// startCapture takes over what the cell prints and shows.
func (w *server) startCapture(cell int) *capturing {
	c := &capturing{}
	c.release = w.out.capture(cell, func(output map[string]any) {
		if text, ok := output["text"].(string); ok && output["name"] == "stdout" {
			c.mu.Lock()
			c.text.WriteString(text)
			c.mu.Unlock()
		}
	})
	return c
}

// stop gives the cell its output back, and writes what it printed to a file, if one is named.
func (c *capturing) stop(file string) error {
	c.release()
	if file == "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return os.WriteFile(file, []byte(c.text.String()), 0o600)
}
