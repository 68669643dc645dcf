package worker

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"gaucho/interp/rt/run"
	"gaucho/interp/rt/value"
	"gaucho/interp/wire"
	"gaucho/stdlib/display"
)

// watched holds pointers to the variables of the session that the kernel wants to look at.
type watched struct {
	mu   sync.Mutex
	vars map[string]any
}

// add takes over pointers to variables.
func (w *watched) add(names []string, pointers []any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.vars == nil {
		w.vars = map[string]any{}
	}
	for i, name := range names {
		if i < len(pointers) && pointers[i] != nil {
			w.vars[name] = pointers[i]
		}
	}
}

// checkPatience is how long a look may wait for a running cell's next check.
const checkPatience = 60 * time.Millisecond

// lookWithin looks while a cell runs, at its next check.
func (w *server) lookWithin(m *wire.Look) {
	seen := &wire.Seen{ID: m.ID}
	run.AtCheck(m.Cell, checkPatience, func() { seen = w.watch.look(m) })
	w.out.send(seen)
}

// look answers what variables hold. No statement of a cell's main goroutine runs meanwhile. Where other goroutines of
// cells do, maps stay closed, since reading one while it is written ends the process, and a value that is torn because it
// is being written shows as unreadable.
func (w *watched) look(m *wire.Look) *wire.Seen {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	seen := &wire.Seen{ID: m.ID, OK: true, Live: run.Busy() || m.Cell == 0 && run.AnyLive()}
	if m.Files != nil {
		w.fill(m, seen)
		return seen
	}
	seen.Live = seen.Live || m.Keep != ""
	l := looker{live: seen.Live}
	if m.Source {
		long := w.sources(m, l, seen)
		if m.Keep != "" {
			w.keep(m, long, seen)
		}
		return seen
	}
	for _, name := range m.Names {
		w.mu.Lock()
		p := w.vars[name]
		w.mu.Unlock()
		if p == nil {
			continue
		}
		l.guard(name, seen, func() {
			v := display.ValueOf(p)
			if m.Parts {
				seen.Items = append(seen.Items, l.parts(v, m.Path)...)
				return
			}
			item := wire.Item{Name: name, Type: strings.TrimPrefix(v.TypeName(), "*"), Parts: l.count(v)}
			if text, ok := l.special(v); ok {
				item.Text = shorten(text)
			} else {
				item.Text = l.text(v.Elem())
			}
			item.Size, item.Rest = sizeOf(p, l.live)
			seen.Items = append(seen.Items, item)
		})
	}
	return seen
}

// guard calls f, and says so when the value cannot be read.
func (l looker) guard(name string, seen *wire.Seen, f func()) {
	n := len(seen.Items)
	defer func() {
		if r := recover(); r != nil {
			seen.Items = append(seen.Items[:n], wire.Item{Name: name, Text: fmt.Sprintf("(unreadable: %v)", r)})
		}
	}()
	f()
}

// bareValue is the value in memory that stands for v.
func bareValue(v any) reflect.Value {
	if b, ok := v.(value.Box); ok {
		return reflect.ValueOf(b.V)
	}
	return reflect.ValueOf(v)
}
