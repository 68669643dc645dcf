package display

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/term"
)

// A writerSink shows the text form of everything on a writer: the sink of a program outside a notebook.
type writerSink struct {
	mu       sync.Mutex
	w        func() io.Writer
	terminal func() bool
	columns  func() int
	line     bool // the cursor stands on the line of a progress bar
}

var stdout = &writerSink{
	w:        func() io.Writer { return os.Stdout }, // what it is now, for tests redirect it
	terminal: func() bool { return term.IsTerminal(int(os.Stdout.Fd())) },
	columns: func() int {
		w, _, err := term.GetSize(int(os.Stdout.Fd()))
		if err != nil {
			return 80
		}
		return w
	},
}

// renderer turns values into bundles for programs outside a notebook.
var renderer atomic.Pointer[func(any) map[string]any]

// SetRenderer installs what turns values into bundles where there is no notebook, for their text form. Importing
// gaucho/plotting installs its own; without one, values print as package fmt prints them.
func SetRenderer(render func(v any) map[string]any) { renderer.Store(&render) }

// Display prints the text form of the message's value. An update prints as something new, below.
func (s *writerSink) Display(m Message) {
	text := Text(m.Value)
	if text == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leaveBar()
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	io.WriteString(s.w(), text)
}

// Clear does nothing: what is printed stays.
func (s *writerSink) Clear(bool) {}

// bar writes a progress bar over the one before it, if there is a terminal to write it on. A last one stays.
func (s *writerSink) bar(text string, last bool) {
	if !s.terminal() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.columns() - 1; n > 0 && len([]rune(text)) > n {
		text = string([]rune(text)[:n])
	}
	end := ""
	if last {
		end = "\n"
	}
	fmt.Fprintf(s.w(), "\r\x1b[K%s%s", text, end)
	s.line = !last
}

func (s *writerSink) leaveBar() {
	if s.line {
		io.WriteString(s.w(), "\r\x1b[K")
		s.line = false
	}
}

// Text returns the plain text form of a value, empty when it has nothing to show.
func Text(v any) string {
	var b map[string]any
	if r := renderer.Load(); r != nil {
		b = (*r)(v)
	} else if m, ok := v.(interface{ MIMEBundle() map[string]any }); ok {
		b = m.MIMEBundle()
	} else {
		return fmt.Sprint(v)
	}
	if t, ok := b["text/plain"].(string); ok {
		return t
	}
	return ""
}
