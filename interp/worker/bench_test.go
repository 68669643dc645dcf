package worker

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestTimeitOwnCost: compared with an empty loop that takes 100 µs and 2 allocations for 1000 rounds, 10 of 60 µs and 4 of 5
// allocations of 500 rounds are the statement's, 20 ns each.
func TestTimeitOwnCost(t *testing.T) {
	loop := testing.BenchmarkResult{N: 1000, T: 100 * time.Microsecond, MemAllocs: 2}
	got := without(loop, testing.BenchmarkResult{N: 500, T: 60 * time.Microsecond, MemAllocs: 5, MemBytes: 8})
	if want := (testing.BenchmarkResult{N: 500, T: 10 * time.Microsecond, MemAllocs: 4, MemBytes: 8}); fmt.Sprint(got) != fmt.Sprint(want) || got.MemAllocs != 4 || got.MemBytes != 8 {
		t.Errorf("it is %v, must be %v", got, want)
	}
	if got := without(loop, testing.BenchmarkResult{N: 500, T: 40 * time.Microsecond}); nanoseconds(got) != "         0 ns/op" {
		t.Errorf("what takes no longer than the loop is %q", nanoseconds(got))
	}
}

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
