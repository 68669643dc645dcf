package display

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
)

// A Bundle maps MIME types to data: text forms as string, binary forms as []byte, JSON forms as values that
// encoding/json can write. A front end shows the best form that it knows. An empty bundle shows nothing.
type Bundle map[string]any

// MIMEBundle returns the bundle itself, so that it shows itself as what it holds.
func (b Bundle) MIMEBundle() map[string]any { return b }

// A Message is one thing shown, or an update of one.
type Message struct {
	Value    any            // what to show; a Bundle is shown as it is
	Metadata map[string]any // for the front end, by MIME type; may be nil
	ID       string         // display id, empty for none
	Update   bool           // replace what was shown under ID
}

// A Sink takes what a program shows. It must be safe for concurrent use, and it must be done with a message's value
// when Display returns, for the program may change it afterwards.
type Sink interface {
	Display(Message)
	// Clear takes away what the cell has shown so far; with wait, only when the next output comes.
	Clear(wait bool)
}

// sink holds a *Sink, so that sinks of different types can be swapped.
var sink atomic.Pointer[Sink]

// SetSink installs what receives everything shown from now on and returns what did so before. A nil sink stands for
// standard output. Programs that only show things never call it: a notebook's worker does.
func SetSink(s Sink) (previous Sink) {
	previous = current()
	if s == nil {
		sink.Store(nil)
		return previous
	}
	sink.Store(&s)
	return previous
}

// CurrentSink returns what receives everything shown. In a notebook it has more methods than those of a sink: package
// widgets finds the way to the front end there.
func CurrentSink() Sink { return current() }

func current() Sink {
	if s := sink.Load(); s != nil {
		return *s
	}
	return stdout
}

// Show shows a value by the best of its forms (see the package documentation) and returns a handle by which it can be
// replaced in place, from a later cell too.
func Show(v any) *Handle {
	h := &Handle{id: newID()}
	current().Display(Message{Value: v, ID: h.id})
	return h
}

// ShowAll shows values one below the other.
func ShowAll(values ...any) {
	for _, v := range values {
		current().Display(Message{Value: v})
	}
}

// ShowAs shows a value under a name of the caller's choice. Every place that shows the name changes at an [Update].
func ShowAs(id string, v any) *Handle {
	current().Display(Message{Value: v, ID: id})
	return &Handle{id: id}
}

// Update replaces what is shown under the name id, wherever it is in the notebook.
func Update(id string, v any) {
	current().Display(Message{Value: v, ID: id, Update: true})
}

// Clear takes away what the running cell has shown so far. With wait it does so when the next output comes, which
// avoids flicker in a loop that clears and shows.
func Clear(wait bool) { current().Clear(wait) }

// A Handle names one thing that is shown. As the value of a cell's last expression it shows nothing more.
type Handle struct{ id string }

// Update replaces what the handle shows, in place.
func (h *Handle) Update(v any) { Update(h.id, v) }

// ID returns the display id, for [Update].
func (h *Handle) ID() string { return h.id }

// MIMEBundle returns nothing, since what the handle names is on show already.
func (h *Handle) MIMEBundle() map[string]any { return map[string]any{} }

// Display ids must differ from those of earlier runs that a saved notebook still holds.
var (
	idPrefix  = fmt.Sprintf("gaucho-%016x", rand.Uint64())
	idCounter atomic.Int64
)

func newID() string { return fmt.Sprintf("%s-%d", idPrefix, idCounter.Add(1)) }
