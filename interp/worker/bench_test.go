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

// TestMedianInterval has the table of David and Nagaraja for 95%: n = 6 gives the extremes, n = 10 the second and ninth,
// n = 20 the sixth and fifteenth.
func TestMedianInterval(t *testing.T) {
	for n, want := range map[int][2]int{6: {0, 5}, 10: {1, 8}, 20: {5, 14}} {
		if lo, hi, ok := medianInterval(n, 0.95); !ok || lo != want[0] || hi != want[1] {
			t.Errorf("n %d: %d to %d, %v, want %v", n, lo, hi, ok, want)
		}
	}
	if _, _, ok := medianInterval(5, 0.95); ok {
		t.Error("five values are enough")
	}
}

// TestChance: samples that say nothing.
func TestChance(t *testing.T) {
	if got := chance([]float64{1, 1, 1}, []float64{1, 1}); got != 1 {
		t.Errorf("p of equal values is %v", got)
	}
	if got := chance(nil, []float64{1, 1}); got != 1 {
		t.Errorf("p of no values is %v", got)
	}
}
