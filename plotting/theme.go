package plotting

import (
	"image/color"
	"reflect"
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Palette is what series are coloured with, in order: the colours of Okabe and Ito that stand out on white, which people
// with any common form of colour blindness can tell apart.
var Palette = []color.Color{
	rgb(0x0072B2), // blue
	rgb(0xD55E00), // vermilion
	rgb(0x009E73), // green
	rgb(0xCC79A7), // purple
	rgb(0xE69F00), // orange
	rgb(0x56B4E9), // sky
	rgb(0x6B4C9A), // violet
	rgb(0x4D4D4D), // grey
}

// Greys of axes and annotations.
var (
	inkText  = rgb(0x222222)
	inkMuted = rgb(0x595959)
	inkAxis  = rgb(0x6E6E6E)
	inkGrid  = rgb(0xE6E6E6)
)

func rgb(x uint32) color.NRGBA {
	return color.NRGBA{R: uint8(x >> 16), G: uint8(x >> 8), B: uint8(x), A: 255}
}

// fade returns a colour with its opacity multiplied by alpha.
func fade(c color.Color, alpha float64) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(float64(n.A)*alpha + .5)
	return n
}

// Sizes of text.
const (
	sizeTitle vg.Length = 11.5
	sizeLabel vg.Length = 10.5
	sizeTick  vg.Length = 9.5
	sizeNote  vg.Length = 9.5
)

var fonts = sync.OnceValue(func() *font.Cache {
	c := font.NewCache(liberation.Collection())
	return c
})

// face returns the figures' font at a size.
func face(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// textStyle returns a style of the figures' text.
func textStyle(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: c, Font: face(size), XAlign: x, YAlign: y, Handler: mathText{}}
}

// Style gives a plot the look of this package: its font with formulas (see [Figure]), grey axes, good ticks. What the
// plot holds is left as it is. A plot that is styled before anything is added gets a grid too, with [Grid].
func Style(p *plot.Plot) {
	p.TextHandler = mathText{}
	p.Title.TextStyle = textStyle(sizeTitle, inkText, text.XCenter, text.YTop)
	p.Title.Padding = 6
	p.Legend.TextStyle = textStyle(sizeNote, inkText, text.XLeft, text.YBottom)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Padding = 0
		a.Color, a.Width = inkAxis, .6
		a.Tick.Color, a.Tick.Width, a.Tick.Length = inkAxis, .6, 4
		a.Tick.Label.Font, a.Tick.Label.Color, a.Tick.Label.Handler = face(sizeTick), inkMuted, mathText{}
		a.Label.TextStyle.Font, a.Label.TextStyle.Color, a.Label.TextStyle.Handler = face(sizeLabel), inkText, mathText{}
		a.Label.Padding = 4
		if _, ok := a.Tick.Marker.(plot.DefaultTicks); ok {
			a.Tick.Marker = Ticks{}
		}
	}
}

// houseStyle returns a figure of a plot with the look of this package wherever the program has left that of gonum/plot. The
// plot itself is not changed.
func houseStyle(p *plot.Plot) *Figure {
	bare, house, q := plot.New(), plot.New(), *p
	Style(house)
	adopt(&q.Title.TextStyle, bare.Title.TextStyle, house.Title.TextStyle)
	adopt(&q.Title.Padding, bare.Title.Padding, house.Title.Padding)
	adopt(&q.Legend.TextStyle, bare.Legend.TextStyle, house.Legend.TextStyle)
	for _, a := range []struct{ own, bare, house *plot.Axis }{{&q.X, &bare.X, &house.X}, {&q.Y, &bare.Y, &house.Y}} {
		adopt(&a.own.Padding, a.bare.Padding, a.house.Padding)
		adopt(&a.own.LineStyle, a.bare.LineStyle, a.house.LineStyle)
		adopt(&a.own.Label.TextStyle, a.bare.Label.TextStyle, a.house.Label.TextStyle)
		adopt(&a.own.Label.Padding, a.bare.Label.Padding, a.house.Label.Padding)
		adopt(&a.own.Tick.Label, a.bare.Tick.Label, a.house.Tick.Label)
		adopt(&a.own.Tick.LineStyle, a.bare.Tick.LineStyle, a.house.Tick.LineStyle)
		adopt(&a.own.Tick.Length, a.bare.Tick.Length, a.house.Tick.Length)
		adopt(&a.own.Tick.Marker, a.bare.Tick.Marker, a.house.Tick.Marker)
	}
	f := Wrap(&q)
	f.under = &gridLines{}
	return f
}

// adopt sets what is as it was at first.
func adopt[T any](own *T, bare, house T) {
	if reflect.DeepEqual(*own, bare) {
		*own = house
	}
}
