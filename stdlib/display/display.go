// Package display is how a program shows things: values, HTML, Markdown, LaTeX, progress bars. In a notebook they
// appear in the cell; in an ordinary program their text form goes to standard output. The package renders nothing
// itself: it hands a [Value] to the sink that its host installed.
package display

// A Bundle maps MIME types to data: text forms as string, binary forms as []byte, JSON forms as values that
// encoding/json can write.
type Bundle map[string]any

// A Message is one thing shown, or an update of one.
type Message struct {
	Value    any // what to show; a Bundle is shown as it is
	Metadata map[string]any
	ID       string // display id, empty for none
	Update   bool   // replace what was shown under ID
}

// A Sink takes what a program shows. It must be safe for concurrent use.
type Sink interface {
	Display(Message)
	Clear(wait bool)
}
