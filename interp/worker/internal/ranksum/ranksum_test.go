package ranksum

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// bruteForce counts over all ways to choose which of the values are a's.
func bruteForce(a, b []float64) float64 {
	all := append(append([]float64{}, a...), b...)
	u, _ := statistic(a, b)
	mean := float64(len(a)*len(b)) / 2
	far, count := 0, 0
	for mask := range 1 << len(all) {
		if bits.OnesCount(uint(mask)) != len(a) {
			continue
		}
		var x, y []float64
		for i, v := range all {
			if mask>>i&1 == 1 {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		count++
		if v, _ := statistic(x, y); math.Abs(v-mean) >= math.Abs(u-mean) {
			far++
		}
	}
	return float64(far) / float64(count)
}

func TestExactAgainstAllOrders(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		a, b := make([]float64, 1+rng.IntN(6)), make([]float64, 1+rng.IntN(6))
		for i := range a {
			a[i] = rng.Float64()
		}
		for i := range b {
			b[i] = rng.Float64() + 0.3
		}
		if got, want := Test(a, b), bruteForce(a, b); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v %v: p is %v, want %v", a, b, got, want)
		}
	}
}

func TestSeparated(t *testing.T) {
	var a, b []float64
	for i := range 10 {
		a, b = append(a, float64(i)), append(b, float64(100+i))
	}
	if got, want := Test(a, b), 2.0/184756; math.Abs(got-want) > 1e-12 { // 20 over 10
		t.Errorf("p is %v, want %v", got, want)
	}
	if got := Test([]float64{1, 1, 1}, []float64{1, 1}); got != 1 {
		t.Errorf("p of equal values is %v", got)
	}
}

// TestTies has the value of the formula by hand: a = 1 2 2, b = 2 3 3 has U = 1, ties 24 + 6 = 30 over groups of 3 and 2,
// sigma^2 = 9/12 (7 - 30/30) = 4.5, z = (3.5 - 0.5)/sqrt(4.5) = sqrt 2.
func TestTies(t *testing.T) {
	if got, want := Test([]float64{1, 2, 2}, []float64{2, 3, 3}), math.Erfc(1); math.Abs(got-want) > 1e-12 {
		t.Errorf("p is %v, want %v", got, want)
	}
}

// TestMedianInterval has the table of David and Nagaraja for 95%: n = 6 gives the extremes, n = 10 the second and ninth,
// n = 20 the sixth and fifteenth.
func TestMedianInterval(t *testing.T) {
	for n, want := range map[int][2]int{6: {0, 5}, 10: {1, 8}, 20: {5, 14}} {
		if lo, hi, ok := MedianInterval(n, 0.95); !ok || lo != want[0] || hi != want[1] {
			t.Errorf("n %d: %d to %d, %v, want %v", n, lo, hi, ok, want)
		}
	}
	if _, _, ok := MedianInterval(5, 0.95); ok {
		t.Error("five values are enough")
	}
}
