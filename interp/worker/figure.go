package worker

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"gaucho/plotting"
	"gaucho/render"
)

// figure sets the size of figures, "12cm 8cm", and their resolution, "scale=3".
func figure(arg string) error {
	var size []vg.Length
	for _, word := range strings.Fields(arg) {
		if text, ok := strings.CutPrefix(word, "scale="); ok {
			scale, err := strconv.ParseFloat(text, 64)
			if err != nil || !(scale >= 0.5 && scale <= 10) {
				return fmt.Errorf("%%figure: scale is %s, must be a number from 0.5 to 10", text)
			}
			plotting.SetResolution(scale)
			continue
		}
		l, err := vg.ParseLength(word)
		if err != nil || !(l >= 20 && l <= 10_000) {
			return fmt.Errorf("%%figure: length is %s, must be one as 12cm, 5in or 300pt", word)
		}
		size = append(size, l)
	}
	switch len(size) {
	case 0:
	case 2:
		plotting.SetSize(size[0], size[1])
	default:
		return fmt.Errorf("%%figure: %d lengths, must be a width and a height", len(size))
	}
	return nil
}

// precision sets how many digits numbers have.
func precision(arg string) error {
	if arg == "" {
		render.SetPrecision(0)
		return nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 || n > 17 {
		return fmt.Errorf("%%precision: digits are %s, must be a number from 1 to 17", arg)
	}
	render.SetPrecision(n)
	return nil
}
