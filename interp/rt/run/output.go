package run

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"

	"gaucho/interp/rt/value"
)

// A Host is the process in which cells run, as far as cell code reaches it.
type Host interface {
	// Output takes what a cell writes to its standard output (stream 1) or standard error (stream 2), in order.
	Output(cell, stream int, p []byte)
	// GoroutineFailed reports that a goroutine of a cell panicked, or that its stack grew too large.
	GoroutineFailed(cell int, end Ending)
	// Input asks the user for a line, without its newline. It returns io.EOF when nobody can be asked.
	Input(cell int, prompt string, password bool) (string, error)
}

type hostBox struct{ Host }

var host atomic.Pointer[hostBox]

func init() { host.Store(&hostBox{standard{}}) }

// SetHost installs the host. Without one, output goes to the process's own streams.
func SetHost(h Host) { host.Store(&hostBox{h}) }

// standard is the host of a process that has no other.
type standard struct{}

func (standard) Output(cell, stream int, p []byte) {
	if stream == 2 {
		os.Stderr.Write(p)
	} else {
		os.Stdout.Write(p)
	}
}

func (standard) GoroutineFailed(cell int, end Ending) {}

func (standard) Input(int, string, bool) (string, error) { return "", io.EOF }

// Stdout and Stderr are the streams of the running goroutine's cell.
var (
	Stdout io.Writer = stream(1)
	Stderr io.Writer = stream(2)
)

// processStdout and processStderr are the files that stand for the cell's streams. A cell that puts another file in
// os.Stdout, to catch what is printed, gets what it prints there.
var processStdout, processStderr = os.Stdout, os.Stderr

type stream int

func (s stream) Write(p []byte) (int, error) {
	switch {
	case s == 1 && (os.Stdout != processStdout || closed(os.Stdout)):
		return os.Stdout.Write(p)
	case s == 2 && (os.Stderr != processStderr || closed(os.Stderr)):
		return os.Stderr.Write(p)
	}
	n := len(p)
	if value.Compiled.Load() && (bytes.Contains(p, []byte(CellPath)) || bytes.Contains(p, []byte("ǃ"))) {
		p = []byte(PlainNames(string(p)))
	}
	host.Load().Output(self().cell.ID, int(s), p)
	return n, nil
}

// closed reports whether the running program has closed one of its streams, after which writes fail. A cell closes it for nobody.
func closed(f *os.File) bool { return self().cell.Program && f.Fd() == ^uintptr(0) }

// writerOf returns where a write to w goes: the cell's stream if w is the process's own standard output or error.
func writerOf(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		switch f {
		case processStdout:
			return stream(1)
		case processStderr:
			return stream(2)
		}
	}
	return w
}
