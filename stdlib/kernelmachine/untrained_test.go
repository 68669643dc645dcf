package kernelmachine

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// TestUntrained: a machine that has seen nothing predicts nothing, and one without
// random numbers is not made.
func TestUntrained(t *testing.T) {
	gauss, x := rkhs.Gaussian{Bandwidth: 1}, mat.NewDense(2, 1, []float64{1, 2})
	m, err := New(Squared{}, gauss, nil, newRand(1))
	check(t, err)
	_, outputs := m.Outputs(ctx, x)
	_, labels := m.Predict(ctx, x)
	_, score := m.Score(ctx, x, []float64{1, 2})
	for _, err := range []error{outputs, labels, score} {
		if err == nil || !strings.Contains(err.Error(), "the machine is untrained, must have seen data") {
			t.Errorf("error is %v, want that it is untrained", err)
		}
	}
	_, machine := New(Squared{}, gauss, nil, nil)
	_, norma := NewNORMA(Squared{}, gauss, nil, nil)
	_, pegasos := Pegasos(ctx, Hinge{}, nil, x, []float64{1, -1}, nil, nil)
	for _, err := range []error{machine, norma, pegasos} {
		if err == nil || err.Error() != "kernelmachine: rng is nil, must be a source of random numbers" {
			t.Errorf("error is %v, want that rng is nil", err)
		}
	}
}
