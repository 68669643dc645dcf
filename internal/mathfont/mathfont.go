// Package mathfont makes a font for the formulas of a page: STIX Two Math with no more glyphs than the page needs. Browsers
// draw large brackets and roots with a font that has a MATH table only, and many systems have none.
//
// Glyphs that are not needed are blanked in place, so nothing else in the font changes, and compression removes them.
package mathfont

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"codeberg.org/go-fonts/stix/stix2mathregular"
	"golang.org/x/image/font/sfnt"
)

// WOFF returns the font with the glyphs for the characters of a text, their italic forms and their larger forms, as a WOFF
// file (https://www.w3.org/TR/WOFF/).
func WOFF(text string) ([]byte, error) {
	data := slices.Clone(stix2mathregular.TTF)
	tables, err := directory(data)
	if err != nil {
		return nil, err
	}
	keep, err := glyphs(data, text)
	if err != nil {
		return nil, err
	}
	if err := addVariants(keep, tables["MATH"]); err != nil {
		return nil, err
	}
	if err := blank(tables["CFF "], keep); err != nil {
		return nil, err
	}
	return pack(data[:4], tables), nil
}

// wanted are the tables that a browser needs to draw formulas.
var wanted = []string{"CFF ", "MATH", "OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post"}

// directory returns the tables of an OpenType file by their names.
func directory(data []byte) (map[string][]byte, error) {
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		entry := data[12+16*i:]
		offset, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = data[offset : offset+length]
	}
	for _, name := range wanted {
		if tables[name] == nil {
			return nil, fmt.Errorf("mathfont: the font has no table %q", name)
		}
	}
	return tables, nil
}

// glyphs returns the glyphs of the characters of a text and of their italic forms, which browsers choose by themselves.
func glyphs(data []byte, text string) (map[uint16]bool, error) {
	f, err := sfnt.Parse(data)
	if err != nil {
		return nil, err
	}
	keep := map[uint16]bool{0: true}
	var buf sfnt.Buffer
	for _, r := range text {
		for _, c := range []rune{r, italic(r)} {
			i, err := f.GlyphIndex(&buf, c)
			if err != nil {
				return nil, err
			}
			keep[uint16(i)] = true
		}
	}
	return keep, nil
}

// italic returns the mathematical italic form of a letter, itself if it has none.
func italic(r rune) rune {
	switch {
	case r == 'h':
		return 'ℎ'
	case r >= 'A' && r <= 'Z':
		return 0x1D434 + r - 'A'
	case r >= 'a' && r <= 'z':
		return 0x1D44E + r - 'a'
	case r >= 'Α' && r <= 'Ω':
		return 0x1D6E2 + r - 'Α'
	case r >= 'α' && r <= 'ω':
		return 0x1D6FC + r - 'α'
	}
	if i := strings.IndexRune("∂ϵϑϰϕϱϖ", r); i >= 0 && unicode.IsPrint(r) {
		return 0x1D715 + rune(len([]rune("∂ϵϑϰϕϱϖ"[:i])))
	}
	return r
}

// addVariants adds the larger forms of the glyphs, and the parts of which the largest are made, as the MATH table lists them
// (https://learn.microsoft.com/typography/opentype/spec/math).
func addVariants(keep map[uint16]bool, table []byte) (err error) {
	defer func() {
		if recover() != nil { // an offset that points out of the table
			err = fmt.Errorf("mathfont: the table MATH is damaged")
		}
	}()
	u16 := func(b []byte, at int) int { return int(binary.BigEndian.Uint16(b[at:])) }
	variants := table[u16(table, 8):]
	vertical := u16(variants, 6)
	constructions := variants[10:]
	for direction, first := range map[int]int{2: 0, 4: vertical} {
		for i, glyph := range coverage(variants[u16(variants, direction):]) {
			if !keep[glyph] {
				continue
			}
			c := variants[u16(constructions, 2*(first+i)):]
			for k := range u16(c, 2) {
				keep[uint16(u16(c, 4+4*k))] = true
			}
			if at := u16(c, 0); at > 0 {
				assembly := c[at:]
				for k := range u16(assembly, 4) {
					keep[uint16(u16(assembly, 6+10*k))] = true
				}
			}
		}
	}
	return nil
}

// coverage returns the glyphs of a coverage table in their order.
func coverage(t []byte) (out []uint16) {
	u16 := func(at int) uint16 { return binary.BigEndian.Uint16(t[at:]) }
	for k := range int(u16(2)) {
		if u16(0) == 1 {
			out = append(out, u16(4+2*k))
			continue
		}
		for g := int(u16(4 + 6*k)); g <= int(u16(6+6*k)); g++ {
			out = append(out, uint16(g))
		}
	}
	return out
}

// blank overwrites the outlines of all other glyphs in the table CFF (Adobe technical note 5176) by ones without ink.
func blank(cff []byte, keep map[uint16]bool) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("mathfont: the table CFF is damaged")
		}
	}()
	_, at := index(cff, int(cff[2])) // names
	top, _ := index(cff, at)
	outlines, _ := index(cff, charStrings(cff[top[0][0]:top[0][1]]))
	for glyph, place := range outlines {
		if !keep[uint16(glyph)] {
			nothing(cff[place[0]:place[1]])
		}
	}
	return nil
}

// nothing fills a charstring with moves by zero (Adobe technical note 5177). The first may have a width before it.
func nothing(outline []byte) {
	const zero, hmoveto, endchar = 139, 22, 14
	last := len(outline) - 1
	outline[last] = endchar
	for i := last - 1; i >= 0; i-- {
		outline[i] = zero
		if (last-i)%2 == 1 && i > 0 {
			outline[i] = hmoveto
		}
	}
}

// index returns the places of the objects of an INDEX, and where it ends.
func index(cff []byte, at int) (places [][2]int, end int) {
	count := int(binary.BigEndian.Uint16(cff[at:]))
	if count == 0 {
		return nil, at + 2
	}
	size := int(cff[at+2])
	offset := func(k int) (v int) {
		for _, b := range cff[at+3+k*size : at+3+(k+1)*size] {
			v = v<<8 | int(b)
		}
		return at + 2 + (count+1)*size + v
	}
	for k := range count {
		places = append(places, [2]int{offset(k), offset(k + 1)})
	}
	return places, offset(count)
}

// charStrings returns the offset of the outlines that a top DICT gives by its operator 17.
func charStrings(dict []byte) int {
	operand := 0
	for i := 0; i < len(dict); {
		switch b := dict[i]; {
		case b == 17:
			return operand
		case b == 12:
			i += 2
		case b <= 21:
			i++
		case b == 28:
			operand, i = int(int16(binary.BigEndian.Uint16(dict[i+1:]))), i+3
		case b == 29:
			operand, i = int(int32(binary.BigEndian.Uint32(dict[i+1:]))), i+5
		case b == 30: // a real number ends with the nibble 15
			for i++; dict[i]&15 != 15; i++ {
			}
			i++
		case b <= 246:
			operand, i = int(b)-139, i+1
		default:
			i += 2
		}
	}
	panic("no outlines")
}

// pack writes tables as a WOFF file.
func pack(flavor []byte, tables map[string][]byte) []byte {
	var entries, body bytes.Buffer
	start := 44 + 20*len(wanted)
	total := 12 + 16*len(wanted)
	for _, name := range wanted {
		table := tables[name]
		packed := compress(table)
		put := func(values ...int) {
			for _, v := range values {
				binary.Write(&entries, binary.BigEndian, uint32(v))
			}
		}
		entries.WriteString(name)
		put(start+body.Len(), len(packed), len(table), int(checksum(table)))
		body.Write(packed)
		body.Write(make([]byte, -len(packed)&3))
		total += (len(table) + 3) &^ 3
	}
	var out bytes.Buffer
	out.WriteString("wOFF")
	out.Write(flavor)
	for _, v := range []any{uint32(start + body.Len()), uint16(len(wanted)), uint16(0), uint32(total), uint16(1), uint16(0), [5]uint32{}} {
		binary.Write(&out, binary.BigEndian, v)
	}
	out.Write(entries.Bytes())
	out.Write(body.Bytes())
	return out.Bytes()
}

// compress returns a table compressed, or as it is where that is no longer.
func compress(table []byte) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // the level is a valid one
	w.Write(table)
	w.Close()
	if b.Len() >= len(table) {
		return table
	}
	return b.Bytes()
}

// checksum is the sum of a table's words of four bytes.
func checksum(table []byte) (sum uint32) {
	for ; len(table) >= 4; table = table[4:] {
		sum += binary.BigEndian.Uint32(table)
	}
	var last [4]byte
	copy(last[:], table)
	return sum + binary.BigEndian.Uint32(last[:])
}
