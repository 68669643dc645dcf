package filtering

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestPartialSettings: a literal with the number of particles is the default filter with
// that number, bit for bit, and resamples.
func TestPartialSettings(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(50, rand.New(rand.NewPCG(1, 50)))
	if err != nil {
		t.Fatal(err)
	}
	pf := model(t, m)
	a, b := run(t, pf, Y, &Settings{Particles: 200}, 1), run(t, pf, Y, bootstrap(200), 1)
	if a.LogLikelihood != b.LogLikelihood || !mat.Equal(a.Means, b.Means) {
		t.Errorf("log-likelihood is %v with a literal, %v with the defaults changed", a.LogLikelihood, b.LogLikelihood)
	}
}

// TestNever: without resampling the filter is importance sampling with the model's own
// paths: its weights are the products of the likelihoods along them.
func TestNever(t *testing.T) {
	m := linear3(t)
	_, Y, err := m.Simulate(6, rand.New(rand.NewPCG(2, 50)))
	if err != nil {
		t.Fatal(err)
	}
	const n = 50
	r := run(t, model(t, m), Y, &Settings{Particles: n, Resampling: Never, History: true}, 3)
	want, total := make([]float64, n), 0.0
	for i := range n {
		q := 0.0
		for step := range 6 {
			x := r.History.X[step].RawRowView(i)
			if r.History.Ancestor[step][i] != i && step > 0 {
				t.Fatalf("particle %d of step %d has ancestor %d", i, step, r.History.Ancestor[step][i])
			}
			for a := range m.R.SymmetricDim() { // R is diagonal
				e := Y.At(step, a) - mat.Dot(m.C.RowView(a), mat.NewVecDense(len(x), x))
				q -= e * e / (2 * m.R.At(a, a))
			}
		}
		want[i] = math.Exp(q)
		total += want[i]
	}
	for i, w := range r.History.W[5] {
		near(t, "weight", w, want[i]/total, 1e-10)
	}
	if err := Resample(make([]int, 2), Never, []float64{.5, .5}, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("Resample took Never")
	}
}
