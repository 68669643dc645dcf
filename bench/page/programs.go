package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// programs is README's table of the everyday programs: times in a session and of both peers, how much longer the session takes than the
// program that go build makes, and how many times less than CPython.
func programs(groups []*group) string {
	i := slices.IndexFunc(groups, func(g *group) bool { return g.Name == "everyday" })
	if i < 0 {
		return "They have not been measured so far.\n"
	}
	g := groups[i]
	var w strings.Builder
	w.WriteString("| program | native session | `go build` | | CPython | |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	logs := map[string]float64{}
	var built, interpreted *row
	n := 0
	for i := range g.rows {
		switch r := &g.rows[i]; r.Peer {
		case "go build":
			built = r
			continue
		case "CPython":
			interpreted = r
		}
		a, b := median(built.ratios()), median(interpreted.ratios())
		logs[built.Peer] += math.Log(a)
		logs[interpreted.Peer] += math.Log(b)
		n++
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %.0f × |\n", built.Title, shown(median(built.Own), "s"), shown(median(built.Other), "s"), percent(a),
			shown(median(interpreted.Other), "s"), b)
	}
	mean := func(peer string) float64 { return math.Exp(logs[peer] / float64(n)) }
	fmt.Fprintf(&w, "| geometric mean | | | %s | | %.0f × |\n\n", percent(mean("go build")), mean("CPython"))
	state := "a quiet machine"
	if len(g.Disturbed) > 0 {
		state = "a machine that was busy with other work"
	}
	fmt.Fprintf(&w, "Processor time, medians of %d rounds in turns by `make bench ONLY=everyday`, with CPython %s, on %s: %s.\n", len(built.Own),
		g.Versions["CPython"], state, g.Machine)
	return w.String()
}

// percent is how much longer Gaucho takes than a peer that takes so many times as long.
func percent(ratio float64) string { return fmt.Sprintf("%+.0f %%", 100*(1/ratio-1)) }
