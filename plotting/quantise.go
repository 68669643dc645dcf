package plotting

import (
	"image"
	"image/color"
	"slices"
)

// quantise returns at most n colours that stand for those of the images, by median cut (Heckbert 1982): the set of colours
// is split at the median of its widest channel until there are n parts, each of which gives its mean.
func quantise(images []*image.RGBA, n int) color.Palette {
	counts := map[[3]uint8]int{}
	for _, img := range images {
		for i := 0; i < len(img.Pix); i += 4 {
			counts[[3]uint8{img.Pix[i], img.Pix[i+1], img.Pix[i+2]}]++
		}
	}
	all := make([]tally, 0, len(counts))
	for c, k := range counts {
		all = append(all, tally{c, k})
	}
	slices.SortFunc(all, func(a, b tally) int { return slices.Compare(a.c[:], b.c[:]) })
	parts := [][]tally{all}
	for len(parts) < n {
		at, channel, widest := -1, 0, 0
		for i, p := range parts {
			if c, w := extentOf(p); w > widest {
				at, channel, widest = i, c, w
			}
		}
		if at < 0 {
			break
		}
		a, b := split(parts[at], channel)
		parts[at] = a
		parts = append(parts, b)
	}
	var palette color.Palette
	for _, p := range parts {
		palette = append(palette, mean(p))
	}
	return palette
}

// tally is a colour and how often it occurs.
type tally struct {
	c [3]uint8
	n int
}

// extentOf returns the channel in which colours differ most and by how much.
func extentOf(p []tally) (channel, width int) {
	for k := range 3 {
		lo, hi := p[0].c[k], p[0].c[k]
		for _, t := range p {
			lo, hi = min(lo, t.c[k]), max(hi, t.c[k])
		}
		if int(hi-lo) > width {
			channel, width = k, int(hi-lo)
		}
	}
	return channel, width
}

// split divides colours at the median of a channel, weighted by the square root of how often they occur, so that the
// background does not take all colours to itself.
func split(p []tally, channel int) (a, b []tally) {
	slices.SortStableFunc(p, func(x, y tally) int { return int(x.c[channel]) - int(y.c[channel]) })
	weight := func(t tally) (w int) {
		for w*w < t.n {
			w++
		}
		return w
	}
	total := 0
	for _, t := range p {
		total += weight(t)
	}
	sum := 0
	for i, t := range p {
		sum += weight(t)
		if i > 0 && p[i].c[channel] != p[i-1].c[channel] && (2*sum > total || p[i].c[channel] == p[len(p)-1].c[channel]) {
			return p[:i], p[i:]
		}
	}
	return p[:1], p[1:]
}

func mean(p []tally) color.Color {
	var s [3]int
	n := 0
	for _, t := range p {
		for k := range 3 {
			s[k] += int(t.c[k]) * t.n
		}
		n += t.n
	}
	return color.RGBA{uint8((s[0] + n/2) / n), uint8((s[1] + n/2) / n), uint8((s[2] + n/2) / n), 255}
}

// indexer finds the nearest colour of a palette and remembers it.
type indexer struct {
	palette color.Palette
	known   map[color.RGBA]uint8
}

func newIndexer(p color.Palette) *indexer { return &indexer{p, map[color.RGBA]uint8{}} }

func (x *indexer) of(c color.RGBA) uint8 {
	i, ok := x.known[c]
	if !ok {
		i = uint8(x.palette.Index(c))
		x.known[c] = i
	}
	return i
}
