package pool

import (
	"fmt"
	"sync"
)

// complaints is the embedded server's log: it keeps the first error, which says why a server did not start.
type complaints struct {
	mu  sync.Mutex
	err error
}

func (c *complaints) keep(format string, v []any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = fmt.Errorf(format, v...)
	}
}

func (c *complaints) first() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

func (c *complaints) Errorf(format string, v ...any) { c.keep(format, v) }
func (c *complaints) Fatalf(format string, v ...any) { c.keep(format, v) }
func (c *complaints) Noticef(string, ...any)         {}
func (c *complaints) Warnf(string, ...any)           {}
func (c *complaints) Debugf(string, ...any)          {}
func (c *complaints) Tracef(string, ...any)          {}
