package bandit

import (
	"math"
	"slices"
	"testing"
)

// TestGaps writes out proposition 2 for three cases.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		means   []float64
		epsilon float64
		want    []float64
	}{
		{[]float64{0, 2, 1.5, 0.5}, 0, []float64{2, 0.5, 0.5, 1.5}},
		{[]float64{0, 2, 1.75, 0.5}, 0.5, []float64{1.5, 0.5, 0.5, 1.5}},
		{[]float64{1, 0.5, 0.25}, 0.25, []float64{0.75, 0.75, 1}},
	} {
		if got := Gaps(c.means, c.epsilon); !slices.Equal(got, c.want) {
			t.Errorf("gaps %v of %v at epsilon %v, want %v", got, c.means, c.epsilon, c.want)
		}
	}
}

// TestEffort: one hard arm among many easy ones is where adaptive sampling gains.
func TestEffort(t *testing.T) {
	means := make([]float64, 50)
	means[1], means[2] = 1, 0.9
	e, err := NewEffort(means, 0.05, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !(e.Shared < e.Adaptive*1.2 && e.Adaptive < e.Uniform/5) {
		t.Errorf("%+v, want uniform sampling far above the others", e)
	}
	ll := math.Log(100)
	want := 100 * (math.Log(49*ll) - math.Log(0.05))
	if math.Abs(e.Uniform-50*want) > 1e-8*e.Uniform {
		t.Errorf("uniform %v, want 50 times %v", e.Uniform, want)
	}
	if e, err := NewEffort([]float64{0, 1, 1}, 0.05, 0); err != nil || !math.IsInf(e.Adaptive, 1) {
		t.Errorf("%+v, %v for two best arms, want infinite", e, err)
	}
	if _, err := NewEffort(means, 1, 0); err == nil {
		t.Error("no error for delta 1")
	}
}
