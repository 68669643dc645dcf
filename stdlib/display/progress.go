package display

import (
	"fmt"
	"html"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A Progress is a bar that shows how far a piece of work has come, its rate and the time left: in a notebook as HTML
// under the cell, on a terminal as a line of text, and elsewhere, such as in a pipe, as a line every ten seconds of work that
// takes longer. Standard error stays clean. Its methods may be
// called from many goroutines; the bar is drawn again at most ten times a second. A nil *Progress does nothing, so code
// can report without asking whether anybody looks.
type Progress struct {
	label string
	start time.Time
	done  atomic.Int64
	total atomic.Int64
	next  atomic.Int64 // nanoseconds after start before which the bar is not drawn again
	ended atomic.Bool
	waits atomic.Bool // it will be drawn again, for it shows less than it knows

	mu     sync.Mutex // held to draw
	id     string
	note   string
	shown  bool
	closed bool
	said   time.Duration // when it last wrote a line where it cannot be drawn again
	marks  []mark        // of the last seconds, oldest first
	now    func() time.Time
}

// mark is how far the work had come at a moment.
type mark struct {
	at   time.Duration
	done int64
}

const (
	redraw = 100 * time.Millisecond
	window = 10 * time.Second // over which the rate is taken
	say    = 10 * time.Second // between lines where a bar cannot be drawn again
)

// NewProgress shows a bar for work of total steps. A total of zero or less means that it is not known: the bar then
// counts. The label says what is going on and may be empty.
func NewProgress(total int, label string) *Progress {
	return newProgress(total, label, time.Now)
}

func newProgress(total int, label string, now func() time.Time) *Progress {
	p := &Progress{label: label, start: now(), id: newID(), now: now}
	p.total.Store(int64(max(total, 0)))
	p.marks = []mark{{}}
	p.draw(true)
	return p
}

// Since says that the work began at an earlier time than the bar, and returns the bar. It is called before all other methods.
func (p *Progress) Since(began time.Time) *Progress {
	if p != nil {
		p.start = began
	}
	return p
}

// Add says that n more steps are done.
func (p *Progress) Add(n int) {
	if p == nil {
		return
	}
	p.done.Add(int64(n))
	p.draw(false)
}

// Report says that done of total steps are done. The method value p.Report has the shape that library settings ask for
// as their progress callback.
func (p *Progress) Report(done, total int) {
	if p == nil {
		return
	}
	p.total.Store(int64(max(total, 0)))
	p.done.Store(int64(done))
	p.draw(false)
}

// Note sets a remark after the bar: the current loss, the name of the file.
func (p *Progress) Note(format string, args ...any) {
	if p == nil {
		return
	}
	s := fmt.Sprintf(format, args...)
	p.mu.Lock()
	p.note = s
	p.mu.Unlock()
	p.draw(false)
}

// Done ends the work: the bar shows how far it has come and the time that took. Calls after the first do nothing.
func (p *Progress) Done() {
	if p == nil || !p.ended.CompareAndSwap(false, true) {
		return
	}
	p.draw(true)
}

// MIMEBundle returns the bar as it is now.
func (p *Progress) MIMEBundle() map[string]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.keep(mark{p.now().Sub(p.start), p.done.Load()})
	}
	return p.state().bundle()
}

// Range calls yield with 0 to n-1 and shows a bar meanwhile, so that a loop gets one by its head alone:
//
//	for i := range display.Range(1000, "replications") {
func Range(n int, label string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		p := NewProgress(n, label)
		defer p.Done()
		for i := range n {
			if !yield(i) {
				return
			}
			p.Add(1)
		}
	}
}

// draw shows the bar if it is time to, or at once.
func (p *Progress) draw(now bool) {
	since := p.now().Sub(p.start)
	if !now && int64(since) < p.next.Load() {
		p.drawLater()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	ended := p.ended.Load()
	if p.closed {
		return
	}
	if !now && int64(since) < p.next.Load() { // another goroutine has drawn it
		p.drawLater()
		return
	}
	p.waits.Store(false)
	p.closed = ended
	p.next.Store(int64(since + redraw))
	p.keep(mark{since, p.done.Load()})
	s := p.state()
	switch sink := current().(type) {
	case *writerSink:
		line := since-p.said >= say || ended && p.said > 0
		if line {
			p.said = since
		}
		sink.bar(s.text(), ended, line)
	default:
		sink.Display(Message{Value: s.bundle(), ID: p.id, Update: p.shown})
	}
	p.shown = true
}

// An ender is a sink that calls a function when the running cell ends; of one key, once.
type ender interface{ AtEnd(key any, f func()) }

// drawLater has a notebook show the bar soon, and at the latest when the cell ends: the last steps need not have one after them that
// draws it.
func (p *Progress) drawLater() {
	if p.waits.Swap(true) {
		return
	}
	if sink, ok := current().(ender); ok {
		settle := func() {
			if p.waits.Load() {
				p.draw(true)
			}
		}
		time.AfterFunc(redraw, settle)
		sink.AtEnd(p, settle)
	}
}

// keep notes how far the work has come and forgets marks older than the window, save the last of those.
func (p *Progress) keep(m mark) {
	p.marks = append(p.marks, m)
	old := 0
	for old+1 < len(p.marks)-1 && m.at-p.marks[old+1].at > window {
		old++
	}
	p.marks = append(p.marks[:0], p.marks[old:]...)
}

// state is all that a drawing of the bar depends on.
type state struct {
	label, note string
	done, total int64
	rate        float64 // steps a second, 0 if not known yet
	elapsed     time.Duration
	ended       bool
}

func (p *Progress) state() state {
	s := state{label: p.label, note: p.note, total: p.total.Load(), ended: p.closed}
	first, last := p.marks[0], p.marks[len(p.marks)-1]
	s.done, s.elapsed = last.done, last.at
	if s.ended {
		first = mark{}
	}
	if d := last.at - first.at; d > 0 && last.done > first.done {
		s.rate = float64(last.done-first.done) / d.Seconds()
	}
	return s
}

// fraction returns how much of the work is done, in 0 to 1, and 0 if its size is unknown.
func (s state) fraction() float64 {
	if s.total <= 0 {
		return 0
	}
	return min(max(float64(s.done)/float64(s.total), 0), 1)
}

// figures returns what is next to the bar: steps, time and rate.
func (s state) figures() string {
	var parts []string
	if s.total > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d", s.done, s.total))
	} else {
		parts = append(parts, fmt.Sprint(s.done))
	}
	left := ""
	if s.rate > 0 && s.total > s.done && !s.ended {
		left = ", " + duration(time.Duration(float64(s.total-s.done)/s.rate*float64(time.Second))) + " left"
	}
	parts = append(parts, duration(s.elapsed)+left)
	if s.rate > 0 {
		parts = append(parts, speed(s.rate))
	}
	if s.note != "" {
		parts = append(parts, s.note)
	}
	return strings.Join(parts, "  ")
}

const eighths = " ▏▎▍▌▋▊▉█"

// text returns the bar as one line of text.
func (s state) text() string {
	const width = 24
	var b strings.Builder
	if s.label != "" {
		b.WriteString(s.label + " ")
	}
	if s.total > 0 {
		n := int(math.Floor(s.fraction() * width * 8))
		bar := []rune(strings.Repeat("█", n/8))
		if n%8 > 0 {
			bar = append(bar, []rune(eighths)[n%8])
		}
		fmt.Fprintf(&b, "%3.0f%% ▕%s%s▏ ", math.Floor(s.fraction()*100), string(bar), strings.Repeat(" ", width-len(bar)))
	}
	b.WriteString(s.figures())
	return b.String()
}

// bundle returns the bar as HTML and text. The HTML takes its colours from the page, so it looks right in light and dark
// themes and in a saved page, and it needs no script.
func (s state) bundle() Bundle {
	var b strings.Builder
	b.WriteString(`<div style="display:flex;align-items:center;gap:.75em;font-size:13px;line-height:1.6">`)
	if s.label != "" {
		fmt.Fprintf(&b, `<span>%s</span>`, html.EscapeString(s.label))
	}
	if s.total > 0 {
		colour := "#1f77b4"
		switch {
		case s.ended && s.done >= s.total:
			colour = "#2a9d5c"
		case s.ended:
			colour = "#d1495b"
		}
		fmt.Fprintf(&b, `<span style="flex:0 1 20em;min-width:6em;height:.6em;border-radius:.3em;overflow:hidden;background:rgba(128,128,128,.25)">`+
			`<span style="display:block;height:100%%;width:%.1f%%;background:%s"></span></span><span>%.0f%%</span>`,
			100*s.fraction(), colour, math.Floor(100*s.fraction()))
	}
	fmt.Fprintf(&b, `<span style="opacity:.75;font-variant-numeric:tabular-nums;white-space:pre">%s</span></div>`, html.EscapeString(s.figures()))
	return Bundle{"text/html": b.String(), "text/plain": s.text()}
}

// duration formats a time as 0.4s, 12s, 3m05s or 1h02m.
func duration(d time.Duration) string {
	switch s := int(d.Seconds() + .5); {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	default:
		return fmt.Sprintf("%dh%02dm", s/3600, s%3600/60)
	}
}

// speed formats a rate, a slow one by its inverse.
func speed(rate float64) string {
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.3gM/s", rate/1e6)
	case rate >= 1e4:
		return fmt.Sprintf("%.3gk/s", rate/1e3)
	case rate >= 100:
		return fmt.Sprintf("%.0f/s", rate)
	case rate >= 1:
		return fmt.Sprintf("%.3g/s", rate)
	}
	return fmt.Sprintf("%.3gs each", 1/rate)
}
