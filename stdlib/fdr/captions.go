package fdr

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// captionRanks is how far down a contest's captions the generator goes.
const captionRanks = 80

// CaptionMeans draws the means of a sequence of experiments that are like contests
// of cartoon captions, whose data are not shipped: a generated stand-in for figure
// 4.9 of Yang 2018. In each contest the share of people who find the caption of
// rank 80 funny is normal (0.38, 0.035^2), and the gap between ranks k+1 and k is
// exponential of mean c/k, c normal (0.05, 0.01^2) but at least 0.025; shares are at
// most 0.95. These figures were fitted to 17 public contests. The arms are the best
// captions. In round(share * experiments) experiments, chosen uniformly, the
// control has changed places with one of ranks 2 to 6; in the others it is the
// best.
//
// Row j holds the means of experiment j, the control first. Errors: arms outside 2
// to 80, the others those of ContestMeans.
func CaptionMeans(experiments, arms int, share float64, rng *rand.Rand) ([][]float64, error) {
	if rng == nil {
		return nil, fmt.Errorf("fdr: rng is nil, must be a source of random numbers")
	}
	if err := checkContest(experiments, share, rng); err != nil {
		return nil, err
	}
	if arms < 2 || arms > captionRanks {
		return nil, fmt.Errorf("fdr: arms is %d, must be from 2 to %d", arms, captionRanks)
	}
	contests := make([][]float64, experiments)
	for j := range contests {
		m := make([]float64, captionRanks)
		m[captionRanks-1] = 0.38 + 0.035*rng.NormFloat64()
		c := max(0.05+0.01*rng.NormFloat64(), 0.025)
		for k := captionRanks - 1; k >= 1; k-- {
			m[k-1] = m[k] + c*rng.ExpFloat64()/float64(k)
		}
		for k := range m {
			m[k] = min(max(m[k], 0), 0.95)
		}
		contests[j] = m[:arms:arms]
	}
	swapControls(contests, share, 5, rng)
	return contests, nil
}

func checkContest(experiments int, share float64, rng *rand.Rand) error {
	switch {
	case experiments < 1:
		return fmt.Errorf("fdr: experiments is %d, must be at least 1", experiments)
	case !(share >= 0 && share <= 1):
		return fmt.Errorf("fdr: share is %v, must be in [0, 1]", share)
	case rng == nil:
		return fmt.Errorf("fdr: rng is nil, must be a source of random numbers")
	}
	return nil
}

// swapControls puts the control of a share of the experiments, whose means are
// sorted from the largest, at one of ranks 2 to top+1.
func swapControls(means [][]float64, share float64, top int, rng *rand.Rand) {
	alternatives := int(share*float64(len(means)) + 0.5)
	for _, j := range rng.Perm(len(means))[:alternatives] {
		m := means[j]
		r := 1 + rng.IntN(max(1, min(top, len(m)-2)))
		m[0], m[r] = m[r], m[0]
	}
}

// ReadCaptions reads contests from a table with the columns contest, funny,
// somewhat_funny and unfunny: counts of ratings, a line a caption. A caption's mean
// is the share of the first two. Row j holds the means of contest j, largest first,
// in the order in which contests appear. Errors: a column that is missing, a count
// that is not one, a caption without ratings, with the line.
func ReadCaptions(r io.Reader) (contests []string, means [][]float64, err error) {
	if r == nil {
		return nil, nil, fmt.Errorf("fdr: cannot read the captions: the reader is nil")
	}
	table := csv.NewReader(r)
	head, err := table.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("fdr: cannot read the captions: %w", err)
	}
	var column [4]int
	for i, name := range []string{"contest", "funny", "somewhat_funny", "unfunny"} {
		if column[i] = slices.Index(head, name); column[i] < 0 {
			return nil, nil, fmt.Errorf("fdr: captions have the columns %q, must have %q", head, name)
		}
	}
	at := map[string]int{}
	for {
		row, err := table.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, fmt.Errorf("fdr: cannot read the captions: %w", err)
		}
		line, _ := table.FieldPos(0)
		var counts [3]float64
		for i := range counts {
			v, err := strconv.ParseFloat(row[column[i+1]], 64)
			if err != nil || !(v >= 0) || math.IsInf(v, 1) {
				return nil, nil, fmt.Errorf("fdr: line %d: count is %q, must be at least 0", line, row[column[i+1]])
			}
			counts[i] = v
		}
		total := counts[0] + counts[1] + counts[2]
		if total == 0 {
			return nil, nil, fmt.Errorf("fdr: line %d: the caption has no ratings", line)
		}
		contest := row[column[0]]
		j, ok := at[contest]
		if !ok {
			j = len(contests)
			at[contest] = j
			contests, means = append(contests, contest), append(means, nil)
		}
		means[j] = append(means[j], (counts[0]+counts[1])/total)
	}
	if len(means) == 0 {
		return nil, nil, fmt.Errorf("fdr: there are no captions")
	}
	for _, m := range means {
		slices.SortFunc(m, func(a, b float64) int {
			switch {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
	}
	return contests, means, nil
}
