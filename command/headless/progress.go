package headless

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// A Bar draws the progress of a run as one line of a terminal, drawn anew at each cell and while a cell runs.
type Bar struct {
	w     io.Writer
	name  string
	width func() int // of the terminal, in columns
	stop  chan struct{}
	ended sync.WaitGroup

	mu          sync.Mutex
	done, total int
	line        string // first line of the cell that runs
	began       time.Time
}

var _ Progress = (*Bar)(nil)

// NewBar starts a bar on w, a terminal of the given width, for the notebook of that name. Close ends it.
func NewBar(w io.Writer, name string, width func() int) *Bar {
	b := &Bar{w: w, name: name, width: width, stop: make(chan struct{}), began: time.Now()}
	b.ended.Go(func() {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				b.draw()
			case <-b.stop:
				return
			}
		}
	})
	return b
}

// Cell sets how many cells are done, and the source of the next.
func (b *Bar) Cell(done, total int, source string) {
	b.mu.Lock()
	b.done, b.total, b.line = done, total, firstLine(source)
	b.mu.Unlock()
	b.draw()
}

// Close stops the bar and wipes its line.
func (b *Bar) Close() {
	close(b.stop)
	b.ended.Wait()
	fmt.Fprint(b.w, "\r\x1b[K")
}

func (b *Bar) draw() {
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Fprint(b.w, "\r"+b.text(time.Since(b.began))+"\x1b[K")
}

// text is the bar's line: name, bar, cells, time, and as much of the running cell as there is room for.
func (b *Bar) text(elapsed time.Duration) string {
	const cells = 24
	full := 0
	if b.total > 0 {
		full = cells * b.done / b.total
	}
	bar := strings.Repeat("━", full) + strings.Repeat("─", cells-full)
	s := fmt.Sprintf("%s %s %d/%d %s", b.name, bar, b.done, b.total, clock(elapsed))
	if b.line != "" {
		s += "  " + b.line
	}
	room := b.width() - 1
	if room < 1 {
		room = 79
	}
	if utf8.RuneCountInString(s) > room {
		s = string([]rune(s)[:room])
	}
	return s
}

func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// firstLine is the first line with code in it, or a comment if there is only that.
func firstLine(source string) string {
	first := ""
	for _, l := range strings.Split(source, "\n") {
		l = strings.TrimSpace(strings.ReplaceAll(l, "\t", " "))
		if l != "" && (first == "" || strings.HasPrefix(first, "//")) {
			first = l
		}
	}
	return first
}
