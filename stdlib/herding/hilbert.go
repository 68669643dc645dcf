package herding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"gaucho/internal/scale"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/vec"
)

// HilbertOrder returns the order of the rows of X (n x d) along a Hilbert curve,
// on which points that are near on the curve are near in space; in one
// dimension it sorts. Coordinates are standardised and squashed into the unit
// cube by the logistic function first (Gerber & Chopin 2015). Equal places keep
// the order of the rows. dst, if it has room, is used for the result. Cost
// O(n d), beyond 2^20 points O(n (d + log n)). The numbers must be finite; d is at most 22, so that each coordinate has
// two bits or more of the curve.
func HilbertOrder(dst []int, X *mat.Dense) []int {
	n, d := X.Dims()
	if d > 22 {
		panic(fmt.Sprintf("herding: dimension of the Hilbert curve is %d, must be at most 22", d))
	}
	work := sorters.Get().(*sorter)
	defer sorters.Put(work)
	keys := work.resize(n)
	if d == 1 {
		raw := X.RawMatrix()
		for i := range keys {
			keys[i] = sortable(raw.Data[i*raw.Stride])
		}
		return work.order(dst)
	}
	bits := min(44/d, 31)
	side := float64(uint64(1) << bits)
	cells := make([]uint32, n*d)
	z := make([]float64, n)
	for j := range d {
		for i := range z {
			z[i] = X.At(i, j)
		}
		standardise(z)
		vec.Logistic(z, z)
		for i, v := range z {
			cells[i*d+j] = uint32(math.Min(v*side, side-1))
		}
	}
	for i := range keys {
		keys[i] = hilbertIndex(cells[i*d:(i+1)*d], bits) << (44 - bits*d) << 20
	}
	return work.order(dst)
}

// standardise subtracts the mean and divides by the standard deviation, if it is
// not 0.
func standardise(z []float64) {
	n := float64(len(z))
	vec.Scale(z, 1/scale.Of(z), z)
	vec.Offset(z, -vec.Sum(z)/n, z)
	if s := math.Sqrt(vec.Dot(z, z) / n); s > 0 {
		vec.Scale(z, 1/s, z)
	}
}

// sortable returns the number whose order among unsigned integers is that of x.
func sortable(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// hilbertIndex returns the place on the Hilbert curve of the cell x, whose
// coordinates have the given number of bits. x is overwritten. (J. Skilling,
// Programming the Hilbert curve, AIP Conference Proceedings 707, 2004.)
func hilbertIndex(x []uint32, bits int) uint64 {
	d := len(x)
	// Undo the excess work of the curve's reflections and exchanges.
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		p := q - 1
		for i := range d {
			if x[i]&q != 0 {
				x[0] ^= p
			} else {
				t := (x[0] ^ x[i]) & p
				x[0] ^= t
				x[i] ^= t
			}
		}
	}
	// Gray encode.
	for i := 1; i < d; i++ {
		x[i] ^= x[i-1]
	}
	var t uint32
	for q := uint32(1) << (bits - 1); q > 1; q >>= 1 {
		if x[d-1]&q != 0 {
			t ^= q - 1
		}
	}
	for i := range x {
		x[i] ^= t
	}
	// Interleave, highest bits first.
	var key uint64
	for b := bits - 1; b >= 0; b-- {
		for i := range d {
			key = key<<1 | uint64(x[i]>>b&1)
		}
	}
	return key
}

// sorter holds the keys of a sort and its work space.
type sorter struct {
	keys, spare []uint64
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// resize makes room for n keys and returns them.
func (s *sorter) resize(n int) []uint64 {
	if cap(s.keys) < n {
		s.keys, s.spare = make([]uint64, n), make([]uint64, n)
	}
	s.keys, s.spare = s.keys[:n], s.spare[:n]
	return s.keys
}

// low are the bits of a key that are free for an index.
const low = 1<<20 - 1

// order returns the stable order of the keys by their upper 44 bits, in passes of
// 11. Up to 2^20 keys carry their index in the bits below, so that a pass reads
// and writes in order, and the pass of the lowest digits can be spared: few keys
// share all others, and are put in order last, if they are not too many.
func (s *sorter) order(dst []int) []int {
	n := len(s.keys)
	if cap(dst) < n {
		dst = make([]int, n)
	}
	dst = dst[:n]
	if n > low+1 {
		for i := range dst {
			dst[i] = i
		}
		slices.SortStableFunc(dst, func(a, b int) int { return cmp.Compare(s.keys[a]>>20, s.keys[b]>>20) })
		return dst
	}
	var count [digits][1 << 11]int32
	for i, k := range s.keys {
		s.keys[i] = k&^low | uint64(i)
		count[1][k>>31&digit]++
		count[2][k>>42&digit]++
		count[3][k>>53]++
	}
	for p := 1; p < digits; p++ {
		s.pass(p, &count[p])
	}
	if !insert(s.keys, 2*n) {
		for _, k := range s.keys {
			s.spare[k&low] = k
			count[0][k>>20&digit]++
		}
		s.keys, s.spare = s.spare, s.keys
		for p := range digits {
			if p > 0 {
				clear(count[p][:])
				for _, k := range s.keys {
					count[p][k>>(20+11*p)&digit]++
				}
			}
			s.pass(p, &count[p])
		}
	}
	for r, k := range s.keys {
		dst[r] = int(k & low)
	}
	return dst
}

// Four digits of 11 bits come above an index.
const (
	digits = 4
	digit  = 1<<11 - 1
)

// pass sorts the keys by digit p, of which count says how many there are of each.
func (s *sorter) pass(p int, count *[digit + 1]int32) {
	shift := 20 + 11*p
	if int(count[s.keys[0]>>shift&digit]) == len(s.keys) {
		return // all share the digit
	}
	var sum int32
	for b, c := range count {
		count[b] = sum
		sum += c
	}
	to := s.spare
	for _, k := range s.keys {
		b := k >> shift & digit
		to[count[b]] = k
		count[b]++
	}
	s.keys, s.spare = s.spare, s.keys
}

// insert sorts keys that are nearly in order, and reports whether it took no more
// than the given number of moves.
func insert(keys []uint64, moves int) bool {
	last := uint64(0)
	for i, k := range keys {
		if k >= last {
			last = k
			continue
		}
		for ; i > 0 && keys[i-1] > k && moves > 0; i-- {
			keys[i] = keys[i-1]
			moves--
		}
		keys[i] = k
		if moves == 0 {
			return false
		}
	}
	return true
}

// HilbertSorted returns the same mixture with its components in the order of their
// means along a Hilbert curve. Quasi-Monte Carlo points, which pick components by
// their place in the order, then pick near ones for near numbers.
func HilbertSorted(m *rkhs.Mixture) (*rkhs.Mixture, error) {
	if m == nil {
		return nil, fmt.Errorf("herding: the mixture is nil")
	}
	d := m.Dim()
	means := mat.NewDense(m.Len(), d, nil)
	for j := range m.Len() {
		mean, _ := m.Component(j)
		means.SetRow(j, mean)
	}
	order := HilbertOrder(nil, means)
	weights := make([]float64, m.Len())
	sorted := mat.NewDense(m.Len(), d, nil)
	covs := make([]*mat.SymDense, m.Len())
	for r, j := range order {
		weights[r] = m.Weight(j)
		mean, cov := m.Component(j)
		sorted.SetRow(r, mean)
		covs[r] = cov
	}
	return rkhs.NewMixture(weights, sorted, covs)
}
