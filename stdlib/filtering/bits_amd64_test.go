package filtering

import (
	"hash/fnv"
	"math"
	"testing"

	"gaucho/stdlib/herding"
)

// TestFrozenBits pins the results of each filter to the last bit, so that a change
// that moves them is seen, and so that every amd64 processor agrees, whichever
// vector instructions it has. (Other architectures may fuse a product and a sum.)
// Change the numbers only with a reason that the commit gives.
func TestFrozenBits(t *testing.T) {
	want := map[string]uint64{
		"bootstrap": 0xf45b1e8657dcaea7,
		"Sobol":     0xa4d6357af9e6c4ff,
		"SQMC":      0xca65e006ea111e18,
		"FW":        0x25d0510b08182305,
		"FCFW":      0xac600df879f3a6c3,
	}
	m := NonlinearBenchmark()
	Y := nonlinearData(t, 20, 3)
	for name, s := range map[string]*Settings{
		"bootstrap": bootstrap(200),
		"Sobol":     with(func(s *Settings) { s.Points = Sobol }),
		"SQMC":      with(func(s *Settings) { s.Points = SequentialQMC }),
		"FW":        herd(50, herding.Fixed, .1, 500),
		"FCFW":      herd(50, herding.FullyCorrective, .1, 500),
	} {
		h := fnv.New64a()
		for _, v := range run(t, m, Y, s, 5).Means.RawMatrix().Data {
			b := math.Float64bits(v)
			for i := range 8 {
				h.Write([]byte{byte(b >> (8 * i))})
			}
		}
		if got := h.Sum64(); got != want[name] {
			t.Errorf("%s: hash of the filtered means is %#x, was %#x", name, got, want[name])
		}
	}
}
