package vec

import "testing"

// BenchmarkFunctions times each function on 1e5 elements in cache, on one
// goroutine's share (ns an element is ns/op over 1e5; see the metric).
func BenchmarkFunctions(b *testing.B) {
	for _, f := range functions {
		b.Run(f.name, func(b *testing.B) {
			src, dst := make([]float64, 1<<15), make([]float64, 1<<15)
			for i := range src {
				src[i] = 1 + 30*float64(i)/float64(len(src))
			}
			for b.Loop() {
				f.slice(dst, src)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/elem")
		})
	}
}
