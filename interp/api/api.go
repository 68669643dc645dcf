// Package api holds what a session is asked and what it answers: types alone, so that who talks to a session need not link it.
package api

import (
	"context"
	"io"
	"log/slog"
	"os"
)

// Options say how a session is started. The zero value is a session with the default engine.
type Options struct {
	Engine      string // "native" or "yaegi"; empty for native where that works, else yaegi
	Dir         string // working directory of cells; empty for the current one
	MemoryLimit int64  // bytes a worker may use; 0 for 80% of the machine's, the cgroup's or MEM_LIMIT
	NoShell     bool   // refuse ! and %%bash
	BenchTime   string // how long each of the ten repetitions of %bench takes, about; "100ms" if empty
	NoReset     bool   // %reset prints that it does nothing
	// Forbidden are paths of packages that cells may not import. One that ends in a slash stands for all below it.
	Forbidden []string
	// Stdin, if not nil, is the standard input of a Program. Cells ask the user by the sink instead.
	Stdin *os.File
	// Worker is the command that starts a worker; nil for this program's own.
	Worker []string
	// Env is added to the environment of workers.
	Env []string
	// Task, if not nil, is sent to workers and says what to do with the studies that cells run. News receives their answers,
	// between calls of the sink's methods. Only the program that starts the session and the function that it passed to
	// worker.Main interpret both.
	Task []byte
	News func([]byte)
	// Trace, if not nil, gets what becomes of each cell: its stages, the text that an engine made of them, and what has run.
	Trace io.Writer
	Log   *slog.Logger
	Sink  Sink
	// Waiting, if not nil, is told in lines what takes minutes before the session can be native. Where it is nil a session
	// without a name for its engine does not wait: it interprets its cells.
	Waiting func(line string)
}

// A Sink receives what cells send. Its methods are called in order, from one goroutine at a time.
type Sink interface {
	Stream(cell, name string, text string) // name is "stdout" or "stderr"; what a Program writes may be any bytes
	Display(cell string, d Display)
	Clear(cell string, wait bool)
	Comm(cell string, c Comm)
	// Input asks the user for a line. It returns an error when the cell may not ask.
	Input(ctx context.Context, cell, prompt string, password bool) (string, error)
}

// A Display is a display_data message, or with Update an update_display_data message.
type Display struct {
	Data     map[string]any // MIME type to string (text and base64) or JSON value
	Metadata map[string]any
	ID       string
	Update   bool
}

// A Comm is a message of a comm in either direction.
type Comm struct {
	Type     string // "open", "msg", "close"
	ID       string
	Target   string // of an open
	Data     map[string]any
	Metadata map[string]any
	Buffers  [][]byte
}

// A Cell is one request to run code.
type Cell struct {
	ID     string // what its output is addressed with
	Number int    // the number the user sees, In[Number]
	Source string
	Stdin  bool // the cell may ask for input
	Silent bool // no result, not in the history
	// NotebookID is the front end's identifier of the cell, which stays the same from run to run; empty if there is none.
	NotebookID string
	// Subshell says that the cell is of a subshell: it need not wait for the one that runs. Shared says that there are
	// subshells, so cells may come that run alongside this one.
	Subshell, Shared bool
	// Program says that Source is a whole Go program, checked as Go checks it. ID is then its file's name, by which
	// errors name places, and Args are its os.Args.
	Program bool
	Args    []string
	Aside   bool // an expression that is looked at from outside
}

// A Result says how a cell ended. Err is nil when it went well; Display is nil when there is no value to show.
type Result struct {
	Display *Display
	Err     *Error
	Replace *string // text that takes the place of the cell's source, in a front end that can do that
}

// An Error is a failed cell, in the terms of the Jupyter protocol.
type Error struct {
	Name      string // CompileError, Interrupt, runtime error, or the error's type
	Value     string
	Traceback []string // one entry a line, coloured with ANSI sequences
	HTML      string   // the places with their source, besides the traceback; empty if the error has none
	Lost      bool     // the worker ended, and with it all variables are gone
}

func (e *Error) Error() string { return e.Name + ": " + e.Value }
