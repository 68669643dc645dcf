package asm

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAxpyPanel compares the bits with those of AxpyRows, on each level, for
// numbers of rows around the edges of what one call takes.
func TestAxpyPanel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const most = 2*chunk/PanelWidth + 1
	a, alpha, start := make([]float64, most*PanelWidth), make([]float64, most), make([]float64, PanelWidth+8)
	for _, v := range [][]float64{a, alpha, start} {
		for i := range v {
			v[i] = rng.NormFloat64()
		}
	}
	for _, rows := range []int{0, 1, 2, 5, chunk / PanelWidth, chunk/PanelWidth + 1, most} {
		want := slices.Clone(start)
		AxpyRows(want[:PanelWidth], alpha[:rows], a, PanelWidth)
		for _, l := range Levels() {
			old := Force(l)
			got := slices.Clone(start)
			AxpyPanel(got, alpha[:rows], a)
			Force(old)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows on %v differ from AxpyRows, or write beyond the panel", rows, l)
			}
		}
	}
}
