package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// programs is the table of the everyday programs: times in a session and of both peers, how much longer the session takes than the
// program that go build makes, and how many times less than CPython.
func programs(g *group) string {
	var w strings.Builder
	w.WriteString("| program | native session | `go build` | | CPython | |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	slower, ahead := 0.0, 0.0 // sums of logarithms
	pairs := slices.Collect(slices.Chunk(g.rows, 2))
	for _, p := range pairs {
		built, interpreted := p[0], p[1] // as bench/everyday writes them
		a, b := median(built.ratios()), median(interpreted.ratios())
		slower, ahead = slower+math.Log(a), ahead+math.Log(b)
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %.0f × |\n", built.Title, shown(median(built.Own), "s"), shown(median(built.Other), "s"), percent(a),
			shown(median(interpreted.Other), "s"), b)
	}
	n := float64(len(pairs))
	fmt.Fprintf(&w, "| geometric mean | | | %s | | %.0f × |\n\n", percent(math.Exp(slower/n)), math.Exp(ahead/n))
	return w.String()
}

// percent is how much longer Gaucho takes than a peer that takes so many times as long.
func percent(ratio float64) string { return fmt.Sprintf("%+.0f %%", 100*(1/ratio-1)) }
