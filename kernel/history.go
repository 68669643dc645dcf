package kernel

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
)

// history keeps what cells were run in one file, to which all kernels of the user append and which nobody else can
// read. Every line is a JSON object: the begin of a session, the input of a cell, or its output. A session is numbered
// by the place of its first line among those of all sessions, so kernels need not agree on anything.
//
// One goroutine owns the file; a cell does not wait for it. Lines wait in memory until the file takes them: for ever where there
// is none, and for as long as the disk is full.
type history struct {
	log    *slog.Logger
	id     string // of this session, in its lines
	ops    chan func()
	quit   chan struct{} // closed when no more comes
	ended  chan struct{}
	file   *os.File
	memory bytes.Buffer // what is not in the file yet
	begun  bool         // the session has its first line
	warned bool         // that the file does not take more
}

// A historyLine is one line of the file.
type historyLine struct {
	Session string `json:"s"`
	Begin   string `json:"begin,omitempty"` // when the session began
	Number  int    `json:"n,omitempty"`
	In      string `json:"in,omitempty"`
	Out     string `json:"out,omitempty"`
}

// What is kept of one cell: longer inputs not at all, longer outputs cut off.
const (
	historyInput  = 1 << 20
	historyOutput = 1 << 14
)

// historyFile is the place of the user's history.
func historyFile() (string, error) {
	dir := os.Getenv("XDG_STATE_HOME")
	if dir == "" {
		var err error
		switch runtime.GOOS {
		case "windows":
			dir, err = os.UserCacheDir()
		case "darwin":
			dir, err = os.UserConfigDir()
		default:
			dir, err = os.UserHomeDir()
			dir = filepath.Join(dir, ".local", "state")
		}
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "gaucho", "history.jsonl"), nil
}

// openHistory opens the named file; empty means what GAUCHO_HISTORY names, or else the user's own, and "off" none.
// With an error the history is kept in memory.
func openHistory(file string, log *slog.Logger) (*history, error) {
	h := &history{log: log, id: rand.Text()[:12], ops: make(chan func(), 1024), quit: make(chan struct{}), ended: make(chan struct{})}
	err := h.open(file)
	go h.serve()
	return h, err
}

// serve does what it is asked until close, and then what is left.
func (h *history) serve() {
	defer close(h.ended)
	for {
		select {
		case op := <-h.ops:
			op()
			continue
		case <-h.quit:
		}
		for {
			select {
			case op := <-h.ops:
				op()
			default:
				return
			}
		}
	}
}

// do hands over something to do; after close it does nothing.
func (h *history) do(op func()) {
	select {
	case h.ops <- op:
	case <-h.quit:
	}
}

func (h *history) open(file string) error {
	if file == "" {
		file = os.Getenv("GAUCHO_HISTORY")
	}
	if file == "off" {
		return nil
	}
	if file == "" {
		var err error
		if file, err = historyFile(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 {
		if err := f.Chmod(0o600); err != nil && runtime.GOOS != "windows" {
			f.Close()
			return fmt.Errorf("%s can be read by others: %w", file, err)
		}
	}
	h.file = f
	return nil
}

// close writes what is left.
func (h *history) close() {
	close(h.quit)
	<-h.ended
	if h.file != nil {
		h.file.Close()
	}
}

// input keeps the source of a cell.
func (h *history) input(number int, source string) {
	if len(source) <= historyInput {
		h.do(func() { h.write(historyLine{Number: number, In: source}) })
	}
}

// output keeps the text of a cell's result.
func (h *history) output(number int, text string) {
	text = text[:min(len(text), historyOutput)]
	h.do(func() { h.write(historyLine{Number: number, Out: text}) })
}

func (h *history) write(l historyLine) {
	l.Session = h.id
	if !h.begun {
		h.begun = true
		h.memory.WriteByte('\n') // another kernel may have died within its last line
		h.memory.Write(append(marshal(historyLine{Session: h.id, Begin: now()}), '\n'))
	}
	h.memory.Write(append(marshal(l), '\n'))
	if h.file == nil {
		return
	}
	n, err := h.file.Write(h.memory.Bytes())
	h.memory.Next(n)
	if err != nil && !h.warned {
		h.log.Warn("kernel: history is kept in memory until it can be written", "err", err)
	}
	h.warned = err != nil
}

// An entry is one cell of the history.
type entry struct {
	session, number int
	in              string
	out             *string
}

// entries returns all cells in the order of the file, and the number of this session. Lines that are broken are left out.
func (h *history) entries() (all []entry, session int, err error) {
	done := make(chan struct{})
	h.do(func() {
		defer close(done)
		var r io.Reader = bytes.NewReader(h.memory.Bytes())
		if h.file != nil {
			r = io.MultiReader(io.NewSectionReader(h.file, 0, 1<<62), r)
		}
		all, session, err = readEntries(r, h.id)
	})
	select {
	case <-done:
		return all, session, err
	case <-h.ended:
		return nil, 0, errors.New("the kernel is shutting down")
	}
}

func readEntries(from io.Reader, id string) (all []entry, session int, err error) {
	sessions := map[string]int{}
	at := map[[2]int]int{} // index of a session's cell in all
	r := bufio.NewReaderSize(from, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		var l historyLine
		if json.Unmarshal(line, &l) != nil || l.Session == "" {
			continue
		}
		if l.Begin != "" && sessions[l.Session] == 0 {
			sessions[l.Session] = len(sessions) + 1
		}
		s := sessions[l.Session]
		key := [2]int{s, l.Number}
		switch i, known := at[key]; {
		case s == 0 || l.Number == 0:
		case l.Out != "":
			if known {
				all[i].out = &l.Out
			}
		default:
			at[key] = len(all)
			all = append(all, entry{session: s, number: l.Number, in: l.In})
		}
	}
	session = sessions[id]
	if session == 0 {
		session = len(sessions) + 1
	}
	return all, session, nil
}
