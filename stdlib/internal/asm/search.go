package asm

import "math"

// GaussianStep sets g[j] = keep*g[j] + weight*e^(c*s), where s is the squared
// distance of x from point j of the panels y, and returns the largest
// z[j] - factor*g[j], NaN if one is NaN or infinite, -Inf for no points. y has
// whole panels of dimension len(x) > 0; g and z may end within the last.
func GaussianStep(g, z, x, y []float64, c, keep, weight, factor float64) float64 {
	best := math.Inf(-1)
	d := len(x)
	for step := max(1, 2*chunk/PanelWidth/d); len(g) >= PanelWidth; {
		n := min(step, len(g)/PanelWidth)
		best = max(best, gaussianStep(g[:n*PanelWidth], z, x, y, c, keep, weight, factor))
		g, z, y = g[n*PanelWidth:], z[n*PanelWidth:], y[n*PanelWidth*d:]
	}
	if len(g) > 0 {
		var tg, tz [PanelWidth]float64
		for i := copy(tz[:], z[:len(g)]); i < PanelWidth; i++ {
			tz[i] = -math.MaxFloat64
		}
		copy(tg[:], g)
		best = max(best, gaussianStep(tg[:], tz[:], x, y, c, keep, weight, factor))
		copy(g, tg[:])
	}
	return best
}

// gaussianStep is the same for whole panels, one at least.
func gaussianStep(g, z, x, y []float64, c, keep, weight, factor float64) float64 {
	d, panels := len(x), len(g)/PanelWidth
	switch level {
	case AVX512:
		return gaussianStepAVX512(&g[0], &z[0], &x[0], &y[0], d, panels, c, keep, weight, factor)
	case AVX2:
		return gaussianStepAVX2(&g[0], &z[0], &x[0], &y[0], d, panels, c, keep, weight, factor)
	}
	best, bad := math.Inf(-1), 0.0
	var s [PanelWidth]float64
	for p := range panels {
		distancesPortable(s[:], x, y[p*PanelWidth*d:], 1, true)
		at := p * PanelWidth
		for i, v := range s {
			sum := math.FMA(weight, Exp1(v*c), float64(g[at+i]*keep))
			g[at+i] = sum
			r := math.FMA(-factor, sum, z[at+i])
			best = max(best, r)
			bad = math.FMA(r, 0, bad)
		}
	}
	return best + bad
}
