package study

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

type testBar struct{ total, done, ended atomic.Int64 }

func (b *testBar) Report(done, total int) { b.done.Store(int64(done)); b.total.Store(int64(total)) }
func (b *testBar) Done()                  { b.ended.Add(1) }

// TestBar: a study that takes a while shows a bar, and ends it; one that answers at once or has a Progress shows none.
func TestBar(t *testing.T) {
	var bar testBar
	var made atomic.Int64
	var label atomic.Value
	SetBar(func(_ int, text string, _ time.Time) Bar { made.Add(1); label.Store(text); return &bar })
	defer newBar.Store(nil)
	slow := coin(func(p Point, rng *rand.Rand) (Record, error) {
		time.Sleep(5 * time.Millisecond)
		return flip(p, rng)
	})
	settings := &Settings{Workers: 1, Dir: t.TempDir()}
	if _, err := slow.Run(context.Background(), settings); err != nil || made.Load() != 1 || bar.ended.Load() != 1 || bar.total.Load() != 240 || bar.done.Load() != 240 {
		t.Errorf("%d bars, %d ended, at %d of %d, %v", made.Load(), bar.ended.Load(), bar.done.Load(), bar.total.Load(), err)
	}
	if settings.Progress != nil {
		t.Error("the caller's settings were changed")
	}
	if _, err := slow.Run(context.Background(), settings); err != nil || made.Load() != 1 {
		t.Errorf("a finished study shows a bar, %v", err)
	}
	grown := *slow
	grown.Replications *= 2
	if _, err := grown.Run(context.Background(), settings); err != nil || bar.total.Load() != 240 || bar.done.Load() != 240 || label.Load() != "coin (240 of 480 were there)" {
		t.Errorf("a study of which half is there shows a bar %s at %d of %d, %v", label.Load(), bar.done.Load(), bar.total.Load(), err)
	}
	made.Store(1)
	quiet := &Settings{Workers: 1, Fresh: true, Dir: settings.Dir, Progress: func(int, int) {}}
	if _, err := slow.Run(context.Background(), quiet); err != nil || made.Load() != 1 {
		t.Errorf("a study with a Progress shows a bar, %v", err)
	}
}
