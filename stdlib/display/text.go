package display

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	line     bool // the cursor is on the line of a progress bar

	dir   string            // where pictures are saved; empty for nowhere
	saved map[string]string // their files, by display id
	count int
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
// gaucho/render installs its own; without one, values print as package fmt prints them.
func SetRenderer(render func(v any) map[string]any) { renderer.Store(&render) }

// Display prints the text form of the message's value, and saves its picture where that is wanted. An update prints as something new,
// below, and replaces the picture.
func (s *writerSink) Display(m Message) {
	bundle := render(m.Value)
	text, _ := bundle["text/plain"].(string)
	if where := s.save(m.ID, bundle); where != "" {
		caption, more, _ := strings.Cut(text, "\n") // after which a figure is described
		text = strings.TrimSuffix(caption+where+"\n"+more, "\n")
	}
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

// SavePictures has a program outside a notebook save every picture that it shows from now on, as figure-1.png and so on in dir,
// and print the file's name. Programs that gaucho export writes call it first.
func SavePictures(dir string) {
	stdout.mu.Lock()
	defer stdout.mu.Unlock()
	stdout.dir, stdout.saved, stdout.count = dir, map[string]string{}, 0
}

// pictures are the forms that are saved, the first that a value has.
var pictures = []struct{ mime, ext string }{
	{"image/png", ".png"}, {"image/svg+xml", ".svg"}, {"image/jpeg", ".jpg"}, {"image/gif", ".gif"},
}

// save writes a bundle's picture, if it has one and pictures are saved, and returns the words that say where it is.
func (s *writerSink) save(id string, bundle map[string]any) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		return ""
	}
	for _, p := range pictures {
		var data []byte
		switch d := bundle[p.mime].(type) {
		case []byte:
			data = d
		case string:
			data = []byte(d)
			if p.ext != ".svg" {
				var err error
				if data, err = base64.StdEncoding.DecodeString(d); err != nil {
					continue
				}
			}
		default:
			continue
		}
		name := s.saved[id]
		if id == "" || filepath.Ext(name) != p.ext {
			s.count++
			name = filepath.Join(s.dir, fmt.Sprintf("figure-%d%s", s.count, p.ext))
			s.saved[id] = name
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return fmt.Sprintf(" (not saved: %v)", err)
		}
		return " (" + name + ")"
	}
	return ""
}

// Clear does nothing: what is printed stays.
func (s *writerSink) Clear(bool) {}

// bar writes a progress bar over the one before it, if there is a terminal to write it on. A last one stays. Elsewhere it writes a
// line if that is due.
func (s *writerSink) bar(text string, last, due bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.terminal() {
		if due {
			io.WriteString(s.w(), text+"\n")
		}
		return
	}
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
	text, _ := render(v)["text/plain"].(string)
	return text
}

// render returns the forms of a value: those that the installed renderer makes, or its own, or what package fmt prints.
func render(v any) map[string]any {
	if r := renderer.Load(); r != nil {
		return (*r)(v)
	}
	if m, ok := v.(interface{ MIMEBundle() map[string]any }); ok {
		return m.MIMEBundle()
	}
	return map[string]any{"text/plain": fmt.Sprint(v)}
}
