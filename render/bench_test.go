package render

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

func BenchmarkBundleNumber(b *testing.B) {
	for b.Loop() {
		Bundle(2.5)
	}
}

func BenchmarkBundleTable(b *testing.B) {
	rows := make([]station, 1000)
	for b.Loop() {
		Bundle(rows)
	}
}

func BenchmarkBundleMatrix(b *testing.B) {
	m := mat.NewDense(1000, 1000, nil)
	for b.Loop() {
		Bundle(m)
	}
}
