package plotting

import (
	"image/color"
	"math"
)

// A ColorMap turns numbers from 0 to 1 into colours, by going straight from one of its colours to the next.
type ColorMap []color.NRGBA

// Viridis goes from dark blue to yellow, evenly to the eye, in grey print and for colour-blind readers too.
var Viridis = colorMap(0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6DCD59, 0xB4DE2C, 0xFDE725)

// Blues goes from white to dark blue: densities under points.
var Blues = colorMap(0xFFFFFF, 0xEAF2FA, 0xD2E3F3, 0xB0D2E8, 0x85BCDB, 0x5AA2CF, 0x3585BF, 0x1966AD, 0x084990, 0x08306B)

// RedBlue goes from red through white to blue: values with a middle that means something.
var RedBlue = colorMap(0x67001F, 0xB2182B, 0xD6604D, 0xF4A582, 0xFDDBC7, 0xF7F7F7, 0xD1E5F0, 0x92C5DE, 0x4393C3, 0x2166AC, 0x053061)

func colorMap(xs ...uint32) ColorMap {
	m := make(ColorMap, len(xs))
	for i, x := range xs {
		m[i] = rgb(x)
	}
	return m
}

// At returns the colour of t, which is brought into 0 to 1. NaN is transparent.
func (m ColorMap) At(t float64) color.NRGBA {
	if math.IsNaN(t) || len(m) == 0 {
		return color.NRGBA{}
	}
	t = min(max(t, 0), 1) * float64(len(m)-1)
	i := min(int(t), len(m)-2)
	if i < 0 {
		return m[0]
	}
	u := t - float64(i)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-u) + float64(b)*u + .5) }
	a, b := m[i], m[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), mix(a.A, b.A)}
}
