package fdr

import (
	"fmt"
	"math"
)

// Proportions returns the false discovery proportion V/max(R,1) after each
// decision, given which hypotheses are truly null.
func Proportions(decisions []Decision, null []bool) ([]float64, error) {
	if len(decisions) != len(null) {
		return nil, fmt.Errorf("fdr: %d flags for %d decisions", len(null), len(decisions))
	}
	out := make([]float64, len(decisions))
	var r, v float64
	for j, d := range decisions {
		if d.Reject {
			r++
			if null[j] {
				v++
			}
		}
		out[j] = v / max(r, 1)
	}
	return out, nil
}

// Counts are the numbers of a run, when the truth is known.
type Counts struct {
	Tested       int // J
	Rejected     int // R
	False        int // V: rejected nulls
	Alternatives int // hypotheses that are not null
	// Best counts the rejected alternatives for which the right arm was named;
	// all rejected alternatives where there are no arms.
	Best int
	// Samples is the number of pulls, 0 where there are no arms.
	Samples int
}

// Count counts decisions, given which hypotheses are truly null.
func Count(decisions []Decision, null []bool) (Counts, error) {
	if len(decisions) != len(null) {
		return Counts{}, fmt.Errorf("fdr: %d flags for %d decisions", len(null), len(decisions))
	}
	c := Counts{Tested: len(decisions)}
	for j, d := range decisions {
		if !null[j] {
			c.Alternatives++
		}
		if d.Reject {
			c.Rejected++
			if null[j] {
				c.False++
			} else {
				c.Best++
			}
		}
	}
	return c, nil
}

// FDP is V/max(R,1).
func (c Counts) FDP() float64 { return float64(c.False) / float64(max(c.Rejected, 1)) }

// BDR is the share of alternatives whose best arm was found (Yang 2018, eq.
// 4.9); the power where there are no arms. 0 without alternatives.
func (c Counts) BDR() float64 { return float64(c.Best) / float64(max(c.Alternatives, 1)) }

// Metrics are error rates over independent runs, with standard errors.
type Metrics struct {
	Runs           int
	FDR, FDRErr    float64 // mean of V/max(R,1)
	MFDR, MFDRErr  float64 // E V/(E R + 1), with the error of the ratio by its linearisation
	BDR, BDRErr    float64 // mean of BDR
	Samples        float64 // mean number of pulls
	SamplesErr     float64
	MeanRejections float64
}

// Summarise turns runs into rates (Yang 2018, eqs. 4.8 and 4.9). Errors are NaN
// for one run.
func Summarise(runs []Counts) (Metrics, error) {
	if len(runs) == 0 {
		return Metrics{}, fmt.Errorf("fdr: there are no runs")
	}
	n := len(runs)
	fdp, bdr, samples := make([]float64, n), make([]float64, n), make([]float64, n)
	var v, r float64
	for i, c := range runs {
		fdp[i], bdr[i], samples[i] = c.FDP(), c.BDR(), float64(c.Samples)
		v += float64(c.False) / float64(n)
		r += float64(c.Rejected) / float64(n)
	}
	m := Metrics{Runs: n, MFDR: v / (r + 1), MeanRejections: r}
	residual := make([]float64, n)
	for i, c := range runs {
		residual[i] = (float64(c.False) - m.MFDR*float64(c.Rejected)) / (r + 1)
	}
	m.FDR, m.FDRErr = meanErr(fdp)
	m.BDR, m.BDRErr = meanErr(bdr)
	m.Samples, m.SamplesErr = meanErr(samples)
	_, m.MFDRErr = meanErr(residual)
	return m, nil
}

// meanErr returns the mean and its standard error.
func meanErr(x []float64) (mean, stderr float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	if len(x) == 1 {
		return mean, math.NaN()
	}
	var ss float64
	for _, v := range x {
		ss += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(ss / (n - 1) / n)
}
