package study

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A Bar shows how far a study is.
type Bar interface {
	Report(done, total int)
	Done()
}

var newBar atomic.Pointer[func(total int, label string, began time.Time) Bar]

// SetBar is for the program that runs cells: a study whose settings have no Progress, and that takes longer than a moment,
// shows a bar from make, for work that began at a time.
func SetBar(make func(total int, label string, began time.Time) Bar) { newBar.Store(&make) }

// barAfter is how long a study runs before it shows a bar.
const barAfter = 500 * time.Millisecond

// showBar has the book report to a bar what is run now, without what was there. The returned function ends it.
func (b *Book) showBar() (end func()) {
	make := newBar.Load()
	if make == nil || b.settings.Progress != nil {
		return func() {}
	}
	var bar Bar
	began, had, label := time.Now(), b.done, b.study.Name
	if had > 0 {
		label = fmt.Sprintf("%s (%d of %d were there)", label, had, b.total)
	}
	settings := *b.settings
	settings.Progress = func(done, total int) { // under the book's lock
		if bar == nil && time.Since(began) > barAfter && done < total {
			bar = (*make)(total-had, label, began)
		}
		if bar != nil {
			bar.Report(done-had, total-had)
		}
	}
	b.settings = &settings
	return func() {
		if bar != nil {
			bar.Done()
		}
	}
}
