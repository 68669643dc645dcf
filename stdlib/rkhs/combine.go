package rkhs

import (
	"fmt"
	"math"
)

// Sum is the sum of kernels.
type Sum []Kernel

// Eval returns the sum of the members' values.
func (s Sum) Eval(x, y []float64) float64 {
	var v float64
	for _, k := range s {
		v += k.Eval(x, y)
	}
	return v
}

func (s Sum) column(dst []float64, p *Points, lo int, y []float64) {
	combine(s, dst, p, lo, y, func(dst, part []float64) {
		for i, v := range part {
			dst[i] += v
		}
	})
}

func (s Sum) validate() error { return validateAll("sum", s) }

// Product is the product of kernels.
type Product []Kernel

// Eval returns the product of the members' values.
func (s Product) Eval(x, y []float64) float64 {
	v := 1.0
	for _, k := range s {
		v *= k.Eval(x, y)
	}
	return v
}

func (s Product) column(dst []float64, p *Points, lo int, y []float64) {
	combine(s, dst, p, lo, y, func(dst, part []float64) {
		for i, v := range part {
			dst[i] *= v
		}
	})
}

func (s Product) validate() error { return validateAll("product", s) }

// combine fills a column with the first member and joins the others to it.
func combine(members []Kernel, dst []float64, p *Points, lo int, y []float64, join func(dst, part []float64)) {
	memberColumn(members[0], dst, p, lo, y)
	scratch := getScratch()
	defer putScratch(scratch)
	for _, k := range members[1:] {
		part := scratch[:len(dst)]
		memberColumn(k, part, p, lo, y)
		join(dst, part)
	}
}

// memberColumn is a column of one member of a composed kernel, which may be of
// another package.
func memberColumn(k Kernel, dst []float64, p *Points, lo int, y []float64) {
	if fast, ok := k.(columnKernel); ok {
		fast.column(dst, p, lo, y)
		return
	}
	slowColumn(k, dst, p.x, lo, y)
}

func validateAll(name string, members []Kernel) error {
	if len(members) == 0 {
		return fmt.Errorf("rkhs: %s has no kernels", name)
	}
	for _, k := range members {
		if err := Validate(k); err != nil {
			return err
		}
	}
	return nil
}

// Scaled is Factor times a kernel. The factor must be positive.
type Scaled struct {
	Factor float64
	Kernel Kernel
}

// Eval returns Factor k(x, y).
func (s Scaled) Eval(x, y []float64) float64 { return s.Factor * s.Kernel.Eval(x, y) }

func (s Scaled) column(dst []float64, p *Points, lo int, y []float64) {
	memberColumn(s.Kernel, dst, p, lo, y)
	for i := range dst {
		dst[i] *= s.Factor
	}
}

func (s Scaled) validate() error {
	if err := positive("factor", s.Factor); err != nil {
		return err
	}
	return Validate(s.Kernel)
}

// Normalized is k(x, y) / sqrt(k(x, x) k(y, y)), which is 1 for x = y
// (Khanna et al. 2021, assumption 2), and 0 where k(x, x) or k(y, y) is 0.
type Normalized struct {
	Kernel Kernel
}

// Eval returns the normalised value.
func (n Normalized) Eval(x, y []float64) float64 {
	s := math.Sqrt(n.Kernel.Eval(x, x)) * math.Sqrt(n.Kernel.Eval(y, y))
	if s == 0 {
		return 0
	}
	return n.Kernel.Eval(x, y) / s
}

func (n Normalized) column(dst []float64, p *Points, lo int, y []float64) {
	memberColumn(n.Kernel, dst, p, lo, y)
	root := math.Sqrt(n.Kernel.Eval(y, y))
	for i, v := range dst {
		x := p.x.RawRowView(lo + i)
		s := math.Sqrt(n.Kernel.Eval(x, x)) * root
		if s == 0 {
			dst[i] = 0
			continue
		}
		dst[i] = v / s
	}
}

func (n Normalized) validate() error { return Validate(n.Kernel) }
