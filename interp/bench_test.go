package interp

import (
	"context"
	"fmt"
	"testing"
	"time"
)

const twentyLines = `type point%[1]d struct{ x, y float64 }
func (p point%[1]d) norm() float64 { return math.Sqrt(p.x*p.x + p.y*p.y) }
func mean%[1]d(ps []point%[1]d) (m point%[1]d) {
	for _, p := range ps {
		m.x += p.x / float64(len(ps))
		m.y += p.y / float64(len(ps))
	}
	return m
}
ps%[1]d := []point%[1]d{}
for i := range 10 {
	ps%[1]d = append(ps%[1]d, point%[1]d{float64(i), float64(i * i)})
}
far%[1]d := 0
for _, p := range ps%[1]d {
	if p.norm() > mean%[1]d(ps%[1]d).norm() {
		far%[1]d++
	}
}
far%[1]d`

func benchSession(b *testing.B) *Session {
	s, err := Start(context.Background(), Options{Sink: &transcript{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	s.Execute(context.Background(), Cell{Source: "x := 1"})
	return s
}

func benchCells(b *testing.B, s *Session, source func(i int) string) {
	for i := 0; b.Loop(); i++ {
		if res := s.Execute(context.Background(), Cell{ID: "c", Number: i, Source: source(i)}); res.Err != nil {
			b.Fatal(res.Err)
		}
	}
}

// BenchmarkLine is a one-line cell from its source to its value, worker and all.
func BenchmarkLine(b *testing.B) {
	benchCells(b, benchSession(b), func(int) string { return "x + 1" })
}

// BenchmarkTwentyLines is a cell of twenty lines with a type, a method, a function and loops, all new.
func BenchmarkTwentyLines(b *testing.B) {
	benchCells(b, benchSession(b), func(i int) string { return fmt.Sprintf(twentyLines, i) })
}

// BenchmarkTwentyLinesAgain runs the same cell again and again, as people do.
func BenchmarkTwentyLinesAgain(b *testing.B) {
	benchCells(b, benchSession(b), func(i int) string { return fmt.Sprintf(twentyLines, 0) })
}

// BenchmarkFirstResult is the time from the start of a session to the value of its first cell.
func BenchmarkFirstResult(b *testing.B) {
	for b.Loop() {
		s, err := Start(context.Background(), Options{Sink: &transcript{}})
		if err != nil {
			b.Fatal(err)
		}
		if res := s.Execute(context.Background(), Cell{Source: "1 + 1"}); res.Err != nil {
			b.Fatal(res.Err)
		}
		b.StopTimer()
		s.Close()
		b.StartTimer()
	}
}

// BenchmarkBlockedGoroutines is what a goroutine costs the interpreter that waits among many: the same among ten times as many.
func BenchmarkBlockedGoroutines(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := Start(context.Background(), Options{Sink: &transcript{}, Engine: "yaegi"})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			benchCells(b, s, func(int) string {
				return fmt.Sprintf("c, wg := make(chan int), sync.WaitGroup{}\nfor range %d { wg.Go(func() { <-c }) }\nclose(c)\nwg.Wait()", n)
			})
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/goroutine")
		})
	}
}

// BenchmarkInterrupt is the time from an interrupt of a busy loop to the end of its cell.
func BenchmarkInterrupt(b *testing.B) {
	s := benchSession(b)
	var total time.Duration
	for b.Loop() {
		done := make(chan Result)
		go func() { done <- s.Execute(context.Background(), Cell{Source: "for {}"}) }()
		time.Sleep(20 * time.Millisecond)
		start := time.Now()
		s.Interrupt()
		<-done
		total += time.Since(start)
	}
	b.ReportMetric(float64(total.Microseconds())/float64(b.N), "µs/interrupt")
}
