package run

import (
	"io"
	"os"
)

// Input asks the user for a line and returns it without its newline. Where nobody can be asked it returns an error.
func Input(prompt string) (string, error) { return ask(prompt, false) }

// Password is Input for what must not be seen.
func Password(prompt string) (string, error) { return ask(prompt, true) }

func ask(prompt string, password bool) (string, error) {
	c := self().cell
	line, err := host.Load().Input(c.ID, prompt, password)
	stopIfDone()
	return line, err
}

// Stdin is the standard input of cells: each time it has been read to its end it asks the user for a line. A program's
// is the process's own.
var Stdin io.Reader = stdin{}

type stdin struct{}

// input is what a cell was given and has not read yet.
type input struct{ text []byte }

// fill asks for a line if there is nothing left.
func (in *input) fill() error {
	if len(in.text) > 0 {
		return nil
	}
	line, err := ask("", false)
	if err != nil {
		return io.EOF
	}
	in.text = append([]byte(line), '\n')
	return nil
}

func (stdin) Read(p []byte) (int, error) {
	c := self().cell
	if c.Program {
		return os.Stdin.Read(p)
	}
	in := &c.input
	if err := in.fill(); err != nil {
		return 0, err
	}
	n := copy(p, in.text)
	in.text = in.text[n:]
	return n, nil
}
