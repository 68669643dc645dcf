package herding

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestHilbertCurve walks all cells of small cubes in the order of their index:
// each is visited once, and each step goes to a neighbour.
func TestHilbertCurve(t *testing.T) {
	for _, c := range []struct{ d, bits int }{{2, 1}, {2, 4}, {3, 3}, {4, 2}, {5, 2}} {
		total := 1 << (c.d * c.bits)
		cells := make([][]uint32, total)
		for n := range total {
			x, y := make([]uint32, c.d), make([]uint32, c.d)
			for j := range c.d {
				x[j] = uint32(n >> (j * c.bits) & (1<<c.bits - 1))
			}
			copy(y, x)
			k := hilbertIndex(y, c.bits)
			if k >= uint64(total) || cells[k] != nil {
				t.Fatalf("%+v: cell %v has index %d, taken or out of range", c, x, k)
			}
			cells[k] = x
		}
		for k := 1; k < total; k++ {
			var steps float64
			for j := range c.d {
				steps += math.Abs(float64(cells[k][j]) - float64(cells[k-1][j]))
			}
			if steps != 1 {
				t.Fatalf("%+v: step from %v to %v", c, cells[k-1], cells[k])
			}
		}
	}
}

func TestHilbertOrderSortsNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	X := mat.NewDense(5000, 1, nil)
	for i := range 5000 {
		X.Set(i, 0, rng.NormFloat64()*math.Pow(10, float64(rng.IntN(8)-4)))
	}
	order := HilbertOrder(nil, X)
	for r := 1; r < 5000; r++ {
		a, b := X.At(order[r-1], 0), X.At(order[r], 0)
		if a > b && a-b > 1e-9*math.Abs(a) {
			t.Fatalf("%v before %v", a, b)
		}
	}
	again := slices.Clone(order)
	slices.Sort(again)
	for i, v := range again {
		if i != v {
			t.Fatal("not a permutation")
		}
	}
}

// TestHilbertSortedMixtures: quasi-Monte Carlo beats Monte Carlo on mixtures of
// 20 Gaussians, and sorting the components does no harm.
func TestHilbertSortedMixtures(t *testing.T) {
	const n = 200
	var mc, plain, sorted float64
	for seed := range uint64(8) {
		p, pool := mixtureProblem(t, 50+seed, 20, 2, 10, 1)
		mc += math.Sqrt((1 - pool.Norm2()) / n)
		a, err := QuasiMonteCarlo(ctx, pool.Target(), p, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain += last(a.MMD)
		s, err := HilbertSorted(p)
		if err != nil {
			t.Fatal(err)
		}
		b, err := QuasiMonteCarlo(ctx, pool.Target(), s, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		sorted += last(b.MMD)
		x := 0.0
		for i, v := range p.Mean() {
			x += math.Abs(v - s.Mean()[i])
		}
		if x > 1e-12 {
			t.Errorf("sorting moves the mean by %v", x)
		}
	}
	if plain > .9*mc || sorted > 1.05*plain {
		t.Errorf("MMD of MC %v, QMC %v, Hilbert-sorted QMC %v", mc/8, plain/8, sorted/8)
	}
	if _, err := HilbertSorted(mustT1(t)); err != nil {
		t.Error(err)
	}
}

func mustT1(t *testing.T) *rkhs.Mixture {
	p, _ := mixtureT1(t)
	return p
}

// TestOrder compares the order of keys with a stable sort by their upper 44 bits,
// for keys that differ in any of their digits.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, n := range []int{1, 2, 100, 5000} {
		for shift := 0; shift < 64; shift += 4 {
			keys := make([]uint64, n)
			for i := range keys {
				keys[i] = 1<<63 | rng.Uint64()>>shift
			}
			want := make([]int, n)
			for i := range want {
				want[i] = i
			}
			slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(keys[a]>>20, keys[b]>>20) })
			var s sorter
			copy(s.resize(n), keys)
			if got := s.order(nil); !slices.Equal(got, want) {
				t.Fatalf("%d keys of %d bits are not in order", n, 64-shift)
			}
		}
	}
}
