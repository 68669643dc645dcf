package linalg

import (
	"sync"
	"unsafe"

	"gaucho/stdlib/internal/asm"
)

// scratch holds the packed panels of one goroutine.
type scratch struct {
	a, b []float64
	tile []float64
	more []float64
}

// room returns n elements from the start of a cache line, with anything in them.
func (s *scratch) room(n int) []float64 {
	if len(s.more) < n {
		s.more = aligned(n)
	}
	return s.more[:n]
}

var scratches = sync.Pool{New: func() any {
	return &scratch{a: aligned(mc * kc), tile: aligned(8 * 24)}
}}

// aligned returns n float64 from the start of a cache line.
func aligned(n int) []float64 {
	p := make([]float64, n+8)
	skip := (64 - int(uintptr(unsafe.Pointer(&p[0]))&63)) & 63 / 8
	return p[skip : skip+n : skip+n]
}

// packB copies k rows of n columns into panels of nr columns, zeros beyond.
func packB(dst []float64, b view, k, n, nr int) {
	for j := 0; j < n; j += nr {
		packPanel(dst[j*k:], b.from(0, j).t(), min(nr, n-j), k, nr)
	}
}

// packA copies m rows of k columns into panels of mr rows, zeros beyond.
func packA(dst []float64, a view, m, k, mr int) {
	for i := 0; i < m; i += mr {
		packPanel(dst[i*k:], a.from(i, 0), min(mr, m-i), k, mr)
	}
}

// packPanel sets dst[l*size+i] = v[i][l] for h <= size rows i and k columns l,
// zeros up to size.
func packPanel(dst []float64, v view, h, k, size int) {
	if h < size && v.rs == 1 {
		for l := range k {
			to := dst[l*size : (l+1)*size]
			clear(to[copy(to, v.p[l*v.cs:][:h]):])
		}
		return
	}
	if h < size {
		clear(dst[:size*k])
		for i := range h {
			for l := range k {
				dst[l*size+i] = v.p[i*v.rs+l*v.cs]
			}
		}
		return
	}
	if v.rs == 1 {
		asm.PackRows(dst, v.p, v.cs, k, size)
		return
	}
	asm.PackTransposed(dst, size, v.p, v.rs, size, k)
}
