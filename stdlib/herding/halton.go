package herding

import (
	"fmt"
	"math/rand/v2"
)

// Halton is Halton's sequence: coordinate j of point i is the radical inverse of
// i in the j-th prime base. In more than about eight dimensions its early points
// lie on lines; [Sobol] is better there.
type Halton struct {
	next  uint64
	prime []uint64
	shift []float64 // added modulo 1, nil: none
}

// NewHalton returns the sequence in the given dimension, at least 1, from point
// skip on (skip 0 starts with the origin).
func NewHalton(dim, skip int) (*Halton, error) {
	if dim < 1 {
		return nil, fmt.Errorf("herding: dimension of the Halton sequence is %d, must be at least 1", dim)
	}
	if skip < 0 {
		return nil, fmt.Errorf("herding: number of points to skip is %d, must not be negative", skip)
	}
	h := &Halton{next: uint64(skip)}
	for c := uint64(2); len(h.prime) < dim; c++ {
		prime := true
		for _, p := range h.prime {
			if c%p == 0 {
				prime = false
				break
			}
		}
		if prime {
			h.prime = append(h.prime, c)
		}
	}
	return h, nil
}

// Shift randomises the sequence by a random shift modulo 1.
func (h *Halton) Shift(rng *rand.Rand) {
	h.shift = make([]float64, len(h.prime))
	for j := range h.shift {
		h.shift[j] = rng.Float64()
	}
}

// Dim returns the dimension.
func (h *Halton) Dim() int { return len(h.prime) }

// Next writes the next point to dst.
func (h *Halton) Next(dst []float64) {
	for j, p := range h.prime {
		var v float64
		f := 1 / float64(p)
		for i := h.next; i > 0; i /= p {
			v += float64(i%p) * f
			f /= float64(p)
		}
		if h.shift != nil {
			v += h.shift[j]
			if v >= 1 {
				v--
			}
		}
		dst[j] = v
	}
	h.next++
}
