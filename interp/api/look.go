package api

import (
	"time"

	"gaucho/interp/wire"
)

// A Variable is what is known of a variable of the session, or of a part of one.
type Variable struct {
	Name  string
	Type  string
	Value string // short
	Parts int    // how many parts it has
	Part  Part   // by which it was reached
	Size  int64  // about how many bytes hang on it; of variables only
	More  bool   // there is more than Size
	// Old reports that the value may have changed since it was seen: a cell runs, or the worker did not answer in time. It is
	// not known when it is empty.
	Old bool
}

// A Part is a part of a value, by its number, or with To > From+1 a stretch of them.
type Part = wire.Step

// LookPause is how often a running cell, or one that left goroutines behind, is looked at. Who asks sooner is told what was last seen.
const LookPause = 300 * time.Millisecond

// A Completion lists what can be at the cursor, in place of source[Start:End] (bytes).
type Completion struct {
	Start, End int
	Items      []Item
}

// An Item is one completion.
type Item struct {
	Text      string
	Type      string // function, type, variable, constant, package, field, method, keyword, magic, path, key
	Signature string // of a function, without its name
	Own       bool   // the cell or the session declares it
}
