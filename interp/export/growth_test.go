package export

import (
	"fmt"
	"runtime"
	"testing"
)

// TestExportGrowth: a notebook of eight times as many cells takes about eight times the memory, not 64 times.
func TestExportGrowth(t *testing.T) {
	bytes := func(n int) float64 {
		var cells []Cell
		for i := range n {
			cells = append(cells, Cell{Source: fmt.Sprintf("v%d := %d\nfunc f%d() int { return v%d }", i, i, i, i)})
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Notebook(t.Context(), "", cells, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	bytes(1)
	if small, big := bytes(50), bytes(400); big > 10*small {
		t.Errorf("400 cells take %.1f times the memory of 50", big/small)
	}
}
