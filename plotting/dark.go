package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Theme is the ground that figures are drawn on.
type Theme int

// Themes.
const (
	Light Theme = iota // white, with dark text
	Dark               // nearly black, with light text
	Auto               // as the page around the figure, where that can be known
)

// SetTheme sets the theme in which figures are drawn from now on, [Light] at first. It holds for figures, pages, animations
// and interactive figures alike. Heat maps, and points that are coloured by [ColorBy], keep their colours.
//
// With [Auto], figures in JupyterLab follow its theme, also when it changes later, and figures in pages of gaucho run, and in
// SVG files that a page shows, follow the reader's preference. What has no way to follow is light: PNG and PDF, animations
// and interactive figures.
func SetTheme(t Theme) {
	defaults.Lock()
	defer defaults.Unlock()
	defaults.theme = t
}

func theme() Theme {
	defaults.Lock()
	defer defaults.Unlock()
	return defaults.theme
}

// themed returns a canvas that draws in the theme, which is light for [Auto].
func themed(c vg.CanvasSizer, t Theme) draw.Canvas {
	if t == Dark {
		return draw.New(darkCanvas{c})
	}
	return draw.New(c)
}

// themeOf returns the theme that a canvas, or the one of which it is a part, draws in.
func themeOf(c vg.Canvas) Theme {
	switch c := c.(type) {
	case darkCanvas:
		return Dark
	case draw.Canvas:
		return themeOf(c.Canvas)
	case *draw.Canvas:
		return themeOf(c.Canvas)
	}
	return Light
}

// darkCanvas draws what was meant for a white ground on a dark one.
type darkCanvas struct{ vg.CanvasSizer }

// SetColor sets the colour that takes the place of c.
func (d darkCanvas) SetColor(c color.Color) { d.CanvasSizer.SetColor(darkened(c)) }

// A mapped colour means a number and is the same in all themes.
type mapped struct{ color.Color }

// darkened returns the colour that takes the place of another on a dark ground: greys change places with each other, and
// colours too dark to be seen become lighter.
func darkened(c color.Color) color.Color {
	switch c.(type) {
	case nil:
		c = color.Black
	case mapped:
		return c
	}
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	lo, hi := min(n.R, n.G, n.B), max(n.R, n.G, n.B)
	light := (float64(lo) + float64(hi)) / 2 / 255
	if hi-lo < 16 {
		v := uint8(math.Round(255 * (.94 - .84*light)))
		return color.NRGBA{v, v, v, n.A}
	}
	const least = .55
	if light >= least {
		return n
	}
	mix := (least - light) / (1 - light)
	lighter := func(v uint8) uint8 { return uint8(math.Round(float64(v)*(1-mix) + 255*mix)) }
	return color.NRGBA{lighter(n.R), lighter(n.G), lighter(n.B), n.A}
}
