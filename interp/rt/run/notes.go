package run

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
)

// A Note is a place in a cell that a panic passed through.
type Note struct {
	Cell         int
	Line, Column int
	Function     string // as the engine names it
	Start        bool   // the line is the one where the function starts, for the interpreter does not know more
}

// notes are the places that a goroutine's panic has passed so far. The lock is for goroutines that compiled code
// started, which share those of their parent.
type notes struct {
	sync.Mutex
	list    []Note    // the first maxNotes
	library []uintptr // where in a library it began, if not in a cell
	skip    bool      // the next place is not one of the cell's text
}

const maxNotes = 200

func (n *notes) take() ([]Note, []Call) {
	n.Lock()
	defer n.Unlock()
	list, library := n.list, n.library
	n.list, n.library, n.skip = nil, nil, false
	return list, calls(library)
}

// clearNotes forgets the places of a panic that was recovered.
func clearNotes() {
	g := self()
	g.notes.Lock()
	g.notes.list, g.notes.library, g.notes.skip = g.notes.list[:0], nil, false
	g.notes.Unlock()
}

// bodyNote is called by Run, of which the body of a function with deferred calls is an argument: the last place is
// of the function itself.
func bodyNote() {
	n := &self().notes
	n.Lock()
	defer n.Unlock()
	if last := len(n.list) - 1; last >= 0 {
		n.list[last].Function = strings.TrimSuffix(n.list[last].Function, ".func")
	}
}

// add adds a place, unless there are enough.
func (n *notes) add(note Note) {
	n.Lock()
	defer n.Unlock()
	if len(n.list) < maxNotes {
		n.list = append(n.list, note)
	}
}

// dropNote forgets the place that was noted last: the literal that Deep has called.
func dropNote() {
	n := &self().notes
	n.Lock()
	defer n.Unlock()
	n.list = n.list[:max(0, len(n.list)-1)]
}

// skipNote is called by Run and Deep before a panic goes on: the next place is the call of Run, or known.
func skipNote() {
	n := &self().notes
	n.Lock()
	n.skip = true
	n.Unlock()
}

// NoteWriter takes what an engine writes when a panic passes through a function of a cell, in the running goroutine:
// lines such as
//
//	c12/_.go:7:3: panic: main.f_step_1(...)
//
// for a function that starts in cell 12, line 7, column 3.
type NoteWriter struct{}

func (NoteWriter) Write(p []byte) (int, error) {
	n := &self().notes
	n.Lock()
	defer n.Unlock()
	if n.skip || len(n.list) >= maxNotes {
		n.skip = false
		return len(p), nil
	}
	if len(n.list) == 0 {
		n.library = libraryPlaces()
	}
	for line := range bytes.Lines(p) {
		if note, ok := parseNote(strings.TrimSpace(string(line))); ok {
			n.list = append(n.list, note)
		}
	}
	return len(p), nil
}

// parseNote reads a line of an engine's notes.
func parseNote(s string) (n Note, ok bool) {
	pos, what, ok := strings.Cut(s, ": panic: ")
	if !ok || !strings.HasPrefix(pos, "c") {
		return n, false
	}
	parts := strings.Split(pos[1:], ":")
	if len(parts) < 2 {
		return n, false
	}
	if i := strings.IndexAny(parts[0], `/\`); i >= 0 {
		parts[0] = parts[0][:i]
	}
	var err [3]error
	n.Cell, err[0] = strconv.Atoi(parts[0])
	n.Line, err[1] = strconv.Atoi(parts[1])
	if len(parts) > 2 {
		n.Column, err[2] = strconv.Atoi(parts[2])
	}
	n.Start = true
	n.Function = strings.TrimPrefix(strings.TrimSuffix(what, "(...)"), "main.")
	return n, err == [3]error{}
}
