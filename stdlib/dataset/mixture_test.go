package dataset

import (
	"math/rand/v2"
	"testing"
)

func TestRandomMixtureFollowsThePaper(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p, err := RandomMixture(2000, 3, rng)
	if err != nil {
		t.Fatal(err)
	}
	var weight, mean, variance float64
	for j := range p.Len() {
		m, cov := p.Component(j)
		for i, v := range m {
			if v < -5 || v > 5 {
				t.Fatalf("mean %v outside [-5,5]", v)
			}
			mean += v / 6000
			if s := cov.At(i, i); s < .1 || s > 4.1 || s != cov.At(0, 0) {
				t.Fatalf("variance %v", s)
			}
			if i > 0 && cov.At(0, i) != 0 {
				t.Fatal("covariance is not isotropic")
			}
		}
		weight += p.Weight(j)
		variance += cov.At(0, 0) / 2000
	}
	// Standard errors: 10/sqrt(12*6000) = .037 and 4/sqrt(12*2000) = .026.
	if weight < 1-1e-12 || weight > 1+1e-12 || mean < -.15 || mean > .15 || variance < 2 || variance > 2.2 {
		t.Errorf("weights sum to %v, means average %v, variances %v", weight, mean, variance)
	}
	if _, err := RandomMixture(0, 2, rng); err == nil {
		t.Error("no error for 0 components")
	}
	if _, err := RandomMixture(2, 0, rng); err == nil {
		t.Error("no error for dimension 0")
	}
}
