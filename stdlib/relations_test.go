package stdlib_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A relation says what does not change when the input does: of returns numbers that are the same for data times size, for data plus
// shift and for data in another order, as far as it says. Sizes of 1e-170 and 1e170 have squares that vanish and overflow.
type relation struct {
	of      func(d *data) []float64
	size    bool
	sizes   []float64 // nil is 1e-170 and 1e170
	shift   bool
	permute bool
	merge   func(d *data) (whole, parts []float64) // the same of all of the data, and of two parts put together
	within  float64                                // relative; 0 is 1e-11
}

// none is why a function has no such relation.
type none string

// data is what relations are tried on.
type data struct {
	size, shift float64
	x, y        []float64 // normal and log-normal, times size plus shift
	group       []int     // 0 or 1
	label       []float64 // -1 or 1
	plain       []float64 // neither scaled nor shifted
}

func newData() *data {
	rng := rand.New(rand.NewPCG(48, 6))
	d := &data{size: 1}
	for i := range 40 {
		v := rng.NormFloat64()
		d.x, d.y = append(d.x, v), append(d.y, math.Exp(0.5*v+rng.NormFloat64()))
		d.group, d.label = append(d.group, i%2), append(d.label, float64(2*(i*7%5%2)-1))
		d.plain = append(d.plain, rng.NormFloat64())
	}
	return d
}

// times returns the data at another size.
func (d *data) times(size float64) *data {
	out := *d
	out.size = size
	out.x, out.y = affine(d.x, size, 0), affine(d.y, size, 0)
	return &out
}

func (d *data) plus(shift float64) *data {
	out := *d
	out.shift = shift
	out.x, out.y = affine(d.x, 1, shift), affine(d.y, 1, shift)
	return &out
}

func (d *data) permuted() *data {
	order := rand.New(rand.NewPCG(1, 1)).Perm(len(d.x))
	out := *d
	out.x, out.y, out.label, out.plain = take(d.x, order), take(d.y, order), take(d.label, order), take(d.plain, order)
	out.group = take(d.group, order)
	return &out
}

// matrix returns the data as a matrix of two columns.
func (d *data) matrix() *mat.Dense {
	m := mat.NewDense(len(d.x), 2, nil)
	m.SetCol(0, d.x)
	m.SetCol(1, d.y)
	return m
}

func affine(x []float64, size, shift float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v*size + shift
	}
	return out
}

func take[T any](x []T, order []int) []T {
	out := make([]T, len(x))
	for i, j := range order {
		out[i] = x[j]
	}
	return out
}

// flat returns the elements of matrices and slices over a size.
func flat(size float64, all ...any) (out []float64) {
	for _, v := range all {
		switch v := v.(type) {
		case float64:
			out = append(out, v/size)
		case []float64:
			out = append(out, affine(v, 1, 0)...)
			for i := len(out) - len(v); i < len(out); i++ {
				out[i] /= size
			}
		case mat.Matrix:
			r, c := v.Dims()
			for i := range r {
				for j := range c {
					out = append(out, v.At(i, j)/size)
				}
			}
		default:
			panic(fmt.Sprintf("%T", v))
		}
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestRelations tries each relation at its sizes, shifted, in another order, split and merged.
func TestRelations(t *testing.T) {
	d := newData()
	for library, functions := range relations {
		for name, r := range functions {
			r, ok := r.(relation)
			if !ok {
				continue
			}
			t.Run(library+"."+name, func(t *testing.T) {
				within := r.within
				if within == 0 {
					within = 1e-11
				}
				compare := func(what string, got, want []float64) {
					if len(got) != len(want) || len(want) == 0 {
						t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
						return
					}
					for i, w := range want {
						if g := got[i]; !(math.Abs(g-w) <= within*max(1, math.Abs(w))) && g != w {
							t.Errorf("%s: number %d is %v, want %v", what, i, g, w)
							return
						}
					}
				}
				if r.of != nil {
					want := r.of(d)
					if r.size {
						sizes := r.sizes
						if sizes == nil {
							sizes = []float64{1e-170, 1e170}
						}
						for _, size := range sizes {
							compare(fmt.Sprintf("times %g", size), r.of(d.times(size)), want)
						}
					}
					if r.shift {
						compare("plus 3", r.of(d.plus(3)), want)
					}
					if r.permute {
						compare("in another order", r.of(d.permuted()), want)
					}
				}
				if r.merge != nil {
					whole, parts := r.merge(d)
					compare("in parts", parts, whole)
				}
			})
		}
	}
}

// withoutRelations are libraries that compute nothing from data, with what they do.
var withoutRelations = map[string]none{
	"check":        "compares values; its tests say when",
	"display":      "shows things in a notebook",
	"reproduction": "holds records of studies",
	"study":        "runs functions of others over a grid",
	"widgets":      "describes widgets",
}

// TestEveryFunctionHasItsRelation: no exported function of a library is left out of the table, and what has no relation says why.
func TestEveryFunctionHasItsRelation(t *testing.T) {
	for _, library := range libraries(t) {
		if _, out := withoutRelations[library]; out == (relations[library] != nil) {
			t.Errorf("library %s has relations or says why it has none, and not both", library)
		}
	}
	for library, table := range relations {
		functions := exported(library)
		for name := range functions {
			switch r := table[name].(type) {
			case nil:
				t.Errorf("%s.%s has no relation in relations_test.go: say what it is, or why there is none", library, name)
			case none:
				if len(r) < 10 {
					t.Errorf("%s.%s has no relation, and does not say why", library, name)
				}
			case relation:
				if r.of == nil && r.merge == nil || r.of != nil && !r.size && !r.shift && !r.permute {
					t.Errorf("%s.%s: its relation tests nothing", library, name)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(table)) {
			if _, ok := functions[name]; !ok && !strings.Contains(name, ".") { // a dot is in names of methods
				t.Errorf("%s.%s is in the table and does not exist", library, name)
			}
		}
	}
}
