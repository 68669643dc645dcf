package asm

import "math"

// pathWidth is the number of columns of a panel of transitions.
const pathWidth = 8

// MaxPlus makes score, rows of s values, the scores of the best paths: to each row but the first it adds
// max_j before[j] + m[j*s+k], where before is the row before, and so on to the last. Sums that are NaN are passed over.
func MaxPlus(score []float64, s int, m []float64) {
	padded := (s + pathWidth - 1) / pathWidth * pathWidth
	row := make([]float64, 2*padded)
	copy(row, score[:s])
	panels := make([]float64, padded*s)
	for i := range panels {
		panels[i] = math.Inf(-1)
	}
	for j := range s {
		for k := range s {
			panels[k/pathWidth*pathWidth*s+j*pathWidth+k%pathWidth] = m[j*s+k]
		}
	}
	most := max(1, chunk/(s*padded/pathWidth+1)) // steps of one call
	for score = score[s:]; len(score) > 0; {
		steps := min(most, len(score)/s)
		maxPlus(score[:steps*s], row, panels, s)
		score = score[steps*s:]
		if steps%2 == 1 {
			copy(row, row[padded:])
		}
	}
}

// maxPlus is the same for the rows after the one in row, which has room for two: the last is where an odd or even number
// of steps leaves it.
func maxPlus(score, row, panels []float64, s int) {
	padded, steps := len(row)/2, len(score)/s
	switch level {
	case AVX512:
		maxPlusAVX512(&score[0], &row[0], &panels[0], s, padded, steps)
		return
	case AVX2:
		maxPlusAVX2(&score[0], &row[0], &panels[0], s, padded, steps)
		return
	}
	before, next := row[:padded], row[padded:]
	for i := range steps {
		for k, v := range score[i*s : (i+1)*s] {
			best := math.Inf(-1)
			for j, b := range before[:s] {
				if t := b + panels[k/pathWidth*pathWidth*s+j*pathWidth+k%pathWidth]; t > best {
					best = t
				}
			}
			next[k] = v + best
		}
		copy(score[i*s:], next[:s])
		before, next = next, before
	}
}
