package table

import (
	"math"
	"math/bits"
	"time"
	"unsafe"

	"gaucho/stdlib/internal/asm"
)

// Most values have one of few forms, which are read eight bytes at a time, without a loop over the digits: a number of digits
// that changes from row to row is a branch that a processor foresees badly. A function quickX does that for one type; it is not
// ok if the value has another form, which does not say that it is wrong. Functions parseX read every form.

// slots is where the values of a column go: to elements of a slice or fields of the structs in one, size bytes apart.
type slots struct {
	first unsafe.Pointer
	size  uintptr
}

// slotsOf returns where the elements of a slice are.
func slotsOf[T any](values []T) slots {
	return slots{unsafe.Pointer(unsafe.SliceData(values)), unsafe.Sizeof(*new(T))}
}

// each reads the values of a column of the rows that are split by quick, and leaves to other, by their rows, those that are not
// ok. It ends early and reports false if other does.
func each[T any](s *source, column, rows int, to slots, quick func(text string, f span) (T, bool), other func(row int) bool) bool {
	text, fields, width := s.text, s.fields, len(s.header)
	for i, k := 0, column; i < rows; i, k = i+1, k+width {
		x, ok := quick(text, fields[k])
		if ok {
			*(*T)(unsafe.Add(to.first, uintptr(i)*to.size)) = x
		} else if !other(i) {
			return false
		}
	}
	return true
}

// zeros is the text 00000000 as a word.
const zeros = '0' * asm.Ones

// zero marks the first byte of a word that is 0 by its highest bit. To mark all of them takes more steps.
func zero(word uint64) uint64 { return (word - asm.Ones) &^ word & (0x80 * asm.Ones) }

// digits returns the number that the lowest n bytes of a word are, 1 to 8 digits with the first one lowest.
func digits(word uint64, n uint32) (x uint64, ok bool) {
	d := (word ^ zeros) << ((64 - 8*n) & 63) // with zeros before the first digit
	if (d+6*asm.Ones|d)&(0xf0*asm.Ones) != 0 {
		return 0, false
	}
	d = (d*10 + d>>8) & 0x00ff00ff00ff00ff
	d = (d*100 + d>>16) & 0x0000ffff0000ffff
	return (d*10000 + d>>32) & 0xffffffff, true
}

// leadingZero reports whether a word begins with a zero and another digit. What comes after a field is no digit.
func leadingZero(word uint64) bool { return bits.ReverseBytes16(uint16(word^zeros)) <= 9 }

// quickInt reads integers of at most eight bytes.
func quickInt(text string, f span) (x int, ok bool) {
	n := f.to - f.from // too large for a quoted field
	if n-1 >= 8 || int(f.from)+8 > len(text) {
		return 0, false
	}
	word := asm.Eight(text[f.from:])
	negative := byte(word) == '-'
	if negative {
		word >>= 8
		n--
	}
	if n == 0 || leadingZero(word) {
		return 0, false
	}
	u, ok := digits(word, n)
	if negative {
		return -int(u), ok
	}
	return int(u), ok
}

// quickFloat reads decimal numbers without an exponent whose digits are at most eight, or at most fifteen with a point among the
// first eight bytes: an integer divided by a power of ten, as in [parseFloat].
func quickFloat(text string, f span) (x float64, ok bool) {
	if int(f.from)+17 > len(text) {
		return 0, false
	}
	from := f.from
	negative := uint32(0)
	if text[from] == '-' {
		negative = 1
	}
	from += negative
	n := f.to - from // too large for a quoted field
	if n-1 >= 16 {
		return 0, false
	}
	word := asm.Eight(text[from:])
	if leadingZero(word) {
		return 0, false
	}
	point := uint32(bits.TrailingZeros64(zero(word^'.'*asm.Ones))) / 8 // 8 without one
	after := ^uint64(0) << (8 * point & 63)                            // without one the value is not used
	without := word&^after | word>>8&after
	var u uint64
	switch n--; {
	case n < 8 && point > n:
		u, ok = digits(word, n+1)
		point = n
	case n < 8 && n > 0:
		u, ok = digits(without, n)
	case n >= 8 && point < 8:
		rest := asm.Eight(text[from+8:])
		u, ok = digits(without|rest<<56, 8)
		if n > 8 {
			low, also := digits(rest>>8, n-8)
			u, ok = u*uint64(tens[n-8])+low, ok && also
		}
	default:
		return 0, false
	}
	x = float64(u) / tens[n-point]
	return math.Float64frombits(math.Float64bits(x) | uint64(negative)<<63), ok
}

// quickTime reads dates as in 2006-01-02.
func quickTime(text string, f span) (t time.Time, ok bool) {
	if f.to-f.from != 10 {
		return t, false
	}
	const (
		form  = zeros ^ ('0'^'-')<<32 ^ ('0'^'-')<<56 // the text 0000-00-
		above = 6*asm.Ones | 0x0f<<32 | 0x0f<<56      // what leaves the lower half of a byte that differs from the form too much
	)
	date := text[f.from : f.from+10]
	d := asm.Eight(date) ^ form
	ten, one := date[8]-'0', date[9]-'0'
	if (d+above|d)&(0xf0*asm.Ones) != 0 || ten > 9 || one > 9 {
		return t, false
	}
	pairs := d*10 + d>>8
	year, month, day := int(pairs&0xff*100+pairs>>16&0xff), int(pairs>>40&0xff), int(10*ten+one)
	if month < 1 || month > 12 || day < 1 || day > 28 && day > daysIn(year, month) {
		return t, false
	}
	return time.Unix(86400*daysFrom1970(year, month, day), 0).UTC(), true
}

// quickBool reads true and false.
func quickBool(text string, f span) (b, ok bool) {
	n := f.to - f.from
	if n-4 > 1 || int(f.from)+8 > len(text) {
		return false, false
	}
	const (
		yes = ('t' | 'r'<<8 | 'u'<<16 | 'e'<<24) << 32
		no  = ('f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32) << 24
	)
	word := asm.Eight(text[f.from:]) << ((64 - 8*n) & 63)
	b = word == yes
	return b, b || word == no
}

// quickString returns the text of a field without quotes that is not empty.
func quickString(text string, f span) (string, bool) {
	if f.to-f.from-1 >= maxBytes { // too large for a quoted field
		return "", false
	}
	return text[f.from:f.to], true
}
