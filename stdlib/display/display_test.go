package display

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// recorder is a sink that keeps what it gets.
type recorder struct {
	mu       sync.Mutex
	messages []Message
	cleared  []bool
}

func (r *recorder) Display(m Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = append(r.messages, m)
}

func (r *recorder) Clear(wait bool) { r.cleared = append(r.cleared, wait) }

// record installs a recorder for the length of a test.
func record(t *testing.T) *recorder {
	r := &recorder{}
	old := SetSink(r)
	t.Cleanup(func() { SetSink(old) })
	return r
}

func TestShowUpdateClear(t *testing.T) {
	r := record(t)
	h := Show(1)
	h.Update(2)
	ShowAs("loss", "high")
	Update("loss", "low")
	ShowAll("a", "b")
	Clear(true)
	want := []Message{
		{Value: 1, ID: h.ID()},
		{Value: 2, ID: h.ID(), Update: true},
		{Value: "high", ID: "loss"},
		{Value: "low", ID: "loss", Update: true},
		{Value: "a"},
		{Value: "b"},
	}
	if !reflect.DeepEqual(r.messages, want) {
		t.Errorf("messages\n%+v\nwant\n%+v", r.messages, want)
	}
	if !reflect.DeepEqual(r.cleared, []bool{true}) {
		t.Errorf("cleared %v", r.cleared)
	}
	if Show(3).ID() == h.ID() {
		t.Error("two things shown have one display id")
	}
	if len(h.MIMEBundle()) != 0 {
		t.Error("a handle shows something")
	}
}

func TestContents(t *testing.T) {
	for _, c := range []struct {
		v          interface{ MIMEBundle() map[string]any }
		mime       string
		want       any
		wantAsText string
	}{
		{HTML("<b>x</b>"), "text/html", "<b>x</b>", "<b>x</b>"},
		{Markdown("**x**"), "text/markdown", "**x**", "**x**"},
		{LaTeX(`\mu_p`), "text/latex", `$$\mu_p$$`, `\mu_p`},
		{LaTeX(`let $x$`), "text/latex", `let $x$`, `let $x$`},
		{LaTeX(`\begin{pmatrix}1\end{pmatrix}`), "text/latex", `$$\begin{pmatrix}1\end{pmatrix}$$`, `\begin{pmatrix}1\end{pmatrix}`},
		{SVG("<svg/>"), "image/svg+xml", "<svg/>", "SVG drawing, 6 bytes"},
		{JavaScript("f()"), "application/javascript", "f()", "f()"},
		{PNG{1}, "image/png", PNG{1}, "PNG image, 1 bytes"},
		{JPEG(make([]byte, 12345)), "image/jpeg", JPEG(make([]byte, 12345)), "JPEG image, 12.3 kB"},
		{GIF{1}, "image/gif", GIF{1}, "GIF image, 1 bytes"},
		{PDF(make([]byte, 2_500_000)), "application/pdf", PDF(make([]byte, 2_500_000)), "PDF document, 2.5 MB"},
		{JSON([]int{1, 2}), "application/json", []int{1, 2}, "[1 2]"},
	} {
		b := c.v.MIMEBundle()
		got := b[c.mime]
		if raw, ok := got.([]byte); ok {
			got = reflect.ValueOf(raw).Convert(reflect.TypeOf(c.want)).Interface()
		}
		if !reflect.DeepEqual(got, c.want) || b["text/plain"] != c.wantAsText {
			t.Errorf("%T: %v, text %q", c.v, b[c.mime], b["text/plain"])
		}
		if len(b) != 2 {
			t.Errorf("%T: %d forms, want 2", c.v, len(b))
		}
	}
}

func TestWithoutNotebook(t *testing.T) {
	var out bytes.Buffer
	s := &writerSink{w: func() io.Writer { return &out }, terminal: func() bool { return false }, columns: func() int { return 80 }}
	old := SetSink(s)
	defer SetSink(old)
	Show(HTML("<b>x</b>")).Update(Markdown("y\n"))
	Show(4.5)
	p := NewProgress(3, "steps")
	p.Add(3)
	p.Done()
	if got, want := out.String(), "<b>x</b>\ny\n4.5\n"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

// clock is a time that a test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time       { return c.t }
func (c *clock) pass(d time.Duration) { c.t = c.t.Add(d) }
func lastText(r *recorder) string     { return textOf(r.messages[len(r.messages)-1]) }
func textOf(m Message) string         { return m.Value.(Bundle)["text/plain"].(string) }
func newBar(n int) (*Progress, *clock) {
	c := &clock{time.Unix(0, 0)}
	return newProgress(n, "steps", c.now), c
}
func barOf(p *Progress, note string) string { return p.MIMEBundle()["text/plain"].(string) + note }

func TestProgress(t *testing.T) {
	r := record(t)
	p, c := newBar(200)
	c.pass(2 * time.Second)
	p.Add(50)
	if got, want := lastText(r), "steps  25% ▕██████                  ▏ 50/200  2.0s, 6.0s left  25/s"; got != want {
		t.Errorf("bar  %q\nwant %q", got, want)
	}
	n := len(r.messages)
	p.Add(1) // within a tenth of a second of the last drawing
	if len(r.messages) != n {
		t.Error("the bar was drawn again at once")
	}
	c.pass(3 * time.Second)
	p.Note("loss %.1f", 0.5)
	p.Report(120, 240)
	p.Done()
	p.Done()
	p.Add(1)
	if got, want := lastText(r), "steps  50% ▕████████████            ▏ 120/240  5.0s  24/s  loss 0.5"; got != want {
		t.Errorf("bar  %q\nwant %q", got, want)
	}
	for i, m := range r.messages {
		if m.Update != (i > 0) || m.ID != r.messages[0].ID {
			t.Errorf("message %d: update %v, id %q", i, m.Update, m.ID)
		}
		if h := m.Value.(Bundle)["text/html"].(string); !strings.Contains(h, "steps") || !strings.Contains(h, "%") {
			t.Errorf("message %d: HTML %q", i, h)
		}
	}
	var none *Progress
	none.Add(1)
	none.Report(1, 2)
	none.Note("x")
	none.Done()
}

func TestProgressRateOfLastSeconds(t *testing.T) {
	record(t)
	p, c := newBar(0)
	for range 100 { // 1 a second for 100 seconds, then 10
		c.pass(time.Second)
		p.Add(1)
	}
	for range 20 {
		c.pass(time.Second)
		p.Add(10)
	}
	if got, want := barOf(p, ""), "steps 300  2m00s  10/s"; got != want {
		t.Errorf("bar %q, want %q", got, want)
	}
	if n := len(p.marks); n > 15 {
		t.Errorf("%d marks kept", n)
	}
}

func TestProgressConcurrent(t *testing.T) {
	r := record(t)
	p := NewProgress(8000, "")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				p.Add(1)
			}
		})
	}
	wg.Wait()
	p.Done()
	if got := lastText(r); !strings.Contains(got, "8000/8000") {
		t.Errorf("bar %q", got)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	var out bytes.Buffer
	s := &writerSink{w: func() io.Writer { return &out }, terminal: func() bool { return true }, columns: func() int { return 30 }}
	old := SetSink(s)
	defer SetSink(old)
	n := 0
	for range Range(2, "a long label that will not fit") {
		n++
	}
	Show("after")
	want := "\r\x1b[Ka long label that will not fi\r\x1b[Ka long label that will not fi\nafter\n"
	if out.String() != want || n != 2 {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// TestProgressInAPipe: work that takes long writes a line every ten seconds and at its end, other work none.
func TestProgressInAPipe(t *testing.T) {
	var out bytes.Buffer
	old := SetSink(&writerSink{w: func() io.Writer { return &out }, terminal: func() bool { return false }})
	defer SetSink(old)
	for range Range(2, "soon done") {
	}
	p, c := newBar(100)
	for range 25 {
		c.pass(time.Second)
		p.Add(4)
	}
	p.Done()
	var done []string
	for line := range strings.Lines(out.String()) {
		done = append(done, strings.Fields(line[strings.LastIndex(line, "▏"):])[1])
	}
	if want := []string{"40/100", "80/100", "100/100"}; !slices.Equal(done, want) {
		t.Errorf("lines at %v, want %v:\n%s", done, want, out.String())
	}
}

// TestProgressSince: the rate of work that began before its bar is over all its time.
func TestProgressSince(t *testing.T) {
	old := SetSink(&recorder{})
	defer SetSink(old)
	p, c := newBar(100)
	p.Since(c.now().Add(-10 * time.Second))
	c.pass(time.Second)
	p.Add(22)
	if got := barOf(p, ""); !strings.Contains(got, "22/100  11s, 39s left  2/s") {
		t.Error(got)
	}
}

func TestDurationsAndSpeeds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		340 * time.Millisecond: "0.3s", 9960 * time.Millisecond: "10s", 59600 * time.Millisecond: "1m00s",
		185 * time.Second: "3m05s", 3725 * time.Second: "1h02m",
	} {
		if got := duration(d); got != want {
			t.Errorf("duration(%v) = %s, want %s", d, got, want)
		}
	}
	for r, want := range map[float64]string{2.5e6: "2.5M/s", 12345: "12.3k/s", 333.3: "333/s", 2.5: "2.5/s", .25: "4s each"} {
		if got := speed(r); got != want {
			t.Errorf("speed(%v) = %s, want %s", r, got, want)
		}
	}
}

// ending is a recorder of a notebook, which says when a cell ends.
type ending struct {
	recorder
	ends map[any]func()
}

func (e *ending) AtEnd(key any, f func()) { e.ends[key] = f }

// A bar's last steps are shown though none after them draws it: a while later, when the cell ends, and when it is asked.
func TestProgressShowsItsLastState(t *testing.T) {
	e := &ending{ends: map[any]func(){}}
	old := SetSink(e)
	t.Cleanup(func() { SetSink(old) })
	last := func() string {
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.messages[len(e.messages)-1].Value.(Bundle)["text/plain"].(string)
	}
	p := NewProgress(10, "fast")
	for range 10 {
		p.Add(1)
	}
	if got := barOf(p, ""); !strings.Contains(got, "10/10") {
		t.Errorf("asked, it is %q", got)
	}
	for range 100 {
		if strings.Contains(last(), "10/10") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if got := last(); !strings.Contains(got, "10/10") {
		t.Errorf("five seconds later it shows %q", got)
	}
	q := NewProgress(3, "at the end")
	q.Add(2)
	e.ends[q]()
	if got := last(); !strings.Contains(got, "2/3") {
		t.Errorf("when the cell ends it shows %q", got)
	}
}
