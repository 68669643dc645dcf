package plotting

import (
	"sync"

	"codeberg.org/go-fonts/stix/stix2mathregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// mathFont has the characters of mathematics that the figures' font lacks. They are drawn as outlines, so that a figure
// looks the same where the font is not installed.
var mathFont = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(stix2mathregular.TTF)
	if err != nil {
		panic(err) // embedded
	}
	return f
})

// has reports whether a font has a character.
func has(f *opentype.Font, r rune) bool {
	var buf sfnt.Buffer
	i, err := f.GlyphIndex(&buf, r)
	return err == nil && i != 0
}

// inkOf returns how far the characters of a text reach above and below the baseline.
func inkOf(text string, face font.Face) (height, depth vg.Length) {
	var buf sfnt.Buffer
	unit := face.Font.Size / vg.Length(face.Face.UnitsPerEm())
	for _, r := range text {
		i, err := face.Face.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		if bounds, _, err := face.Face.GlyphBounds(&buf, i, fixed.Int26_6(face.Face.UnitsPerEm()), 0); err == nil {
			height, depth = max(height, -vg.Length(bounds.Min.Y)*unit), max(depth, vg.Length(bounds.Max.Y)*unit)
		}
	}
	return height, depth
}

// outline returns the box of a character as an outline, stretched by factors in both directions.
func outline(f *opentype.Font, r rune, size vg.Length, stretchX, stretchY vg.Length) box {
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.UnitsPerEm())
	i, err := f.GlyphIndex(&buf, r)
	if err != nil || i == 0 {
		i, _ = f.GlyphIndex(&buf, '\uFFFD')
	}
	advance, err := f.GlyphAdvance(&buf, i, em, 0)
	if err != nil {
		return box{}
	}
	x, y := size/vg.Length(em)*stretchX, size/vg.Length(em)*stretchY
	b := box{width: vg.Length(advance) * x}
	segments, err := f.LoadGlyph(&buf, i, em, nil)
	if err != nil {
		return b
	}
	bounds := segments.Bounds()
	b.height, b.depth = -vg.Length(bounds.Min.Y)*y, vg.Length(bounds.Max.Y)*y
	at := func(p fixed.Point26_6) vg.Point { return vg.Point{X: vg.Length(p.X) * x, Y: -vg.Length(p.Y) * y} }
	var path vg.Path
	for k, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if k > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(path) > 0 { // a space has none
		path.Close()
		b.pieces = []piece{{path: path}}
	}
	return b
}
