package command

import (
	"slices"
	"testing"
)

type reports []int

func (r *reports) Report(done, total int) { *r = append(*r, done, total) }
func (r *reports) Done()                  {}

// TestNowRun: a bar counts what is run now, and a finished study is whole.
func TestNowRun(t *testing.T) {
	var r reports
	for _, calls := range [][]int{{211, 212, 700}, {0, 1, 2}, {5, 5, 5}} {
		report := nowRun(&r)
		report(calls[0], calls[2])
		report(calls[1], calls[2])
	}
	if want := (reports{0, 489, 1, 489, 0, 2, 1, 2, 5, 5, 5, 5}); !slices.Equal(r, want) {
		t.Errorf("reported %v, want %v", r, want)
	}
}
