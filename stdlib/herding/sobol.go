package herding

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"gaucho/stdlib/internal/asm"
)

// A Sequence yields the points of a low-discrepancy sequence in the unit cube,
// one after the other.
type Sequence interface {
	// Dim returns the dimension of the points.
	Dim() int
	// Next writes the next point to dst, whose length is Dim().
	Next(dst []float64)
}

// Sobol is Sobol's sequence in base 2 with the direction numbers of Joe and Kuo
// (2008) in Gray-code order, 2^32 points in up to 21 dimensions. Any aligned
// block of 2^m points has one point in each interval of length 2^-m, coordinate
// by coordinate. Its first point is the origin.
type Sobol struct {
	next      uint64
	state     []uint32
	direction [][32]uint32
	shift     []uint32 // exclusive or, nil: none
	scramble  []uint32 // seeds of the nested scramble, nil: none
}

// maxSobol is the number of dimensions in the table.
const maxSobol = 21

// joeKuo holds degree s, coefficients a and initial numbers m of the primitive
// polynomials for dimensions 2, 3, ... (S. Joe and F. Y. Kuo, Constructing Sobol
// sequences with better two-dimensional projections, SIAM J. Sci. Comput. 2008).
var joeKuo = [maxSobol - 1]struct {
	s, a int
	m    []uint32
}{
	{1, 0, []uint32{1}},
	{2, 1, []uint32{1, 3}},
	{3, 1, []uint32{1, 3, 1}},
	{3, 2, []uint32{1, 1, 1}},
	{4, 1, []uint32{1, 1, 3, 3}},
	{4, 4, []uint32{1, 3, 5, 13}},
	{5, 2, []uint32{1, 1, 5, 5, 17}},
	{5, 4, []uint32{1, 1, 5, 5, 5}},
	{5, 7, []uint32{1, 1, 7, 11, 19}},
	{5, 11, []uint32{1, 1, 5, 1, 1}},
	{5, 13, []uint32{1, 1, 1, 3, 11}},
	{5, 14, []uint32{1, 3, 5, 5, 31}},
	{6, 1, []uint32{1, 3, 3, 9, 7, 49}},
	{6, 13, []uint32{1, 1, 1, 15, 21, 21}},
	{6, 16, []uint32{1, 3, 1, 13, 27, 49}},
	{6, 19, []uint32{1, 1, 1, 15, 7, 5}},
	{6, 22, []uint32{1, 3, 1, 15, 13, 25}},
	{6, 25, []uint32{1, 1, 5, 5, 19, 61}},
	{7, 1, []uint32{1, 3, 7, 11, 23, 15, 103}},
	{7, 4, []uint32{1, 3, 7, 13, 13, 15, 69}},
}

// NewSobol returns the sequence in the given dimension, 1 to 21, from point skip
// on (skip 0 starts with the origin).
func NewSobol(dim, skip int) (*Sobol, error) {
	if dim < 1 || dim > maxSobol {
		return nil, fmt.Errorf("herding: dimension of the Sobol sequence is %d, must be from 1 to %d", dim, maxSobol)
	}
	if skip < 0 || int64(skip) >= 1<<32 {
		return nil, fmt.Errorf("herding: number of points to skip is %d, must be from 0 to 2^32-1", skip)
	}
	s := &Sobol{state: make([]uint32, dim), direction: make([][32]uint32, dim)}
	for i := range 32 {
		s.direction[0][i] = 1 << (31 - i)
	}
	for j := 1; j < dim; j++ {
		t, v := joeKuo[j-1], &s.direction[j]
		for i := range 32 {
			if i < t.s {
				v[i] = t.m[i] << (31 - i)
				continue
			}
			v[i] = v[i-t.s] ^ v[i-t.s]>>t.s
			for k := 1; k < t.s; k++ {
				if t.a>>(t.s-1-k)&1 == 1 {
					v[i] ^= v[i-k]
				}
			}
		}
	}
	s.Seek(skip)
	return s, nil
}

// Seek makes point n, counted from 0, the next one. It panics if n is negative or
// not below 2^32.
func (s *Sobol) Seek(n int) {
	if n < 0 || int64(n) >= 1<<32 {
		panic(fmt.Sprintf("herding: point of the Sobol sequence is %d, must be from 0 to 2^32-1", n))
	}
	for j := range s.state {
		s.state[j] = grayCode(&s.direction[j], uint32(n))
	}
	s.next = uint64(n)
}

// Shift randomises the sequence by a digital shift: every coordinate is combined
// bit by bit with one random number per dimension. Each point is then uniform,
// and the sequence keeps its structure.
func (s *Sobol) Shift(rng *rand.Rand) {
	s.shift, s.scramble = s.draw(rng), nil
}

// draw returns a random word per dimension, in memory used before if there is any.
func (s *Sobol) draw(rng *rand.Rand) []uint32 {
	words := s.shift
	if words == nil {
		words = s.scramble
	}
	if words == nil {
		words = make([]uint32, len(s.state))
	}
	for j := range words {
		words[j] = rng.Uint32()
	}
	return words
}

// Scramble randomises the sequence by a nested uniform scramble in the manner
// of Owen, with a hash in place of the tree of random permutations (B. Burley,
// Practical hash-based Owen scrambling, JCGT 2020).
func (s *Sobol) Scramble(rng *rand.Rand) {
	s.scramble, s.shift = s.draw(rng), nil
}

// Dim returns the dimension.
func (s *Sobol) Dim() int { return len(s.state) }

// Next writes the next point to dst. After 2^32 points the sequence starts again.
func (s *Sobol) Next(dst []float64) {
	for j, v := range s.state {
		switch {
		case s.shift != nil:
			v ^= s.shift[j]
		case s.scramble != nil:
			v = nestedScramble(v, s.scramble[j])
		}
		dst[j] = float64(v) / (1 << 32)
	}
	c := bits.TrailingZeros64(^s.next)
	s.next++
	if c >= 32 {
		clear(s.state)
		s.next = 0
		return
	}
	for j := range s.state {
		s.state[j] ^= s.direction[j][c]
	}
}

// Range writes coordinate j of the points from, from+1, ... to dst[j], for all
// Dim() coordinates and as many points as the slices are long: what Next would
// yield after Seek(from), several times as fast. The sequence does not move, and
// several goroutines may call Range at once. It panics if a point is beyond 2^32.
func (s *Sobol) Range(dst [][]float64, from int) {
	if len(dst) != len(s.state) {
		panic(fmt.Sprintf("herding: %d slices for the Sobol sequence in dimension %d", len(dst), len(s.state)))
	}
	if from < 0 || int64(from)+int64(len(dst[0])) > 1<<32 {
		panic(fmt.Sprintf("herding: points of the Sobol sequence are %d to %d, must be from 0 to 2^32-1", from, from+len(dst[0])-1))
	}
	for j, out := range dst {
		switch {
		case s.scramble != nil:
			s.scrambled(out, j, uint32(from))
		case s.shift != nil:
			s.shifted(out, j, uint32(from), s.shift[j])
		default:
			s.shifted(out, j, uint32(from), 0)
		}
	}
}

// shifted writes coordinate j of the points from n on, with a digital shift.
func (s *Sobol) shifted(dst []float64, j int, n, shift uint32) {
	direction := &s.direction[j]
	v := grayCode(direction, n) ^ shift
	for i := range dst {
		dst[i] = float64(v) / (1 << 32)
		v ^= direction[bits.TrailingZeros32(^n)&31]
		n++
	}
}

// scrambled is the same with the nested scramble, which works on reversed words.
// Eight points from a multiple of eight on differ in their last three bits, and so
// by the same words in each group.
func (s *Sobol) scrambled(dst []float64, j int, n uint32) {
	const group = asm.ScrambleGroup
	var direction [32]uint32
	for i, v := range s.direction[j] {
		direction[i] = bits.Reverse32(v)
	}
	seed := s.scramble[j]
	var offset [group]uint32
	for i := range offset {
		offset[i] = grayCode(&direction, uint32(i))
	}
	var words [512]uint32
	var some [group]float64
	if skip := n % group; skip > 0 {
		words[0] = grayCode(&direction, n-skip)
		asm.Scramble(some[:], words[:1], &offset, seed)
		done := copy(dst, some[skip:])
		dst, n = dst[done:], n+uint32(done)
	}
	for len(dst) > 0 {
		part := words[:min((len(dst)+group-1)/group, len(words))]
		v := grayCode(&direction, n)
		for i := range part {
			part[i] = v
			n += group
			v ^= direction[2] ^ direction[bits.TrailingZeros32(n)&31] // of the Gray code of n
		}
		whole := min(len(dst)/group, len(part))
		asm.Scramble(dst, part[:whole], &offset, seed)
		dst = dst[group*whole:]
		if whole < len(part) {
			asm.Scramble(some[:], part[whole:], &offset, seed)
			dst = dst[copy(dst, some[:]):]
		}
	}
}

// grayCode returns point n of a coordinate.
func grayCode(direction *[32]uint32, n uint32) uint32 {
	var v uint32
	for gray := n ^ n>>1; gray != 0; gray &= gray - 1 {
		v ^= direction[bits.TrailingZeros32(gray)]
	}
	return v
}

// nestedScramble permutes the bits of x so that each bit depends on the seed and
// on the higher bits only: the Laine-Karras hash on the reversed word.
func nestedScramble(x, seed uint32) uint32 {
	return bits.Reverse32(asm.ScrambleReversed(bits.Reverse32(x), seed))
}
