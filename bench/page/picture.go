package main

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"gaucho/plotting"
)

// picture shows the group's ratios: a line a row, from the least to the greatest of the rounds with a point at the
// median, and a ring for the goal.
func (g *group) picture() *plotting.Figure {
	rows := slices.DeleteFunc(slices.Clone(g.rows), func(r row) bool { return len(r.Other) == 0 })
	f := plotting.New("", "how many times the peer takes what Gaucho takes", "").LogX().LegendAt(plotting.NoLegend)
	var ticks plot.ConstantTicks
	var at, middles, wanted, goals []float64
	for i, r := range rows {
		y := float64(len(rows) - 1 - i)
		ticks = append(ticks, plot.Tick{Value: y, Label: r.name()})
		all := r.ratios()
		f.Line("spread", []float64{all[0], all[len(all)-1]}, []float64{y, y}, plotting.PaletteColor(0), plotting.Width(vg.Points(3)), plotting.Alpha(.4))
		at, middles = append(at, y), append(middles, median(all))
		if r.Goal != 0 {
			wanted, goals = append(wanted, y), append(goals, r.Goal)
		}
	}
	f.Points("ratio", middles, at, plotting.PaletteColor(0), plotting.Filled(), plotting.Radius(vg.Points(3.5)))
	if len(goals) > 0 {
		f.Points("goal", goals, wanted, plotting.PaletteColor(1), plotting.Radius(vg.Points(5)), plotting.Glyph(draw.RingGlyph{}))
	}
	f.VLine(1, "equal")
	f.Y.Tick.Marker = ticks
	return f.YRange(-.6, float64(len(rows))-.4).Size(vg.Points(600), vg.Points(70+16*float64(len(rows))))
}
