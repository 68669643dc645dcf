package inference

import (
	"context"
	"testing"
)

// BenchmarkMirrorDescent is the default run: 1,500 particles, 200 kernel steps and 1,800 of weights on 1,000 observations.
func BenchmarkMirrorDescent(b *testing.B) {
	model := bimodal(1)
	for b.Loop() {
		if _, err := MirrorDescent(context.Background(), model, nil, source(2)); err != nil {
			b.Fatal(err)
		}
	}
}
