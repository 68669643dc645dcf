package headless

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"

	"gaucho/interp"
)

// A Console is the sink of a program that runs on a terminal: text goes where the program sends it, displays leave
// their text form, and input is read line by line.
type Console struct {
	Stdout, Stderr io.Writer
	Stdin          io.Reader
	Password       func() (string, error) // reads a line unseen; nil reads it like any other

	once  sync.Once
	lines *bufio.Reader
}

var _ interp.Sink = (*Console)(nil)

// Stream writes the text.
func (c *Console) Stream(cell, name, text string) {
	if name == "stderr" {
		io.WriteString(c.Stderr, text)
	} else {
		io.WriteString(c.Stdout, text)
	}
}

// Display writes the text form, if there is one.
func (c *Console) Display(cell string, d interp.Display) {
	if s, ok := d.Data["text/plain"].(string); ok {
		io.WriteString(c.Stdout, asLine(s))
	}
}

// asLine is a text that ends in one newline, as a program prints a value.
func asLine(s string) string { return strings.TrimSuffix(s, "\n") + "\n" }

// Clear does nothing: what is on a terminal stays.
func (c *Console) Clear(cell string, wait bool) {}

// Comm does nothing: no front end listens.
func (c *Console) Comm(cell string, m interp.Comm) {}

// Input shows the prompt and reads a line. At the end of the input the error is io.EOF.
func (c *Console) Input(ctx context.Context, cell, prompt string, password bool) (string, error) {
	io.WriteString(c.Stdout, prompt)
	if password && c.Password != nil {
		return c.Password()
	}
	c.once.Do(func() { c.lines = bufio.NewReader(c.Stdin) })
	line, err := c.lines.ReadString('\n')
	if err == io.EOF && line != "" {
		err = nil
	}
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"), err
}
