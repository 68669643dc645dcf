package study

import (
	"sync/atomic"
	"time"
)

// A Bar shows how far a study is.
type Bar interface {
	Report(done, total int)
	Done()
}

var newBar atomic.Pointer[func(total int, label string) Bar]

// SetBar is for the program that runs cells: a study whose settings have no Progress, and that takes longer than a moment,
// shows a bar from make.
func SetBar(make func(total int, label string) Bar) { newBar.Store(&make) }

// barAfter is how long a study runs before it shows a bar.
const barAfter = 500 * time.Millisecond

// showBar has the book report to a bar. The returned function ends it.
func (b *Book) showBar() (end func()) {
	make := newBar.Load()
	if make == nil || b.settings.Progress != nil {
		return func() {}
	}
	var bar Bar
	began := time.Now()
	settings := *b.settings
	settings.Progress = func(done, total int) { // under the book's lock
		if bar == nil && time.Since(began) > barAfter && done < total {
			bar = (*make)(total, b.study.Name)
		}
		if bar != nil {
			bar.Report(done, total)
		}
	}
	b.settings = &settings
	return func() {
		if bar != nil {
			bar.Done()
		}
	}
}
