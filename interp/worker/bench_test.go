package worker

import (
	"context"
	"fmt"
	"testing"
)

// From nothing to the first result.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s := start(b)
		s.ok("", "rt.Result(1+2)")
		s.p.Close()
	}
}

// A cell that does next to nothing, from the kernel and back.
func BenchmarkCell(b *testing.B) {
	s := start(b)
	s.ok("", "")
	b.ReportAllocs()
	for b.Loop() {
		s.ok("", "rt.Result(1+2)")
	}
}

// A cell without text of its own: what the process boundary costs.
func BenchmarkEmptyCell(b *testing.B) {
	s := start(b)
	for b.Loop() {
		r := s.cell("", "")
		r.Units = nil
		if d, err := s.p.Run(context.Background(), r, nil); err != nil || d.Error != nil {
			b.Fatal(err, d)
		}
	}
}

// One line printed, from a loop in a cell.
func BenchmarkPrintln(b *testing.B) {
	s := start(b)
	s.ok("", "")
	b.ResetTimer()
	s.ok("", fmt.Sprintf("for i := 0; i < %d; i++ { rt.Println(i) }", b.N))
}
