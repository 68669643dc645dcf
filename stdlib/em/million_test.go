package em

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestMillion: a path of 10^6 steps. The generator switches at rate 0.8 and has its
// mean; the scaled recursions and those in log-odds agree on the likelihood.
func TestMillion(t *testing.T) {
	const n = 1000000
	s := &Symmetric{Mean: []float64{1.5}, Zeta: 0.2, Sigma: 1}
	x, z, err := s.Sample(n, rand.New(rand.NewPCG(1, 1000000)))
	if err != nil {
		t.Fatal(err)
	}
	switches, sum, gamma := 0.0, 0.0, make([]float64, n)
	for i := range n {
		v := x.At(i, 0)
		gamma[i] = 1.5 * v
		sum += float64(z[i]) * v / n
		if i > 0 && z[i] != z[i-1] {
			switches++
		}
	}
	near(t, "rate of switches", switches/(n-1), 0.8, 0.002)
	near(t, "mean", sum, 1.5, 4e-3)
	m := s.Model()
	p, err := m.Smooth(x)
	if err != nil {
		t.Fatal(err)
	}
	sign, _, logSum := SmoothSymmetric(gamma, 0.2)
	for i := 0; i < n; i += 997 {
		near(t, "posterior", 2*p.State.At(i, 1)-1, sign[i], 1e-9)
	}
	want := logSum - n/2.0*(math.Log(2*math.Pi)+1.5*1.5)
	for i := range n {
		want -= x.At(i, 0) * x.At(i, 0) / 2
	}
	near(t, "log-likelihood", p.LogLikelihood, want, 1e-11)
	path, _, err := m.Viterbi(x)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0.0
	for i, k := range path {
		if 2*k-1 != z[i] {
			wrong++
		}
	}
	if wrong/n > 0.07 { // a sign by itself is wrong with probability 0.067
		t.Errorf("the most probable path is wrong at %v of the steps", wrong/n)
	}
}
