package mathfont

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"testing"

	"codeberg.org/go-fonts/stix/stix2mathregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// unpack returns the OpenType file that a WOFF file holds.
func unpack(t *testing.T, woff []byte) []byte {
	t.Helper()
	if int(binary.BigEndian.Uint32(woff[8:])) != len(woff) {
		t.Fatal("the length in the header is wrong")
	}
	n := int(binary.BigEndian.Uint16(woff[12:]))
	out := append([]byte{}, woff[4:8]...)
	out = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint16(out, uint16(n))[:6], 0)[:12]
	var body []byte
	for i := range n {
		e := woff[44+20*i:]
		u := func(at int) uint32 { return binary.BigEndian.Uint32(e[at:]) }
		table := woff[u(4) : u(4)+u(8)]
		if u(8) < u(12) {
			r, err := zlib.NewReader(bytes.NewReader(table))
			if err != nil {
				t.Fatal(err)
			}
			if table, err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, e[:4]...)
		for _, v := range []uint32{u(16), uint32(12 + 16*n + len(body)), u(12)} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, table...)
		body = append(body, make([]byte, -len(table)&3)...)
	}
	return append(out, body...)
}

// drawn counts the lines and curves of an outline.
func drawn(s sfnt.Segments) (n int) {
	for _, p := range s {
		if p.Op != sfnt.SegmentOpMoveTo {
			n++
		}
	}
	return n
}

// The glyphs of the text, italic letters and brackets of all sizes are those of the whole font; the others are empty.
func TestWOFF(t *testing.T) {
	woff, err := WOFF("x(")
	if err != nil {
		t.Fatal(err)
	}
	if whole := len(stix2mathregular.TTF); len(woff) > whole/4 {
		t.Errorf("%d bytes for two characters, the whole font has %d", len(woff), whole)
	}
	whole, err := sfnt.Parse(stix2mathregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	part, err := sfnt.Parse(unpack(t, woff))
	if err != nil {
		t.Fatal(err)
	}
	outline := func(f *sfnt.Font, r rune) int {
		var buf sfnt.Buffer
		i, err := f.GlyphIndex(&buf, r)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.LoadGlyph(&buf, i, fixed.Int26_6(1000), nil)
		if err != nil {
			t.Fatal(err)
		}
		return drawn(s)
	}
	for _, r := range "x𝑥(" {
		if n := outline(part, r); n == 0 || n != outline(whole, r) {
			t.Errorf("%c has %d segments", r, n)
		}
	}
	for _, r := range "y)∑" {
		if n := outline(part, r); n != 0 {
			t.Errorf("%c is not empty", r)
		}
	}
	filled := 0
	var buf sfnt.Buffer
	for i := range part.NumGlyphs() {
		if s, err := part.LoadGlyph(&buf, sfnt.GlyphIndex(i), fixed.Int26_6(1000), nil); err != nil {
			t.Fatal(i, err)
		} else if drawn(s) > 0 {
			filled++
		}
	}
	if filled < 10 { // the bracket has a dozen sizes and three parts
		t.Errorf("%d glyphs are left", filled)
	}
}
