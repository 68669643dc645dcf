package interp

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestBlockedGoroutines: four times as many goroutines that wait take about four times the processor, not sixteen.
func TestBlockedGoroutines(t *testing.T) {
	long(t)
	if raceDetector {
		t.Skip("the race detector allows 8,128 goroutines at a time")
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not say what a process has used")
	}
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			var s *Session
			if engine == "native" {
				s = startNative(t, &transcript{})
			} else {
				s = newSession(t, Options{Sink: &transcript{}, Engine: engine})
			}
			defer s.Close()
			least := func(n int) time.Duration {
				best := time.Hour
				for try := range 3 {
					before := processorTime(s)
					res := execute(s, n+try, fmt.Sprintf(`func() {
	c, started := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for range %d { wg.Go(func() { started <- 1; <-c }) }
	for range %[1]d { <-started }
	close(c)
	wg.Wait()
}()`, n))
					if res.Err != nil {
						t.Fatal(res.Err)
					}
					best = min(best, processorTime(s)-before)
				}
				return best
			}
			few, many := least(10_000), least(40_000)
			t.Logf("10,000 goroutines %v, 40,000 %v", few, many)
			if many > 8*max(few, 20*time.Millisecond) {
				t.Errorf("10,000 goroutines take %v, 40,000 %v", few, many)
			}
		})
	}
}
